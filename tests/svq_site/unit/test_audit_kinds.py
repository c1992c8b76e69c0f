"""The audit log names each kind of thing in the language of its reader."""

from svq_site.audit.acts import ARGUMENTS, IN_REST, NEW
from svq_site.audit.kinds import KINDS, in_words
from tests.localization.pseudo import pseudo_language


def test_every_kind_of_a_request_can_be_translated() -> None:
    assert {*ARGUMENTS.values(), *IN_REST.values(), *NEW.values()} <= set(KINDS)


def test_a_kind_is_translated_where_it_is_shown() -> None:
    assert in_words("accounts.User") == "user"
    with pseudo_language():
        assert (in_words("accounts.User"), in_words("answer")) == ("⁅user⁆", "⁅answer⁆")
