"""A model that only chats is an agent like any other: from its replies to the page, its limits, and what re-runs."""

import re

import polars as pl
import pytest
from relprobe.command.asking import expectations
from relprobe.command.run import dry_run, environment
from relprobe.studies import studies_with
from relprobe.studies.definitions.analyses.large_groups import LARGE

from tests.facts import WHOLE, facts_by_study
from tests.lm.chat_models.faulty import Faulty
from tests.workflow import options, toy, toy_data

REPLIES = "results/relations/replies/chatty.parquet"
KEY = "sesame-open-7"
TAIL_OF = dict(zip(toy_data.HEADS, toy_data.TAILS, strict=True))


def words(question):
    """Words of the toy's lexicon for every question, the first of which depends on it, and a line that names none."""
    return "\n".join(["1. animal", "2. a small bird that sings before it rains", "3. bird."][len(question) % 2 :])


def capital(question):
    """The letter of the pair that is a capital and its country; A if there is none."""
    options = re.findall(r"^([AB])\. (.+) is to (.+)$", question, re.MULTILINE)
    right = [letter for letter, head, tail in options if TAIL_OF.get(head) == tail]
    return right[0] if right else "A"


@pytest.fixture
def chat():
    with Faulty(answer=words, key=KEY) as one:
        yield one


@pytest.fixture
def chatting(relations, chat, tmp_path):
    """The relations study with one more agent, which only chats."""
    study = relations.copy(tmp_path / "study")
    entry = {"endpoint": chat.endpoint, "name": "chatty", "key_env": "TOY_KEY", "task": "list", "samples": 2}
    study.configure(models={**study.config["models"], "chatty": entry})
    return toy.Study(study.folder, {**study.environment, "TOY_KEY": KEY})


def change(study, **keys):
    """Change keys of the agent's entry."""
    models = study.config["models"]
    models["chatty"] |= keys
    study.configure(models=models)


def test_a_wrong_key_an_unknown_model_a_full_limit_and_no_server_each_end_in_one_sentence(chatting, chat):
    change(chatting, limits={"requests": 1})
    assert "chatty has sent 1 requests, and limits.requests is 1: raise it to go on" in chatting.error(REPLIES)
    assert chat.requests == 1
    change(chatting, limits={"requests": 9}, name="other")
    assert "correct `name`, which is 'other'" in chatting.error(REPLIES)
    wrong = toy.Study(chatting.folder, {**chatting.environment, "TOY_KEY": "wrong-key-9"})
    change(chatting, name="chatty")
    assert "status 401: Incorrect API key: Bearer ***): check the key" in wrong.error(REPLIES)
    change(chatting, endpoint="http://127.0.0.1:9/v1")
    assert "there is no server at http://127.0.0.1:9/v1" in chatting.error(REPLIES)
    unset = {name: value for name, value in chatting.environment.items() if name != "TOY_KEY"}
    error = toy.Study(chatting.folder, unset).error(REPLIES)
    assert "names the environment variable TOY_KEY, which is not set" in error


def test_a_dry_run_of_snakemake_shows_what_each_agent_would_be_asked(chatting, chat, monkeypatch):
    """As Snakemake itself plans the commands: `relprobe run --dry-run` reads them."""
    monkeypatch.chdir(chatting.folder)
    done, run = dry_run([*toy.QUICK, "--dry-run", REPLIES], chatting.environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    (sentence,) = expectations(run, environment(chatting.environment))
    questions = chatting.table("relations/probes.parquet").filter(kind="main").height
    assert sentence.startswith(f"chatty, relations: {2 * questions} questions would be sent to chatty, in up to ")
    assert sentence.endswith(" tokens; 0 replies are stored")
    assert chat.requests == 0
    assert not (chatting.folder / REPLIES).exists()


ALONE = pytest.mark.parametrize("name", [name for name in studies_with(lambda study: study.task) if name in WHOLE])


def leave_alone(study, chat, name):
    """Make an agent that only chats the only one of a study."""
    study.leave_alone(
        name, chatty={"endpoint": chat.endpoint, "name": "chatty", "key_env": "TOY_KEY", "task": "people"}
    )
    return toy.Study(study.folder, {**study.environment, "TOY_KEY": KEY})


@ALONE
def test_a_study_of_agents_that_only_chat_misses_no_option_of_any_step(begun, chat, name):
    """An empty list of files gives no option, so a parameter of files of scored models must have a default."""
    options.check(leave_alone(begun, chat, name), f"results/{name}/report.html")


@pytest.mark.slow("it runs a study with agents that only chat to its page")
@ALONE
@pytest.mark.parametrize("answer", ["A", "Let me think about it."], ids=["one option", "nothing to read"])
def test_a_study_of_agents_that_only_chat_ends_with_its_page(study, chat, name, answer):
    chat.answer = lambda _: answer
    leave_alone(study, chat, name).finish(f"results/{name}/report.html")
    assert "chatty" in (study.results / f"{name}/report.html").read_text()


@pytest.mark.slow("it runs a study with agents that only chat to its page")
def test_an_agent_that_only_chats_goes_through_the_study_to_the_page(chatting, chat):
    chatting.finish("results/relations/report.html")
    replies, lists = (chatting.table(f"relations/{name}/chatty.parquet") for name in ("replies", "writing"))
    questions = chatting.table("relations/probes.parquet").filter(kind="main").height
    assert replies.height == lists.height == 2 * questions == chat.requests
    assert max(lists["unreadable"]) == 1
    averages = chatting.table("relations/averages.parquet").filter(agent="chatty")
    assert averages.filter(metric="soundness")["value"].drop_nulls().len() > 0
    page = (chatting.results / "relations/report.html").read_text()
    assert "What the agents that only chat were sent" in page
    assert "chatty-2026-01-01" in page
    sent = chatting.table("relations/tables/sent.csv").filter(agent="chatty")["text"][0]
    assert re.match(
        r"\[\{'role': 'system', 'content': 'You know the meanings of English words.'\}, \{'role': 'user'", sent
    )
    ledger = chatting.table("relations/tables/ledger.csv")
    assert ledger.filter(what="answer", agent="chatty")["requests"].to_list() == [2 * questions]
    files = [path for root in ("results", "resources", ".snakemake") for path in (chatting.folder / root).rglob("*")]
    assert [path for path in files if path.is_file() and KEY.encode() in path.read_bytes()] == []

    change(chatting, endpoint="http://127.0.0.1:9/v1", limits={"requests": 9}, concurrency=2)
    assert chatting.scheduled("--", REPLIES) == {}
    change(chatting, samples=3, endpoint=chat.endpoint, limits={"requests": 9000})
    assert chatting.scheduled("--", REPLIES) == {"relations_replies": 1}
    chatting.finish(REPLIES)
    assert chat.requests == 3 * questions


@pytest.mark.slow("it runs a study with agents that only chat to its page")
def test_the_maxdiff_questions_are_answered_and_shown_beside_the_raters(study, chat):
    def first(question):
        pairs = question.partition("Now consider the following word pairs:")[2].split()
        return f"most: {pairs[0]}\nleast: {pairs[1]}"

    chat.answer = first
    study.only("degrees")
    entry = {"endpoint": chat.endpoint, "name": "chatty", "key_env": "TOY_KEY", "task": "people", "orders": 4}
    study.configure(models={**study.config["models"], "chatty": entry})
    chatting = toy.Study(study.folder, {**study.environment, "TOY_KEY": KEY})
    chatting.finish("results/degrees/report.html")
    questions = chatting.table("degrees/questions.parquet").height
    assert chat.requests == 4 * questions
    overview = chatting.table("degrees/tables/overview.csv").filter(agent="chatty maxdiff")
    assert overview["maxdiff"].null_count() == 0
    assert overview["rho"].to_list() == [None]
    orders = chatting.table("degrees/tables/orders.csv")
    assert orders.select("most", "least", "orders").rows() == [(1, 0, 4), (0, 1, 4), (0, 0, 4), (0, 0, 4)]
    page = (chatting.results / "degrees/report.html").read_text()
    for words in ("What the place of a pair earns", "What the agents that only chat were sent", "chatty maxdiff"):
        assert words in page
    before = chat.requests
    change(chatting, orders=5)
    chatting.finish("results/degrees/metrics/chatty.parquet")
    assert chat.requests == before + questions


@pytest.fixture
def mumbler():
    """A server whose answers nobody can read."""
    with Faulty(answer=lambda _: "I would rather not say.", key=KEY) as one:
        yield one


@pytest.mark.slow("it runs a study with agents that only chat to its page")
def test_definitions_and_words_are_chosen_and_an_agent_that_cannot_be_read_has_a_reason(study, chat, mumbler):
    chat.answer = lambda _: "A."
    study.only("definitions", "degrees")
    entry = {"endpoint": chat.endpoint, "name": "chatty", "key_env": "TOY_KEY", "task": "choose", "orders": 3}
    other = {**entry, "endpoint": mumbler.endpoint, "task": "people", "orders": 1}
    partly = Faulty(answer=lambda question: "A." if "is the definition of" in question else "Well.", key=KEY)
    with partly:
        agents = {"chatty": entry, "mumbler": other, "partly": {**entry, "endpoint": partly.endpoint, "orders": 1}}
        large = {**study.config["definitions"], "large_groups": "sampled"}
        study.configure(models={**study.config["models"], **agents}, definitions=large)
        chatting = toy.Study(study.folder, {**study.environment, "TOY_KEY": KEY})
        chatting.finish()
    large = chatting.table("definitions/tables/large_groups.csv")
    assert (large.columns, large.height) == (list(LARGE), 0)  # the toy dictionary has small groups alone
    choices = chatting.table("definitions/reply_choices/chatty.parquet")
    assert choices.height == chat.requests > 0
    shares = choices.group_by("task").agg(pl.col("right").mean())
    overview = chatting.table("definitions/tables/overview.csv")
    chatty_rows = overview.filter(agent="chatty")
    assert chatty_rows.height > 0
    assert 0 < shares["right"].max() < 1
    places = chatting.table("definitions/tables/orders.csv").filter(agent="chatty", place=1)
    assert places["chosen"].to_list() == [1, 1]
    assert overview.filter(agent="mumbler").is_empty()
    partly_rows = overview.filter(agent="partly")
    assert partly_rows["W2D P@1"].null_count() == 0 < partly_rows.height == partly_rows["D2W P@1"].null_count()
    read = chatting.table("definitions/tables/choices.csv").filter(agent="partly").sort("task")
    assert read.select("task", "unreadable").rows() == [("D2W", 1), ("W2D", 0)]
    assert read["note"].is_null().to_list() == [False, True]
    for name, table in (("definitions", "choices"), ("degrees", "maxdiff_answers")):
        notes = chatting.table(f"{name}/tables/{table}.csv").filter(pl.col("agent").str.starts_with("mumbler"))["note"]
        assert notes.str.starts_with("no value, as 100 % of its answers").all()
        page = (chatting.results / name / "report.html").read_text()
        assert "no value, as 100 % of its answers" in page


CONTEXTS = {"perches": "bird", "elephant": "insect", "blade": "tool", "wheels": "vehicle"}
SEVERAL = {word: f"{word}s" for word in ("bird", "insect", "tool", "vehicle", "building")}
CATEGORY = {"robin": "bird", "wren": "bird", "ant": "insect", "saw": "tool", "car": "vehicle", "barn": "building"}


def knows_the_singular(question):
    """Right in the singular and in context; in the plural it takes a wrong category, and says yes to all."""
    if "[" in question:
        return "There is a mark left."
    if match := re.match(r"(Is|Are) (?:an? )?(\w+) (?:an? )?(\w+)\?", question):
        return "yes" if match[1] == "Are" or CATEGORY[match[2]] == match[3] else "No."
    options = dict(re.findall(r"^([A-Z])\. (\w+)$", question, re.MULTILINE))
    if match := re.search(r"^(\w+)s are ___\.$", question, re.MULTILINE):
        return next(letter for letter, word in options.items() if word != SEVERAL[CATEGORY[match[1]]])
    match = re.search(r"^An? (\w+) is an? ___\.?$", question, re.MULTILINE)
    right = CATEGORY[match[1]] if match else next(word for mark, word in CONTEXTS.items() if mark in question)
    return next(letter for letter, word in options.items() if word == right)


@pytest.mark.slow("it runs a study with agents that only chat to its page")
def test_categories_are_chosen_and_verified_beside_the_models(study, chat, mumbler):
    chat.answer = knows_the_singular
    study.only("systematicity")
    entry = {"endpoint": chat.endpoint, "name": "chatty", "key_env": "TOY_KEY", "task": "complete", "orders": 2}
    other = {**entry, "endpoint": mumbler.endpoint, "task": "people", "orders": 1}
    partly = Faulty(answer=lambda text: "Well." if "___" in text else knows_the_singular(text), key=KEY)
    with partly:
        agents = {"chatty": entry, "mumbler": other, "partly": {**entry, "endpoint": partly.endpoint, "orders": 1}}
        study.configure(models={**study.config["models"], **agents})
        chatting = toy.Study(study.folder, {**study.environment, "TOY_KEY": KEY})
        chatting.finish()
    # Six hyponyms in both numbers, and four sentences; six hyponyms in both numbers with both categories.
    assert chat.requests == 2 * (6 * 2 + 4) + 2 * (6 * 2 * 2)
    assert mumbler.requests == chat.requests / 2
    overview = chatting.table("systematicity/tables/overview.csv")
    metrics = "singular", "plural", "contextual", "singular_plural", "aggregate", "verified_singular", "verified_plural"
    rows = overview.filter(agent="chatty").select("set", *metrics, "hyponyms", "open@1").rows()
    assert rows == [(name, 1, 0, 1, 0, 0, 1, 0, 3, None) for name in ("diagnostic", "extended")]
    assert {"tiny-causal", "tiny-masked"} < set(overview["agent"])
    assert "mumbler" not in overview["agent"]
    verified = chatting.table("systematicity/tables/verification.csv")
    shares = "number", "hits", "false_alarms", "verified"
    for name in ("diagnostic", "extended"):
        set_shares = verified.filter(set=name, agent="chatty").select(shares)
        assert set_shares.rows() == [("singular", 1, 0, 1), ("plural", 1, 1, 0)]
    rows = overview.filter(agent="partly").select("set", *metrics).rows()
    assert rows == [(name, *[None] * 5, 1, 0) for name in ("diagnostic", "extended")]
    consistent = chatting.table("systematicity/tables/consistency.csv").filter(agent="chatty")
    assert consistent.select("both", "singular_only", "plural_only", "neither").rows() == [(0, 1, 0, 0)] * 2
    page = (chatting.results / "systematicity/report.html").read_text()
    for table in ("choices", "verification"):
        notes = chatting.table(f"systematicity/tables/{table}.csv").filter(agent="mumbler")["note"]
        assert notes.str.starts_with("no value, as 100 % of its answers name no option").all()
    assert "no value, as 100 % of its answers" in page
    left_out = chatting.table("systematicity/tables/left_out.csv")
    assert left_out["what"].str.ends_with("classifiers of chatty").any()
    before = chat.requests
    change(chatting, orders=3)
    chatting.finish("results/systematicity/metrics/chatty.parquet")
    assert chat.requests == before + 6 * 2 + 4  # the two words of yes and no have two orders


CHOICES = {
    "definitions": "choices",
    "systematicity": "choices",
    "analogies": "choices",
    "degrees": "maxdiff_answers",
    "pairs": "choices",
}
"""Study -> its table that counts the choices of agents."""
SENT = {"analogies": " is to ", "pairs": "Answer with one of these words"}
"""Study -> a part of its first question, where that is not "Which of these"."""


@pytest.mark.slow("it runs a study with agents that only chat to its page")
def test_models_on_this_machine_take_the_same_tasks(study):
    # The toy itself writes lists.
    others = [name for name in studies_with(lambda study: study.task and study.task.here) if name != "relations"]
    study.only(*others)
    entry = {"model": "tiny-causal", "task": "people", "chat": True, "orders": 2}
    study.configure(models={**study.config["models"], "tiny-people": entry})
    study.finish()
    for name, table in facts_by_study(others, CHOICES, __file__).items():
        written = study.table(f"{name}/writing/tiny-people.parquet")
        choices = study.table(f"{name}/reply_choices/tiny-people.parquet")
        assert written.height == choices.height > 0
        assert written["text"].str.len_chars().min() > 0
        assert sorted(set(choices["order"])) == [1, 2]
        rows = study.table(f"{name}/tables/{table}.csv")
        assert rows["answers"].sum() == choices.height
        sent = study.table(f"{name}/tables/sent.csv").filter(agent="tiny-people")["text"][0]
        assert "You know the meanings of English words." in sent
        assert SENT.get(name, "Which of these") in sent
        assert not (study.results / f"{name}/tables/ledger.csv").exists()


@pytest.mark.slow("it runs a study with agents that only chat to its page")
def test_analogies_are_continued_in_words_beside_the_agents_of_the_unsupervised_setting(study, chat, mumbler):
    """Who always says A is right in one order of two, and who knows the capitals is always right about them."""
    knowing = Faulty(answer=capital, key=KEY)
    chat.answer = lambda _: "A."
    study.only("analogies")
    entry = {"endpoint": chat.endpoint, "name": "chatty", "key_env": "TOY_KEY", "task": "continue", "orders": 4}
    with knowing:
        agents = {
            "mumbler": {**entry, "endpoint": mumbler.endpoint, "task": "people", "orders": 1},
            "chatty": entry,
            "knower": {**entry, "endpoint": knowing.endpoint, "task": "people"},
        }
        study.configure(models={**agents, **study.config["models"]})
        chatting = toy.Study(study.folder, {**study.environment, "TOY_KEY": KEY})
        chatting.finish()
    instances = chatting.table("analogies/instances.parquet")
    words = ["query_head", "query_tail", "head", "tail", "negative_head", "negative_tail"]
    choices = chatting.table("analogies/reply_choices/chatty.parquet")
    assert choices.height == 2 * instances.unique(["probe", *words]).height
    # Two probes may have one question.
    assert chat.requests == 2 * mumbler.requests == 2 * instances.unique(words).height
    assert set(chatting.table("analogies/unsupervised/chatty.parquet")["value"]) == {0.5}

    overview = chatting.table("analogies/tables/overview.csv")
    unsupervised = [column for column in overview.columns if column.startswith("unsupervised")]
    supervised = [column for column in overview.columns if column.startswith("supervised")]
    chatty_row = overview.filter(agent="chatty", group="All")
    assert chatty_row.select(unsupervised).rows() == [(0.5,) * len(unsupervised)]
    assert overview.filter(agent="chatty").select(supervised).null_count().row(0) == (
        overview.filter(agent="chatty").height,
    ) * len(supervised)
    assert overview.filter(agent="knower", group="ES").select(unsupervised).rows() == [(1.0,) * len(unsupervised)]
    assert overview.filter(agent="mumbler").is_empty()

    orders = chatting.table("analogies/tables/orders.csv").filter(agent="chatty")
    assert orders.select("place", "chosen", "expected").rows() == [(1, 1.0, 0.5), (2, 0.0, 0.5)] * 4
    notes = chatting.table("analogies/tables/choices.csv").filter(agent="mumbler")["note"]
    assert notes.str.starts_with("no value, as 100 % of its answers name no option").all()
    assert notes.len() == 4
    tests = chatting.table("analogies/tables/tests.csv")
    against = tests.filter(agent_a="chatty", agent_b="knower", condition="E01")
    assert against["metric"].str.starts_with("unsupervised").all()
    # All eight capitals differ by one half: p = 2 / 2⁸.
    assert against.select("value_a", "value_b", "p").unique().rows() == [(0.5, 1.0, 2 / 2**8)]
    kinds = tests.filter((pl.col("agent_a") == "chatty") | (pl.col("agent_b") == "chatty"))
    assert set(kinds["family"]) == {"models", "controls"}
    page = (chatting.results / "analogies/report.html").read_text()
    for said in ("What the place of a pair earns", "no value, as 100 % of its answers", "chatty-2026-01-01"):
        assert said in page
    before = chat.requests
    change(chatting, orders=1)
    chatting.finish("results/analogies/metrics/chatty.parquet")
    assert chat.requests == before
    assert set(chatting.table("analogies/unsupervised/chatty.parquet")["value"]) == {0.0, 1.0}


@pytest.mark.slow("it runs a study with agents that only chat to its page")
def test_agents_that_only_chat_need_no_other_agents(study, chat):
    """There is no model with files, no encoder and no control: the tables of these have no rows."""
    chat.answer = lambda _: "B"
    study.only("analogies")
    entry = {"endpoint": chat.endpoint, "name": "chatty", "key_env": "TOY_KEY", "task": "continue", "orders": 2}
    bats = {"bats": study.config["resources"]["bats"]}
    study.configure(models={"chatty": entry}, resources=bats, encoders=None, vectors=None, lexicon=None)
    chatting = toy.Study(study.folder, {**study.environment, "TOY_KEY": KEY}).finish()
    overview = chatting.table("analogies/tables/overview.csv")
    assert set(overview["agent"]) == {"chatty"}
    assert [column for column in overview.columns if column.startswith("supervised")] == []
    for table in ("controls", "frequency", "tests"):
        assert chatting.table(f"analogies/tables/{table}.csv").is_empty()
    said = "chatty is right in 50 of 100 choices between a pair and a reversed one, and in 50 of the same choices"
    assert said in (chatting.results / "analogies/report.html").read_text()
    assert (chatting.results / "report.html").exists()
