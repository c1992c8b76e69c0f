"""Wrong arguments of the commands: told in a sentence, with exit status 2, before anything is done."""

import pytest
from django.core.management import get_commands, load_command_class

_CALLS = {
    "vectors": [["--test", "--queries"]],
    "evaluate": [
        ["Lease", "--set", "one", "--generate"],
        ["Lease", "--set", "one", "--tokens"],
        ["Lease", "--set", "one", "--money"],
    ],
    "assess": [["Lease", "DORA", "--tokens"], ["Lease", "DORA", "--money"]],
    "retrieve": [
        ["Lease", "rent", "--k"],
        ["Lease", "rent", "--alpha"],
        ["Lease", "rent", "--min-similarity"],
        ["Lease", "rent", "--min-score"],
    ],
    "deletions": [["--datasource"]],
    "search_papers": [["attention", "--start"]],
    "worker": [["--concurrency"], ["--health-port"]],
}
CALLS = {name: calls for name, calls in _CALLS.items() if name in get_commands()}  # desks may be left out
WRONG = ("-1", "nan", "inf", "many", "", "9" * 40)


@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in CALLS.items() for call in calls])
@pytest.mark.parametrize("value", WRONG)
def test_a_number_that_makes_no_sense_is_refused(
    name: str, call: list[str], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = load_command_class(get_commands()[name], name)
    command._called_from_command_line = True  # type: ignore[attr-defined]  # as from a shell
    parser = command.create_parser("manage.py", name)
    with pytest.raises(SystemExit) as ended:
        parser.parse_args([*call, value])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert call[-1] in told
    assert f"“{value}”" in told


@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in CALLS.items() for call in calls])
def test_one_is_never_too_much(name: str, call: list[str]) -> None:
    load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args([*call, "1"])
