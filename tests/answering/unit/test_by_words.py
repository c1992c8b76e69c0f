"""Questions in other languages than English: which sentence of small contracts comes first."""

import pytest

from answering.extractive.by_words import language_asked_in, ranked_by_words
from answering.extractive.candidates import Candidate, Passage, candidates

SERVICES = """§ 2 Vergütung

Der Auftraggeber zahlt eine monatliche Vergütung von 18.500 Euro. Rechnungen sind binnen 30 Tagen zu zahlen.

§ 3 Laufzeit und Kündigung

Der Vertrag beginnt am 1. April 2025 und läuft bis zum 31. März 2028. Er kann von jeder Partei mit einer
Frist von sechs Monaten zum Ende eines Kalenderjahres schriftlich gekündigt werden.

Das Recht zur Kündigung aus wichtigem Grund bleibt unberührt.

§ 5 Vertragsstrafe

Gerät der Auftragnehmer in Verzug, so zahlt er für jede Woche eine Vertragsstrafe von 4.000 Euro.

§ 6 Datenschutz

Der Auftragnehmer muss eine Verletzung des Schutzes personenbezogener Daten innerhalb von 24 Stunden melden.

§ 7 Gerichtsstand

Gerichtsstand ist Hamburg. Es gilt deutsches Recht."""
LEASE = """租赁期限为三年，自2025年3月1日起至2028年2月29日止。

月租金为人民币八千五百元，承租方应当于每月五日前支付。

承租方应当支付押金人民币一万七千元。合同终止后三十日内退还押金。

任何一方解除合同，应当提前六十日书面通知对方。"""
BAIL = """Le bail prend effet le 1er mars 2025. Il est conclu pour une durée de neuf ans.

Le loyer annuel est fixé à 24 000 euros. Le dépôt de garantie correspond à trois mois de loyer.

Le preneur peut résilier le bail avec un préavis de six mois."""


def parts(text: str, title: str) -> list[Candidate]:
    return candidates([Passage(key="c1", document=title, text=text, score=0.3)])


@pytest.mark.parametrize(
    ("question", "text", "first"),
    [
        ("Wie lang ist die Kündigungsfrist?", SERVICES, "sechs Monaten"),
        ("Wie hoch ist die monatliche Vergütung?", SERVICES, "18.500 Euro"),
        ("Wann beginnt der Vertrag?", SERVICES, "1. April 2025"),
        ("Wie hoch ist die Vertragsstrafe?", SERVICES, "4.000 Euro"),
        ("Bis wann müssen Datenschutzverletzungen gemeldet werden?", SERVICES, "24 Stunden"),
        ("Welches Gericht ist zuständig?", SERVICES, "Gerichtsstand ist"),
        ("月租金是多少？", LEASE, "八千五百元"),
        ("租赁期限是多长？", LEASE, "三年"),
        ("解除合同需要提前多少天通知？", LEASE, "六十日"),
        ("押金什么时候退还？", LEASE, "三十日内"),
        ("Quel est le montant du loyer annuel ?", BAIL, "24 000 euros"),
        ("Quel est le préavis de résiliation ?", BAIL, "six mois"),
    ],
)
def test_the_sentence_that_answers_comes_first(question: str, text: str, first: str) -> None:
    there = parts(text, "Vertrag")
    language = language_asked_in(question, there)
    assert language
    assert first in ranked_by_words(question, language, there)[0].text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wer ist der Versicherer?", SERVICES),
        ("Wie hoch sind die Fahrtkosten nach München?", SERVICES),
        ("保险公司是哪一家？", LEASE),
    ],
)
def test_what_no_sentence_speaks_of_is_answered_by_none(question: str, text: str) -> None:
    there = parts(text, "Vertrag")
    assert ranked_by_words(question, language_asked_in(question, there), there) == []


def test_an_english_question_is_none_of_these_nor_one_to_documents_in_another_language() -> None:
    assert language_asked_in("What is the notice period?", parts(SERVICES, "Vertrag")) == ""
    english = parts("The Tenant shall pay the rent on the first day of each month to the Landlord.", "Lease")
    assert language_asked_in("Wie hoch ist die Miete?", english) == ""
