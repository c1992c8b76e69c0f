"""Frameworks in the database: imported, corrected, shared on purpose, attached, deleted."""

import json
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from desks.compliance.frameworks import services
from desks.compliance.frameworks.counts import counts_of
from desks.compliance.frameworks.importing import read_file
from desks.compliance.frameworks.services import Correction
from desks.compliance.models import Framework
from tests.compliance.world import TABLE, framework
from tests.people import browser_of

pytestmark = pytest.mark.django_db
SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "frameworks" / "hosted-services.csv"


def test_the_command_imports_the_sample_and_counts_by_chapter_and_language(alice: User) -> None:
    alice.is_superuser = True
    alice.save()
    out = StringIO()
    call_command("import_framework", str(SAMPLE), "--name", "Hosted services", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert (told["name"], told["requirements"], told["assessable"]) == ("Hosted services", 17, 13)
    assert [(chapter["ref"], chapter["assessable"]) for chapter in told["chapters"]] == [
        ("1", 3),
        ("2", 5),
        ("3", 3),
        ("4", 2),
    ]
    assert told["domains"]["Data"] == 5
    with pytest.raises(CommandError, match="already have a list called"):
        call_command("import_framework", str(SAMPLE), "--name", "hosted services", stdout=out)


def test_who_reads_a_framework_is_decided_by_its_owner(
    contracts: Datasource, alice: User, bob: User, charlie: User
) -> None:
    made = framework(alice)

    def readers() -> list[str]:
        everybody = (alice, bob, charlie)
        return [each.email for each in everybody if made in Framework.objects.visible_to(each)]

    assert readers() == [alice.email]
    services.attach(made, contracts, alice)
    assert readers() == [alice.email, bob.email], "who reads the datasource"
    assert made not in Framework.objects.attachable_by(bob), "but may not hand it on"
    services.change_framework(made, is_shared=True)
    assert readers() == [alice.email, bob.email, charlie.email]
    assert made in Framework.objects.attachable_by(charlie)


def test_corrections_keep_the_tree_in_order(alice: User) -> None:
    made = framework(alice)
    rows = {row.ref: row for row in made.requirements.all()}
    services.add_requirement(
        made, Correction(ref="1.1.a", text="In which region."), after=rows["1.1"], deeper=True
    )
    services.add_requirement(made, Correction(ref="1.3", text="Who may read them."), after=rows["1.2"])
    services.correct(rows["2.1"], Correction(ref="2.1", text="The contract says when bills are paid."))
    order = list(made.requirements.order_by("position").values_list("ref", "depth"))
    assert order == [("1", 0), ("1.1", 1), ("1.1.a", 2), ("1.2", 1), ("1.3", 1), ("2", 0), ("2.1", 1)]
    services.remove_requirement(made.requirements.get(ref="1.1"))
    left = list(made.requirements.order_by("position").values_list("ref", "position"))
    assert left == [("1", 1), ("1.2", 2), ("1.3", 3), ("2", 4), ("2.1", 5)]
    with pytest.raises(ValidationError, match="needs a title or a text"):
        services.correct(rows["2.1"], Correction(ref="2.1"))


def test_counts_name_languages(alice: User) -> None:
    made = framework(
        alice, table=TABLE.replace("assessable\n", "assessable,text:de\n").replace("yes\n", "yes,Text\n")
    )
    assert counts_of(made).languages == {"unknown": 5, "de": 3}


def test_a_name_that_is_too_long_is_refused_not_cut(alice: User) -> None:
    table = BytesIO(b"ref,title,text\n1,,It is so.\n")
    told = {"file": SimpleUploadedFile("x.csv", table.getvalue()), "name": "Long " * 50}
    refused = browser_of(alice).post(reverse("frameworks"), told)
    assert refused.status_code == 422
    assert "The name has 249 characters; 200 are allowed." in refused.content.decode()
    assert not Framework.objects.exists()
    made = services.store(alice, read_file("x.csv", table), "Short")
    with pytest.raises(ValidationError, match="The title has 301 characters; 300 are allowed"):
        services.correct(made.requirements.get(), Correction(title="x" * 301))
