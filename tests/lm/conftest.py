import torch

torch.set_num_threads(1)  # the models are tiny, and idle threads spin
