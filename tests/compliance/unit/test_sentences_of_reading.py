"""Why a file of a framework is refused is told in one language, with what it names as the file has it."""

import pytest
from django.utils.translation import override

from desks.compliance.frameworks.reading import ciso_assistant, oscal
from formats.base.errors import ExtractionError
from localization.stored import retold


@pytest.mark.parametrize(
    ("file", "german"),
    [
        ("[1]", "Diese Datei ist kein Objekt mit Namen und Werten."),
        ('{"catalog": {"params": [1]}}', "“params[]” ist kein Objekt mit Namen und Werten."),
        ('{"catalog": {"params": [{"id": []}]}}', "“params[].id” ist kein Text."),
        ('{"catalog": {"groups": [{"title": []}]}}', "“groups[].title” ist kein Text."),
    ],
)
def test_of_a_catalog(file: str, german: str) -> None:
    with pytest.raises(ExtractionError) as refused:
        oscal.read(file)
    with override("de"):
        assert retold(refused.value.message) == german


@pytest.mark.parametrize(
    ("file", "german"),
    [
        ("- 1", "Diese Datei ist kein Objekt mit Namen und Werten."),
        (
            "{objects: {framework: {requirement_nodes: [{urn: a}, 1]}}}",
            "“requirement_nodes[2]” ist kein Objekt mit Namen und Werten.",
        ),
    ],
)
def test_of_a_library(file: str, german: str) -> None:
    with pytest.raises(ExtractionError) as refused:
        ciso_assistant.read(file)
    with override("de"):
        assert retold(refused.value.message) == german
