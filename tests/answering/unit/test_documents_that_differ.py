"""Values of a text, when two statements differ, and which sentence ranks two documents."""

import pytest

from answering.differing.akin import share_a_name
from answering.differing.asking import Asking
from answering.differing.bearers import siblings
from answering.differing.compare import Excerpt, Statement, difference
from answering.differing.governs import Place, governing
from answering.differing.instruments import of_other_contracts
from answering.differing.sides import differing
from answering.extractive.candidates import Passage, candidates
from answering.extractive.usual_words import asked_matters
from english.values import values_in
from providers.minilm.loaded import local_embedder

KEPT = "12.2 The Supplier shall keep each backup for 35 days and no longer."


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (KEPT, [("duration", "35 days")]),
        ("thirty (30) days' written notice under clause 12.2", [("duration", "thirty (30) days")]),
        (
            "EUR 2 million, or 15 % from 3 February 2025",
            [("amount", "EUR 2 million"), ("percent", "15 %"), ("date", "3 February 2025")],
        ),
        ("twice a year; within one hour", [("frequency", "twice a year"), ("duration", "one hour")]),
        ("clause 12.2, ISO 27001, priority 1, B2 and pages 4", []),
        ("3.2 A notice under clauses 15.3, 15.4 and 17.2 of Unit 4", []),
        ('Replaced by "8.1 The cap is £400,000."', [("amount", "£400,000")]),
        ("A company with number 04417722, of 9 Canal Street, Leeds", []),
        ("4.", []),
        ("In the first nine months of fiscal year 2023 we returned it", []),
        ("In the first nine months of the lease", [("duration", "nine months")]),
        ("made between (1) Acme and (2) Brandt", []),
        ("closes at 5 pm in June 2032", [("time", "5 pm"), ("date", "June 2032")]),
    ],
)
def test_values_of_a_text(text: str, values: list[tuple[str, str]]) -> None:
    assert [(value.kind, text[value.start : value.end]) for value in values_in(text)] == values


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("within 24 hours", "within one day"),
        ("for twelve months", "for one year"),
        ("for one month", "for 30 days"),
        ("EUR 1.5 million", "1,500,000 euros"),
        ("30 cents", "0.30 EUR"),
        ("half an hour", "30 minutes"),
        ("3 February 2025", "3 February"),
        ("30 April 2026", "end of April 2026"),
        ("15:00", "three in the afternoon"),
        ("12:00", "noon"),
        ("1,200 mg", "1.2 g"),
        ("two kilometres", "2,000 m"),
        ("5 kilowatt hours", "5,000 Wh"),
        ("30 square metres", "30 m²"),
        ("45 m2", "45 m²"),
        ("47 pence", "0.47 GBP"),
        ("29.8 cents per kilowatt hour", "0.298 EUR/kWh"),
    ],
)
def test_the_same_in_other_units(one: str, other: str) -> None:
    (a,), (b,) = values_in(one), values_in(other)
    assert a.kind == b.kind
    assert a.same_as(b)
    assert b.same_as(a)


def test_numbers_of_paragraphs_are_no_figures() -> None:
    assert [value.kind for value in values_in("§6 and § 12 say 180 euros")] == ["amount"]


def differ(question: str, one: str, other: str) -> str:
    mine, theirs = Excerpt(title="Agreement", text=one), Excerpt(title="Questionnaire", text=other)
    found = difference(Asking(question), Statement(mine), Statement(theirs))
    return f"{one[slice(*found.one)]} / {other[slice(*found.other)]}" if found else ""


CATS = (
    "Cats may not be kept in the flats.",
    "Cats may be kept as long as nobody is disturbed; dogs must not be.",
)
SUBCONTRACTORS = ("The Supplier may use subcontractors.", "Subcontractors may not be used.")


@pytest.mark.parametrize(
    ("question", "one", "other", "values"),
    [
        ("How long are backups kept?", KEPT, "Nightly backups are kept for 90 days.", "35 days / 90 days"),
        (
            "How long are backups kept?",
            "Backups are kept for 1 day.",
            "Backups are kept for 90 days.",
            "1 day / 90 days",
        ),
        (
            "What is the limit of liability?",
            "The total liability is limited to £50,000.",
            "The total liability is limited to £5,000,000.",
            "£50,000 / £5,000,000",
        ),
        (
            "At what time is the weekly meeting?",
            "The weekly meeting is held on Tuesday at 10:00.",
            "The weekly meeting is held on Thursday at 14:00.",
            "10:00 / 14:00",
        ),
        (
            "How soon is a breach reported?",
            "Breaches are reported within 24 hours.",
            "We report a breach within 72 hours.",
            "24 hours / 72 hours",
        ),
        (
            "Where is customer data stored?",
            "Customer data is stored in Frankfurt.",
            "We store customer data in Leeds.",
            "Frankfurt / Leeds",
        ),
        (
            "What is the response time?",
            "The response time is reduced from 12 hours to 8 hours.",
            "The response time is 12 hours.",
            "8 hours / 12 hours",
        ),
        (
            "What is the salary?",
            "The salary is USD 90,000 per year.",
            "The salary is USD 95,000 a year.",
            "USD 90,000 / USD 95,000",
        ),
        (
            "How long is customer data kept?",
            "Customer data is kept for 30 days.",
            "The Supplier keeps Customer Data for 35 days.",
            "30 days / 35 days",
        ),
        (
            "What is liability capped at?",
            "Liability shall not exceed $5 million.",
            "Liability is capped at $2 million.",
            "$5 million / $2 million",
        ),
        (
            "What is the governing law?",
            "7.1 This Agreement is governed by the law of England and Wales.",
            "7.1 This Agreement is governed by the law of Germany.",
            "England and Wales / Germany",
        ),
        (
            "How much notice must be given?",
            "Either party gives 180 days' notice.",
            "The words “180 days” in clause 9.2 are replaced by “90 days” of notice.",
            "180 days / 90 days",
        ),
        ("May subcontractors be used?", *SUBCONTRACTORS, " / ".join(SUBCONTRACTORS)),
        (
            "How many requests a minute may be made?",
            "Each key may make 600 requests per minute, then error 429 comes.",
            "Each key is slowed down after 100 calls a minute.",
            "600 / 100",
        ),
        (
            "How late can a booking be cancelled?",
            "Bookings can be cancelled up to 14 days before departure.",
            "The money is paid back if notice is given not later than 30 days before departure.",
            "14 days / 30 days",
        ),
        (
            "What does the hall cost?",
            "Large hall, ten hours: 1,450.",
            "The large hall costs 1,650 euros.",
            "1,450 / 1,650 euros",
        ),
        (
            "How fast is delivery?",
            "Delivery takes 5 working days.",
            "Delivery takes three weeks.",
            "5 working days / three weeks",
        ),
        (
            "When do applications close?",
            "Applications close on 15 January.",
            "Applications are taken until the end of February.",
            "15 January / end of February",
        ),
        (
            "How soon must a loss be reported to the insurer?",
            "The Policyholder reports a loss within five days.",
            "A loss is reported within 30 days.",
            "five days / 30 days",
        ),
        (
            "Which courts decide?",
            "Place of jurisdiction is Oslo.",
            "The contract names the courts of Hamburg.",
            "Oslo / Hamburg",
        ),
        ("May cats be kept?", *CATS, " / ".join(CATS)),
    ],
)
def test_different_answers(question: str, one: str, other: str, values: str) -> None:
    assert differ(question, one, other) == values


CLAUSE = "3.1 The Tenant may end this Lease by giving six months' notice."


@pytest.mark.parametrize(
    "change",
    [
        'In clause 3.1 of the Lease the words "six months\'" are replaced by "nine months\'".',
        "For “six months’” in clause 3.1 of the Lease there is substituted “nine months'”.",
        'In section 3.1, "six months\' notice" is deleted and "nine months\' notice" is inserted.',
        'The reference in clause 3.1 to "six months" is to be read as "nine months".',
    ],
)
def test_words_that_an_amendment_replaces_are_set_against_the_new_ones(change: str) -> None:
    """Though it says nothing of what they are about."""
    found = difference(
        Asking("How much notice must the Tenant give?"),
        Statement(Excerpt(title="Lease", text=CLAUSE)),
        Statement(Excerpt(title="Deed of variation", text=change)),
    )
    assert found is not None
    assert found.bound
    assert CLAUSE[slice(*found.one)].startswith("six months")
    assert change[slice(*found.other)].startswith("nine months")


def test_sums_in_two_currencies_are_not_set_against_each_other() -> None:
    deposit = "The Tenants shall pay a deposit of £1,136."
    assert differ("How much is the deposit?", deposit, "The deposit that each tenant pays is £150.")
    assert not differ("How much is the deposit?", deposit, "The deposit at banks is $332,160.")


def test_what_another_party_is_asked_about_is_not_set_against_it() -> None:
    change = 'In clause 3.1 of the Lease the words "six months\'" are replaced by "nine months\'".'
    assert differ("How much notice must the Landlord give?", CLAUSE, change) == ""


def test_words_of_another_clause_are_not_set_against_it() -> None:
    other = 'In clause 4.2 of the Lease the words "six months\'" are replaced by "nine months\'".'
    assert differ("How much notice?", CLAUSE, other) == ""


TERMS = (
    'In this Lease "Break Date" means 31 March 2026; "Term" means from and including 1 April 2021 to and '
    "including 31 March 2031."
)


@pytest.mark.parametrize(
    ("question", "clause", "change", "values"),
    [
        (
            "When does the lease end?",
            TERMS,
            "2.6 The Term ends on 31 March 2034.",
            "31 March 2031 / 31 March 2034",
        ),
        (
            "What is the break date?",
            TERMS,
            'The definition of Break Date is replaced by "Break Date" means 31 March 2028.',
            "31 March 2026 / 31 March 2028",
        ),
        (
            "When does the lease expire?",
            "3.1 The lease starts on 1 April 2022 and expires on 31 March 2025.",
            "3. The expiry date of the lease is moved from 31 March 2025 to 31 March 2027.",
            "31 March 2025 / 31 March 2027",
        ),
        (
            "What is the minimum quantity?",
            '"Minimum Quantity" means 1,800,000 bottles in each year.',
            "The Minimum Quantity is increased to 2,400,000 bottles in each year.",
            "1,800,000 / 2,400,000",
        ),
    ],
)
def test_what_an_amendment_says_of_a_term_is_set_against_its_definition(
    question: str, clause: str, change: str, values: str
) -> None:
    mine = Excerpt(title="Lease of Mill House", text=clause)
    theirs = Excerpt(title="Deed of Variation", text=change, changes=("Lease of Mill House",))
    found = difference(Asking(question), Statement(mine), Statement(theirs))
    assert found is not None
    assert found.bound
    assert f"{clause[slice(*found.one)]} / {change[slice(*found.other)]}" == values
    other = Excerpt(title="Tender of Acme", text=clause)
    assert difference(Asking(question), Statement(other), Statement(theirs)) is None, "it changes no tender"


def test_what_is_changed_in_a_contract_is_not_set_against_another_contract() -> None:
    clause = Excerpt(title="Lease of Mill House", text="4.2 The notice is three months.")
    change = 'In clause 4.2 of the Loan the words "three months" are replaced by "one month".'
    theirs = Excerpt(title="Amendment", text=change)
    assert difference(Asking("How long is the notice?"), Statement(clause), Statement(theirs)) is None


@pytest.mark.parametrize(
    ("question", "clause", "change", "values"),
    [
        (
            "How much notice must the tenant give?",
            "Either side may end the tenancy by two months' notice.",
            "4. The notice under clause 8 is one month instead of two months.",
            "two months / one month",
        ),
        (
            "How much is the hire charge?",
            "The hire charge is £3,450 per week.",
            "2. From March the hire charge is £3,100 per week rather than £3,450.",
            "£3,450 / £3,100",
        ),
    ],
)
def test_what_a_letter_says_instead_is_set_against_the_clause(
    question: str, clause: str, change: str, values: str
) -> None:
    mine = Excerpt(title="Tenancy", text=clause, clause="8")
    theirs = Excerpt(title="Letter", text=change, changes=("Tenancy",))
    found = difference(Asking(question), Statement(mine), Statement(theirs))
    assert found is not None
    assert found.bound
    assert f"{clause[slice(*found.one)]} / {change[slice(*found.other)]}" == values


def test_an_exception_is_set_against_the_clause_that_forbids() -> None:
    mine = Excerpt(title="Tenancy", text="The Tenants shall not keep any animal.", clause="5")
    theirs = Excerpt(title="Letter", text="In spite of clause 5 you may keep one cat.", changes=("Tenancy",))
    found = difference(Asking("May the tenants keep a pet?"), Statement(mine), Statement(theirs))
    assert found is not None
    assert found.said
    places = [Place(title=each.title, text=each.text, clause=each.clause) for each in (mine, theirs)]
    exception = Place(title="Letter", text=theirs.text, changes=("Tenancy",))
    assert governing(places, [exception]) == 0


def test_documents_of_one_matter_share_a_name() -> None:
    lease = "Lease\nMade between Garrowby Estates and Owen Treharne"
    assert share_a_name(lease, "Dear Mr Treharne, the Landlord writes to you.")
    assert not share_a_name(lease, "Professional indemnity policy\nInsured: Larkfield Surveyors in England")
    assert share_a_name(lease, "Rules for tenants\nKeep the hall clean."), "it names nobody"
    assert not share_a_name("Kept in Oban", "Kept in Mallaig")
    assert share_a_name("Kept in Oban", "Kept in Mallaig", frozenset({"oban", "mallaig"})), "the answers"


def test_a_list_of_guests_names_nobody_who_was_replaced() -> None:
    new = "Ann Lee replaces Bo Hill as service manager."
    assert differ("Who is the service manager?", "Table 3 seats Bo Hill and two others.", new) == ""


def test_a_figure_that_is_the_same_by_chance_makes_no_change_of_another_thing() -> None:
    """Both are shown only if both are on what is asked, as of any two documents."""
    new = Excerpt(title="Amendment", text="The notice period was shortened from 30 days to 14 days.")
    bills = Excerpt(title="Terms", text="Invoices are payable within 30 days.")
    found = difference(Asking("How long is the notice period?"), Statement(new), Statement(bills))
    assert found is None or not found.said


def test_a_sum_that_was_changed_is_not_set_against_another_sum() -> None:
    rent = "In clause 3.1 the yearly rent of GBP 48,000 is replaced by GBP 52,800."
    deposit = "The Tenant shall pay a deposit of GBP 12,000 before the keys are handed over."
    assert differ("How much is the deposit?", deposit, rent) == ""
    before = "The Tenant shall pay a yearly rent of GBP 48,000."
    assert differ("How much is the rent?", before, rent) == "GBP 48,000 / GBP 52,800"


def test_who_replaces_somebody_is_set_against_him() -> None:
    manager = "8.1 The Supplier appoints Bo Hill as service manager."
    new = "From the Amendment Date Ann Lee replaces Bo Hill as service manager in clause 8.1."
    assert differ("Who is the service manager?", manager, new) == "Bo Hill / Ann Lee"


def test_what_was_reduced_is_set_against_what_it_was() -> None:
    row = "Severity 2: first response 1 hour, target repair 12 hours."
    new = "The target repair time for severity 2 is reduced from 12 hours to 8 hours."
    assert differ("How soon is severity 2 repaired?", row, new) == "12 hours / 8 hours"


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (
            ("Report", "This Award Agreement is governed by the law of Ohio."),
            ("Deed", "This Deed is under Scots law."),
            True,
        ),
        (
            ("Supply of Glass Agreement", "This Agreement ends in May."),
            ("Contract of Employment", "The contract ends in June."),
            True,
        ),
        (
            ("Lease of Unit 4", "This Lease is under English law."),
            ("Deed of Variation of the Lease", "This Deed is under Scots law."),
            False,
        ),
        (
            ("Lease of Unit 4", "This Lease is under English law."),
            ("Amendment to the Loan Agreement", "This Amendment is under Scots law."),
            True,
        ),
        (
            ("Agreement with Brandt", "This Agreement ends in May."),
            ("Brandt contract", "This contract ends in June."),
            False,
        ),
        (
            ("Services agreement", "Data is kept for 35 days."),
            ("Contract of Employment", "This contract ends in June."),
            False,
        ),
    ],
)
def test_what_each_contract_says_of_itself_differs_from_no_other_contract(
    one: tuple[str, str], other: tuple[str, str], apart: bool
) -> None:
    assert of_other_contracts(one, other) == of_other_contracts(other, one) == apart


def test_each_document_has_a_date_and_parties_of_its_own() -> None:
    assert all(matter.own for matter in asked_matters("When was the lease signed?"))
    assert all(matter.own for matter in asked_matters("Who are the parties to the contract?"))
    assert not any(matter.own for matter in asked_matters("Which law governs the lease?"))


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How long are backups kept?", KEPT, "Backups are kept for five weeks."),
        ("How long are backups kept?", KEPT, "Until 2023 backups were kept for 90 days."),
        ("How much uptime?", "Uptime is at least 99.5 %.", "Uptime was 99.9 %."),
        ("What is the response time?", "Priority 1: response time 1 hour.", "P2: response time 4 hours."),
        ("What notice is given?", "The Customer gives 30 days' notice.", "The Supplier gives 90 days."),
        ("What was revenue?", "In 2021 revenue was $4.1 million.", "In 2022 revenue was $5.2 million."),
        ("How much is the rent?", "The rent is EUR 1,200 per month.", "The rent is EUR 1,200.00 a month."),
        ("How much is the rent?", "The rent is EUR 500 per month.", "The monthly rent is EUR 500."),
        ("What is the fee?", "The fee is $500 per user per month.", "The annual fee is $6,000 per user."),
        ("How high is the rate?", "The rate is 1 % per month.", "The rate is 12 % per annum."),
        ("How much is the fee?", "The fee is 1.200,50 EUR.", "The fee is 1 200 EUR."),
        ("How long does delivery take?", "Delivery takes 2 to 5 days.", "Delivery takes 3 days."),
        ("How long does delivery take?", "Delivery takes between 2 and 5 days.", "Delivery takes 3 days."),
        ("Can I cancel?", "You can cancel not only at year end.", "You can cancel at any time."),
        (
            "When is the charge payable?",
            "The charge is payable if it failed in three of the twelve months before the notice.",
            "The charge is payable within six months.",
        ),
        ("What notice is given?", "The notice is 30 days.", "Most contracts end at six months' notice."),
        ("What do I pay for the pension?", "You pay 5 % of your pay.", "The employer's contribution is 9 %."),
        (
            "What is the cap?",
            "14.4 The cap for a breach of clause 11 is £2,000,000.",
            '3.1 Clause 14.3 is deleted and replaced with: "14.3 The cap for all else is £750,000."',
        ),
        ("When does the work begin?", "Work begins on 4 May 2026.", "Work ends on 28 August 2026."),
        ("How many beds are there?", "Ward 3 has 24 beds.", "Ward 5 has 30 beds."),
        ("What is the rent?", "The hall is £450 on Saturdays.", "From Monday to Thursday the hall is £280."),
        ("How high is the budget?", "The spring budget is £45,000.", "The autumn budget is £38,000."),
        ("How high is the budget?", "The budget is £45,000.", "A budget of £55,000 was proposed."),
        ("How fast is delivery?", "Delivery takes 5 working days.", "Delivery takes seven days."),
        ("How high is the pay?", "The gross pay is EUR 3,000.", "The net pay is EUR 2,100."),
        ("How many installations?", "It may run on two devices.", "It covers 120 installations."),
        ("Are subcontractors used?", "It uses subcontractors.", "It is not liable for subcontractors."),
        ("How much is the deposit?", "The deposit is £20,000.", "The deposit goes up by £5,000."),
        ("How much is the deposit?", "You pay a deposit of £900.", "You pay an additional deposit of £150."),
        (
            "Is a dividend paid for the year to 31 March 2025?",
            "A dividend is paid for the year that ends on 31 March 2025.",
            "On 4 May 2023 a dividend is paid.",
        ),
    ],
)
def test_no_different_answers(question: str, one: str, other: str) -> None:
    assert differ(question, one, other) == ""


def test_a_version_of_a_document_is_no_other_thing() -> None:
    assert siblings("Facility letter, Marlin Bank", "Facility letter, Tamar Bank")
    assert siblings("Exam timetable, winter", "Exam timetable, summer")
    assert siblings("Travel policy, single trip", "Travel policy, annual")
    assert siblings("Hall brochure", "Hall brochure, concerts")
    assert siblings("Survey report", "Follow-up survey report")
    assert not siblings("Password policy v2", "Password policy v3")
    assert not siblings("Supply Plan", "Supply plan")
    assert not siblings("Hollis on sleep, preprint", "Hollis on sleep, press release")
    assert not siblings("Master services agreement", "Security questionnaire")


def test_the_sentence_that_names_the_other_document_ranks_the_two() -> None:
    both = [Place(title="Agreement", text=KEPT), Place(title="Security questionnaire", text="90 days.")]
    sentences = [
        Place(title="Agreement", text="If clauses conflict, the later clause prevails."),
        Place(title="Agreement", text="This Agreement prevails over a questionnaire."),
        Place(title="Elsewhere", text="This prevails over every questionnaire."),
    ]
    assert governing(both, sentences) == 1
    assert governing(both, sentences[2:]) is None


def test_a_sentence_that_names_two_documents_ranks_no_others() -> None:
    ranks = Place(title="Deed of variation", text="If this Deed and the Lease conflict, this Deed prevails.")
    deed = Place(title="Deed of variation", text="The rent is £91,500 a year.")
    assert governing([Place(title="Lease of Unit 4", text="The rent is £84,000."), deed], [ranks]) == 0
    assert governing([Place(title="Letter to landlord", text="Our rent is £80,000."), deed], [ranks]) is None
    award = Place(title="2023 Q1", text="This Award Agreement is governed by the law of Ohio.")
    assert governing([award, deed], [ranks]) is None


def test_what_replaces_a_thing_ranks_nothing() -> None:
    both = [Place(title="Supply agreement", text="14 cents."), Place(title="Offer", text="16 cents.")]
    bottles = Place(title="Supply agreement", text="The Seller shall replace any bottle that is cracked.")
    assert governing(both, [bottles]) is None
    assert governing(both, [Place(title="Offer", text="It replaces all earlier agreements.")]) == 0


def test_an_amendment_ranks_the_clause_that_it_replaces() -> None:
    both = [Place(title="Agreement", text=KEPT), Place(title="Amendment", text="It is kept for 20 days.")]
    sentences = [
        Place(title="Amendment", text="Clause 14.3 of the Agreement is replaced by the following."),
        Place(title="Amendment", text="Clause 12.2 is deleted and replaced by the following."),
    ]
    assert governing(both, sentences) == 1
    assert governing(both, sentences[1:]) == 0
    assert governing(both, sentences[:1]) is None


def test_an_amendment_that_replaces_a_person_ranks_only_who_it_is() -> None:
    new = "Ann Lee replaces Bo Hill as the Supplier's service manager in clause 8.1 of the Agreement."
    sentences = [Place(title="Amendment No. 1", text=new)]
    amended = Place(title="Amendment No. 1", text="The Supplier's service credit is 5 %.")
    credit = Place(
        title="Agreement", text="9.1 The Supplier's service manager grants a service credit of 4 %."
    )
    assert governing([amended, credit], sentences) is None
    manager = Place(title="Agreement", text="8.1 The Supplier's service manager is Bo Hill.")
    assert governing([amended, manager], sentences) == 0


def test_a_figure_of_the_year_that_the_other_document_is_of_is_of_its_time() -> None:
    mine = Excerpt(title="Annual report 2024", text="Losses through leaks came to 7.2 per cent.")
    theirs = Excerpt(title="Reply", text="In 2024 losses through leaks were eleven per cent.")
    assert difference(Asking("How much is lost?"), Statement(mine), Statement(theirs))


@pytest.mark.parametrize(
    ("question", "one", "other", "sure"),
    [
        (
            "How many patients were in the study?",
            "We enrolled 412 adults with newly diagnosed sleep apnoea at six clinics.",
            "The researchers enrolled 438 adults whose sleep apnoea had just been found at six clinics.",
            True,
        ),
        (
            "How many days of annual leave do employees get?",
            "Full-time employees have 28 days of annual leave.",
            "Full pay goes on for 20 days of illness in a year.",
            False,
        ),
    ],
)
def test_sentences_as_near_to_the_question_as_each_other_need_none_of_its_words(
    question: str, one: str, other: str, sure: bool
) -> None:
    parts = [
        candidates([Passage(key=title, document=title, text=text, score=0.5)])[0]
        for title, text in (("Preprint", one), ("Press release", other))
    ]
    sides = differing(question, [(parts[0], parts[1])], local_embedder(), lambda *_: True)
    assert bool(sides and sides.sure) == sure


def test_what_asks_for_cases_asks_for_no_figure() -> None:
    assert not Asking("When is no early termination charge payable?").wanted
    assert not Asking("Under which conditions does the charge fall due?").wanted
    assert "duration" not in Asking("What is the early termination charge?").wanted
    assert "duration" in Asking("When is the early termination charge payable?").wanted


def test_what_kind_of_value_a_question_plainly_asks_for() -> None:
    assert Asking("How long are backups kept?").asks_for("duration")
    assert Asking("Who is the manager?").asks_for("name")
    assert not Asking("What must suppliers do?").asks_for("duration")
    assert not Asking("Who is the manager?").asks_for("polarity")


def test_of_a_row_only_its_label_and_the_cell_of_the_value_are_on_the_matter() -> None:
    row = "Staff leave\tMost end at six months' notice\tEarly charges in new contracts"
    start = row.index("six months")
    told = Statement(Excerpt(title="Report", text=row)).told_with(start, start + len("six months"))
    assert told.split() == ["Staff", "leave", "Most", "end", "at", "six", "months'", "notice"]


def test_notice_against_a_renewal_is_on_the_matter() -> None:
    """Though it stands far behind the word."""
    text = (
        "It renews for successive periods of twelve months, unless a party gives the other 90 days' notice."
    )
    (renewal,) = asked_matters("What notice stops the renewal?")
    start = text.index("90 days")
    assert renewal.is_said_of(text, start, start + 7)
    later = text.replace("notice", "rent")
    assert not renewal.is_said_of(f"{later} And so on for a while.", start + 40, start + 42)


def test_words_that_only_sound_like_a_ranking_rank_nothing() -> None:
    both = [Place(title="Leave policy", text="25 days."), Place(title="Travel policy", text="30 days.")]
    assert governing(both, [Place(title="Leave policy", text="This policy supersedes all versions.")]) is None
    both = [Place(title="Warranty", text="2 years."), Place(title="Agreement", text="3 years.")]
    assert governing(both, [Place(title="Warranty", text="Parts are replaced under the Agreement.")]) is None


def test_a_party_that_the_clauses_call_by_its_role_is_no_missing_word() -> None:
    """And before or after an amendment is asked for both times."""
    asked = Asking("How much notice must Hallowmere give to end it, before and after the amendment?")
    clause = "The Customer may end this Agreement by giving the Supplier 180 days' written notice."
    assert asked.covered(clause) == 1
    assert asked.covered("The Supplier may end it.") == 0.5
    assert Asking("Does Hallowmere give notice?").covered("Hallowmere Foods sells tea.") == 0.5


def test_a_notice_under_a_clause_as_amended_ranks_nothing() -> None:
    clause = Place(title="agreement", text="15.2 The Customer may end this by 180 days' notice.")
    change = Place(
        title="amendment", text='2.1 Clause 15.2 of the Agreement is deleted and replaced with "90 days".'
    )
    notice = Place(title="amendment", text="We give notice under clause 15.2 of the Agreement, as amended.")
    assert governing([clause, change], [notice]) is None
    assert governing([clause, change], [notice, change]) == 1


def test_a_name_that_is_a_word_too_is_no_missing_word_either() -> None:
    asked = Asking("How much notice must Summit Trade give?")
    assert asked.covered("The Customer gives 90 days' notice.") == 1


def test_who_somebody_is_asks_for_no_date() -> None:
    assert Asking("Who is the landlord?").wanted == frozenset()
    assert "date" in Asking("Who reported the leak, and when?").wanted


def test_where_somebody_is_is_not_told_by_the_name_alone() -> None:
    asked = Asking("Where is Halden headquartered?")
    assert asked.names_matter("Halden has its headquarters in Leeds.")
    assert not asked.names_matter("Ann Lee works for Halden in Bath.")
    assert asked.names_matter("Halden is a company headquartered in Leeds.")
    question, one, other = "Where is Halden?", "Halden sits in Leeds.", "She is at Halden Labs in the north."
    assert differ(question, one, other) == ""


def test_a_count_without_its_noun_is_set_against_none_that_has_it() -> None:
    assert (
        differ("In how many countries is it?", "It is in 175 countries.", "It stands in note 1, or 3.") == ""
    )
