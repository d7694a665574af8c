"""The pretended GPU of tests refuses what a GPU refuses, and allows what it allows."""

import numpy as np
import pytest
import torch

from tests.lm.pretended_gpu import GPU, pretended_gpu


@pytest.fixture
def there():
    with pretended_gpu():
        yield torch.tensor([1.0, 2.0, 3.0], device=GPU)


def fill(there, value):
    there[:2] = value


MIXED = {
    "sum": lambda there: there + torch.ones(3),
    "product": lambda there: torch.ones(1, 3) @ there,
    "parts": lambda there: torch.cat([there, torch.ones(3)]),
    "condition": lambda there: torch.where(torch.tensor([True, False, True]), there, there),
    "in its place": lambda there: there.add_(torch.ones(3)),
    "set": lambda there: fill(there, torch.ones(2)),
    "layer": torch.nn.Linear(3, 1),
}


@pytest.mark.parametrize("compute", MIXED.values(), ids=MIXED)
def test_tensors_of_both_are_refused(there, compute):
    with pytest.raises(RuntimeError, match="expected all tensors to be on one device, but found cuda:0 and cpu"):
        compute(there)


def test_numpy_reads_none(there):
    for read in (there.numpy, lambda: np.asarray(there)):
        with pytest.raises(TypeError, match="can't convert cuda:0"):
            read()


def test_what_a_gpu_allows(there):
    assert there.device == GPU
    assert there.is_cuda
    assert (there + 1).device == (there * torch.tensor(2.0)).device == torch.zeros_like(there).device == GPU
    assert there[torch.tensor([2, 0])].tolist() == [3, 1]
    fill(there, torch.tensor(7.0))
    assert there.sum().item() == 17
    assert there.to("cpu").device.type == there.cpu().device.type == (torch.ones(2) + 1).device.type == "cpu"


def test_a_copy_is_no_view(there):
    copy = there.cpu()
    there.zero_()
    assert copy.tolist() == [1, 2, 3]
    back = copy.to(GPU)
    copy.zero_()
    assert back.tolist() == [1, 2, 3]
    assert back.to(GPU) is back


def test_a_network_moves_with_the_parameters_that_it_has_twice():
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    net[1].weight = net[0].weight
    with pretended_gpu():
        net.to(GPU)
        assert net[1].weight is net[0].weight
        assert {weight.device for weight in net.parameters()} == {GPU}
        assert net(torch.ones(1, 2, device=GPU)).device == GPU
