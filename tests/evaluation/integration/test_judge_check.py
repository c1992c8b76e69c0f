"""The judge held against people: shown blind, told when all are looked at."""

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Membership, Role
from desks.evaluation.models import Kind, Result, Run, Verdict
from desks.evaluation.reports.judge_check import agreed, sample
from desks.evaluation.reports.summary import summary_of
from tests.evaluation.world import question_set, started
from tests.people import browser_of

pytestmark = pytest.mark.django_db(transaction=True)


def judged_run(datasource: Datasource, person: User) -> Run:
    """Whose judge has called 30 statements supported and 3 not."""
    made = question_set(datasource, person)
    run = started(made, person, "search")
    statements = [{"text": f"Statement {n}.", "supported": n > 2, "reason": "Secret"} for n in range(33)]
    question = made.questions.get(kind=Kind.SINGLE)
    judged = {"model": "judge", "scores": {}, "statements": statements}
    Result.objects.create(run=run, question=question, outcome="answered", judged=judged)
    run.write(frozen={**run.frozen, "judge": "judge"}, status="done")
    return run


def test_twenty_are_shown_without_the_judges_verdict_and_agreement_is_told_at_the_end(
    contracts: Datasource, alice: User, bob: User
) -> None:
    run = judged_run(contracts, alice)
    chosen = sample(run)
    assert len(chosen) == 20
    assert sum(not each.supported for each in chosen) == 3, "all that it called unsupported"
    client = browser_of(alice)
    address = reverse("evaluation_judge", args=[contracts.pk, run.number])
    for place, each in enumerate(chosen):
        page = client.get(address).content.decode()
        assert f"{place + 1} of 20" in page
        assert each.text in page
        assert "Secret" not in page
        assert "agree with the judge" not in page
        said = "no" if place < 2 else "yes" if each.supported else "no"
        client.post(address, {"result": each.result.pk, "statement": each.place, "supported": said})
    right = 20 - sum(each.supported for each in chosen[:2])
    assert f"<b>{right} of 20</b>" in client.get(address).content.decode()
    told = summary_of(run).agreement
    assert told
    assert (told.agreed, told.n) == (right, 20)
    shown = browser_of(bob).get(f"{reverse('evaluation', args=[contracts.pk])}?run={run.number}")
    assert "agree with the judge" in shown.content.decode()


def test_half_a_check_counts_for_nothing_and_a_stranger_has_none(
    contracts: Datasource, alice: User, bob: User
) -> None:
    run = judged_run(contracts, alice)
    first = sample(run)[0]
    address = reverse("evaluation_judge", args=[contracts.pk, run.number])
    told = {"result": first.result.pk, "statement": first.place, "supported": "yes"}
    assert browser_of(bob).post(address, told).status_code == 403
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    browser_of(bob).post(address, told)
    browser_of(bob).post(address, told | {"statement": "999"})
    assert Verdict.objects.count() == 1
    assert agreed(run) is None
