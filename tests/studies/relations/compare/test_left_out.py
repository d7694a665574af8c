import pytest
from relprobe.studies.relations.analyses.ceiling import NO_HUMANS
from relprobe.studies.relations.averages import averages_of as averages

from tests.studies.relations.about import compared
from tests.studies.relations.compare.test_analyses import paired_tests, sound, units
from tests.studies.relations.data.test_build import gold
from tests.studies.relations.six import SIX


@pytest.mark.parametrize(("agents", "said"), [(["m"], True), (["humans", "m"], False)])
def test_a_study_without_humans_says_so(agents, said):
    values = {agent: units(sound("w", "p", 1)) for agent in agents}
    models = {"m": {"type": "masked"}}
    tables = compared(values, averages(values, relations=SIX), paired_tests(values), gold("w HYP x"), models)
    assert (("entropy", NO_HUMANS) in tables["left_out"].rows()) == said
    assert tables["first_related"].is_empty()
