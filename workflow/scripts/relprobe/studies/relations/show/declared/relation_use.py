"""The table of the use of a relation, and the controls that it may lack."""

from relprobe.report.shown import Table

NOT_THERE = {
    name: f" The control {name} is missing: it needs resources.static_vectors, and its name in relations.controls."
    for name in ("neighbours", "typical")
}
"""What a caption says of a control that a run lacks."""

RELATION_USE = Table(
    "relation_use",
    "Does an agent use the relation that it is asked for, for this target?",
    "Targets that were asked for two relations and have relata of both. The plain contrast: how much earlier the "
    "relata of a relation come among the first ten answers if this relation is asked for than if the other one is: "
    "d_r(s) − d_r(r) + d_s(r) − d_s(s), where d_r(s) is the relative rank of the best s-relatum in the answers to r. It is "
    "0 for an agent that names the same words whatever is asked, however near they are to the target. An agent that "
    "names common relata of the relation, whatever the target is, has it, too. So the contrast for this target is the "
    "plain one, less what the agent's own answers about the other targets get with this target's relata: it is 0 for "
    "both kinds of agents. An agent that knows what relata of the relation look like, and which words are near, has "
    "some of it without knowing the pair: the control typical does. beyond: what the agent has more than its best control, "
    "the one that it exceeds least, on the probes that both have answered. The rows without relations are over all "
    "pairs, the others over one pair. In p (two-sided) and the intervals (95 %), targets and prompts are samples, and "
    "targets with a common relatum of one relation are linked. p_holm: p adjusted over the agents; beyond_p_holm: "
    "adjusted over all pairs of an agent and a control; agents with the same contrasts count once. detectable, "
    "beyond_detectable: the smallest contrast, and difference, that these find in 80 of 100 such studies. Models answer "
    "trick probes, too; people do not, so their "
    "targets are others.",
    step="relation_use",
    columns={
        "measure": "for this target: the contrast less that of the answers about other targets; plain: the contrast",
        "relation": "one relation of a pair; empty: all pairs together",
        "versus": "the other relation of the pair",
        "targets": "the number of targets that were asked for both and have relata of both",
        "effective_n": "the number of independent targets that they count as",
        "differ": "the number of targets whose contrast is not 0",
        "contrast": "how much earlier relata of a relation come if it is asked for than if the other one is",
        "p": "p of a contrast other than 0 (two-sided), where linked targets and prompts are samples",
        "family": "the kind of agents that p is adjusted over",
        "control": "the control that the agent exceeds least",
        "control_contrast": "the contrast of this control, on the probes that both have answered",
        "beyond": "the agent's contrast minus that of the control, on these probes",
        "beyond_low": "the lower bound of the 95 % interval of this difference",
        "beyond_high": "the upper bound of the 95 % interval of this difference",
        "beyond_p": "p of this difference (two-sided)",
        "beyond_p_holm": "p of this difference, adjusted over all pairs of an agent and a control",
        "detectable": "the smallest contrast that p_holm finds in 80 of 100 such studies",
        "beyond_detectable": "the smallest difference that beyond_p_holm finds in 80 of 100 such studies",
    },
    without={"typical": NOT_THERE["typical"]},
)
