"""Does a quote carry its claim? Green must be true, and every refusal must name what differs."""

import cProfile
import time

import pytest

from citations.support import check_support

QUOTE = "The Supplier shall keep backups for 30 days and pay a fine of 180,000 euros under clause 7.2."


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The Supplier shall keep backups for 30 days", QUOTE),
        ("the **supplier** must keep\nbackups for thirty days.", QUOTE),
        ("The Supplier has to keep its backups for 30 days (see clause 9.4 and section 12).", QUOTE),
        ("The Supplier shall pay a fine of €180000.", QUOTE),
        ("Revenue rose 5 percent in 2021.", "In 2021, revenue increased 5%."),
        ("The company wasn't able to repay its loans.", "The company was unable to repay its loans."),
        ("Microsoft was bought by Nokia.", "Nokia purchased Microsoft."),
        ("Nokia bought Microsoft.", "Microsoft was bought by Nokia."),
        (
            "Give notice at least thirty days before renewal.",
            "Give notice no less than 30 days prior to renewal.",
        ),
        ("Net sales were $4 million in 2020.", "Net sales were $5 million in 2021 and $4 million in 2020."),
        ("Cash was $1.5 billion on 1 July 2021.", "As of July 1, 2021, cash was $1,500,000,000."),
        ("Cash was about $1.2 billion.", "Cash was $1,234 million."),
        (
            "Sales for the quarter ended July 1 were $9 million.",
            "Sales for the three months ended July 1 were $9 million.",
        ),
        ("Subscriptions and services grew.", "Services and subscriptions grew."),
        ("Net income was 18,765 in the second quarter.", "\tQ1\tQ2\nNet income\t16,425\t18,765"),
        ("According to the report, sales rose.", "Sales rose."),
        ("It's labour that we don't pay for.", "It is labor that we do not pay for."),
        ("Costs rise if demand falls.", "If demand falls, costs rise."),
        ("A log shall be kept by it.", "It shall keep a log."),
        ("Net sales for 2024 were $5 million.", "Net sales were $5 million in 2024."),
        (
            "The R&D charge was approx. $2 million in the US.",
            "The research and development charge was approximately $2 million in the U.S.",
        ),
        ("Borrowings are repaid in May.", "Borrowings, which bear interest, are repaid in May."),
        ("The keys are replaced yearly.", "Keys are held in Gateshead and replaced yearly."),
        (
            "Sixty days",
            "The Customer may terminate this Agreement on not less than sixty (60) days' written notice.",
        ),
        ("Some dogs bark.", "Dogs bark."),
        ("The tenant shall not keep cats.", "The tenant shall not keep dogs or cats."),
        ("From 1969 to 1985, Leeds was rich.", "Leeds was rich from 1969 to 1985."),
        (
            "The town has over 2000 years of history in financial year 2020.",
            "The town has over 2,000 years of history in fiscal year 2020.",
        ),
    ],
)
def test_a_faithful_restatement_is_supported(claim: str, quote: str) -> None:
    check = check_support(claim, quote)
    assert (check.support, check.reason) == ("supported", "")
    assert all(each.passed for each in check.checks)


@pytest.mark.parametrize(
    ("claim", "quote", "named"),
    [
        ("Backups are kept for 31 days.", "Backups are kept for 30 days.", ("31", "30")),
        ("able to repay its loans", "The company was unable to repay its loans.", ("unable",)),
        ("Revenue fell in 2021.", "Revenue increased in 2021.", ("fell", "increased")),
        ("Revenue did not rise.", "Revenue rose.", ("not",)),
        ("The fee is refunded.", "The fee is not refunded.", ("not",)),
        ("The tenant must pay.", "The tenant may pay.", ("must", "may")),
        ("The fine is $5 billion.", "The fine is $5 million.", ("$5 billion", "$5 million")),
        ("The fine is €5 million.", "The fine is $5 million.", ("€5 million", "$5 million")),
        ("Margin rose 5 percentage points.", "Margin rose 5%.", ("5 percentage points", "5%")),
        (
            "Notice is due at most 30 days before.",
            "Notice is due at least 30 days before.",
            ("at most", "at least"),
        ),
        ("Payment is due after delivery.", "Payment is due before delivery.", ("after", "before")),
        ("Some employees have a pension.", "All employees have a pension.", ("Some", "All")),
        ("Employees have a pension.", "Some employees have a pension.", ("Some",)),
        ("Employees may leave.", "Only employees may leave.", ("Only",)),
        ("Sales were $5 million.", "Sales were approximately $5 million.", ("approximately",)),
        ("The company grew.", "The company expects to grow.", ("expects",)),
        ("Boeing made a profit.", "Airbus alleges that Boeing made a profit.", ("alleges",)),
        ("Payment is due in May.", "Payment is due in May unless the parties agree otherwise.", ("unless",)),
        ("Payment is due in May.", "Subject to clause 4, payment is due in May.", ("Subject to",)),
        ("The lessee shall pay the lessor.", "The lessor shall pay the lessee.", ("lessee", "pay")),
        ("Microsoft bought Apple.", "Microsoft bought Nokia.", ("Apple",)),
        (
            "Sales were $4 million in 2021.",
            "Sales were $5 million in 2021 and $4 million in 2020.",
            ("$4 million", "2020"),
        ),
        ("Sales in fiscal year 2022 were $9.", "Sales in fiscal year 2021 were $9.", ("2022", "2021")),
        ("Funds were moved from Leeds.", "Funds were moved to Leeds.", ("from Leeds", "to Leeds")),
        ("Cash and bonds were sold.", "Cash or bonds were sold.", ("and", "or")),
        ("Sales rose in Germany.", "Sales rose.", ("Germany",)),
        ("Sales rose and costs fell.", "Sales rose.", ("costs",)),
        (
            "Net income was 16,425 in the second quarter.",
            "\tQ1\tQ2\nNet income\t16,425\t18,765",
            ("16,425", "first"),
        ),
        ("Creditors were 6.1.", "\t2025\nCreditors\t(6.1)", ("6.1",)),
        ("Costs fell although prices rose.", "Costs fell because prices rose.", ("although", "because")),
        ("Fees are paid.", "Fees were paid.", ("are", "were")),
        ("He was paid.", "She was paid.", ("he", "she")),
        ("The house is described above.", "The house is described below.", ("above", "below")),
        ("Other income (expense) was 118.", "\t2024\nOther income (expense)\t(118)", ("118", "(118)")),
        (
            "Mary Barton praised Charles Dickens.",
            "Charles Dickens praised Mary Barton.",
            ("Barton", "praised"),
        ),
        ("Gains (gains) are recognized.", "Gains (losses) are recognized.", ("gains", "losses")),
        ("Did sales rise?", "Sales rose.", ("question",)),
        ("Sales rose to 12% of costs.", "Sales rose 12% on costs.", ("to 12%",)),
        ("Boeing made a loss.", "Airbus suspects that Boeing made a loss.", ("suspects that",)),
        ("Glass is a liquid.", "It is false that glass is a liquid.", ("false",)),
        ("If prices fall, demand falls.", "If demand falls, prices fall.", ("If",)),
        ("The plan is exclusive and open.", "The plan is non-exclusive and open.", ("non",)),
        ("The firm is not liable.", "The firm is not liable, save in cases of fraud.", ("save in",)),
        ("The board sets the number.", "The board sets the number; provided it is small.", ("provided",)),
        (" ** ", "Sales rose.", ("no claim",)),
    ],
)
def test_a_claim_that_says_something_else_is_refused_with_the_words_that_differ(
    claim: str, quote: str, named: tuple[str, ...]
) -> None:
    check = check_support(claim, quote)
    assert check.support != "supported"
    assert all(word.lower() in check.reason.lower() for word in named), check.reason
    assert any(not each.passed for each in check.checks)


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Assignment requires the other party's consent.", "Neither party may assign without consent."),
        ("Public information is not confidential.", "Confidential information excludes public information."),
        (
            "The licence is neither exclusive nor transferable.",
            "The licence is non-exclusive and non-transferable.",
        ),
        (
            "The fee is refunded if the course has not begun.",
            "The fee is refunded unless the course has begun.",
        ),
        ("The drug must not be used in pregnancy.", "The drug is contraindicated in pregnancy."),
        ("Some segments were not profitable.", "Not all segments were profitable."),
        ("The patient reports no chest pain.", "The patient denies chest pain."),
        ("Revenue was lower than expenses.", "Expenses exceeded revenue."),
        (
            "Mortality was higher in group B than in group A.",
            "Mortality was lower in group A than in group B.",
        ),
        ("Group A had lower mortality than group B.", "Mortality was lower in group A than in group B."),
        ("Sound travels slower than light.", "Light travels faster than sound."),
        ("The warranty lasts two years from delivery.", "The warranty expires 24 months after delivery."),
        ("Symptoms improved in 30% of patients.", "Symptoms improved in 12 of 40 patients."),
        (
            "The film was nominated for seven awards.",
            "The film was nominated for four awards and three prizes.",
        ),
        ("A return to profit is expected by the company.", "The company expects to return to profit."),
        ("The medicine is not for children.", "Children must not take the medicine."),
    ],
)
def test_a_claim_that_may_well_be_true_is_not_contradicted(claim: str, quote: str) -> None:
    assert check_support(claim, quote).support != "contradicted"


@pytest.mark.parametrize(
    ("claim", "quote", "named"),
    [
        (
            "Net income was $5 million.",
            "Net income attributable to noncontrolling interests was $5 million.",
            ("attributable",),
        ),
        ("Ms Roe is the president.", "Ms Roe is the vice president.", ("vice",)),
        ("Ms Roe is president.", "Ms Roe is VP.", ("vice",)),
        ("Ms Roe is the treasurer.", "Ms Roe is the acting treasurer.", ("acting",)),
        ("Germany sold weapons.", "Germany's rival sold weapons.", ("rival",)),
        ("The cost was $5 million.", "The cost savings was $5 million.", ("savings",)),
        ("Trade debts and loans rose.", "Non-trade debts and loans rose.", ("non",)),
        ("Revenue increased by 10%.", "Revenue increased by 10% at constant currency.", ("constant",)),
        ("The drug cures cancer.", "The drug cures cancer in mice.", ("mice",)),
        ("The lessee may sublet it.", "The lessee may sublet it with consent of the lessor.", ("consent",)),
        ("Imports rose in May.", "Imports from Peru rose in May.", ("Peru",)),
        ("The earth is flat.", "It is a myth that the earth is flat.", ("myth",)),
        (
            "The tenant fails to pay and the landlord may enter.",
            "Should the tenant fail to pay, the landlord may enter.",
            ("Should",),
        ),
        ("The landlord may enter.", "Should the tenant fail to pay, the landlord may enter.", ("Should",)),
        ("The fee is refunded.", "The fee is refunded (under clause 5 only if a judge agrees).", ("only",)),
        ("In June, Acme sued Bolt.", "In May, Acme sued Bolt, and in June, Crux sued Acme.", ("June",)),
        (
            "$9 million was spent on roads.",
            "The grant was $9 million, of which $4 million was spent on roads.",
            ("$4 million",),
        ),
        ("The clerk wrote the letter.", "The mayor wrote the letter to the clerk.", ("clerk",)),
        (
            "The general lied in March.",
            "The minister reported in March that the general lied.",
            ("reported",),
        ),
        ("The minister fled.", "The minister confirmed on Monday that the general fled.", ("general",)),
        ("The agreement is valid.", "The agreement is valid only in France.", ("only",)),
        ("The army is strong.", "The army is strong on paper.", ("on paper",)),
        ("Profit doubled.", "Profit before tax doubled.", ("before",)),
        ("The company paid a dividend.", "The company paid back a dividend.", ("back",)),
        ("The union called the strike.", "The union called the strike off.", ("off",)),
        ("The product is safe for children.", "The product is thought safe for children.", ("thought",)),
        ("The vote was invalid.", "The vote was declared invalid.", ("declared",)),
        ("The statue is Roman.", "The statue is held to be Roman.", ("held",)),
        ("The dam is safe.", "The dam is technically safe.", ("technically",)),
        ("Acme is liable.", "Acme is liable jointly with Beta.", ("jointly with Beta",)),
    ],
)
def test_a_word_that_makes_it_another_thing_is_missed(claim: str, quote: str, named: tuple[str, ...]) -> None:
    check = check_support(claim, quote, quote)
    assert check.support != "supported"
    assert all(word.lower() in check.reason.lower() for word in named), check.reason


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        (
            "The plan to close the branch was rejected by the bank.",
            "The bank rejected the plan to close the branch.",
        ),
        ("In Q2 net sales were up 9%.", "Net sales increased 9% in the second quarter."),
        ("Profit fell to $3 million.", "Profit declined to $3 million."),
        ("Deferred revenue totaled $5 million.", "Deferred revenue was $5 million."),
        (
            "If the tenant fails to pay, the landlord may enter.",
            "Should the tenant fail to pay, the landlord may enter.",
        ),
        ("Members who were registered before May may vote.", "Members registered before May may vote."),
        ("The firm had a loss of $3 million.", "The firm made a loss of $3 million."),
        ("The permit was granted.", "The permit has been granted."),
        ("In France, the agreement is valid.", "The agreement is valid in France."),
        ("The fund returned 6%.", "The fund returned 6% in the second quarter."),
    ],
)
def test_a_plain_restatement_in_another_order_is_supported(claim: str, quote: str) -> None:
    check = check_support(claim, quote, quote)
    assert (check.support, check.reason) == ("supported", "")


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Microsoft sued Nokia.", "Microsoft was sued by Nokia."),
        ("Sales for the six months ended July 1 were $9.", "Sales for the quarter ended July 1 were $9."),
        ("Microsoft bought Nokia.", "Microsoft bought Nuance and Google sued Nokia."),
        ("Interest accrues at 4%.", "Interest accrues at 4% above the base rate."),
        ("Kant died in 1724.", "Kant was born in 1724 and died in 1804."),
        ("Net loss was $30 a year earlier.", "Net loss was $30, compared with income of $12 a year earlier."),
        ("No segments were profitable.", "Not all segments were profitable."),
        ("Burton replaced Hall.", "Burton and Cliff replaced Al and Hall, respectively."),
        ("Sales in Asia grew.", "Sales in Europe grew while sales in Asia fell."),
        ("They had no animals.", "They had no dogs."),
        ("The tenant shall not keep animals.", "The tenant shall not keep large animals."),
        ("Every employee has a pension.", "Every permanent employee has a pension."),
        ("I do not watch films.", "I do not watch films in summer."),
        ("Sales were $5 million.", "Cost of sales were $5 million."),
        ("The bank closed the branch.", "The bank rejected the motion to close the branch."),
        ("She paid the fine.", "She was ordered to pay the fine."),
        ("Cats are welcome.", "Cats are welcome (note: not in summer)."),
        ("Ten hens were sold.", "Of the ten hens, four were sold."),
        (
            "The lessee was held by the agent.",
            "The lessee was unable to pay. The deposit is ten pounds and is held by the agent.",
        ),
        ("Smith resigned in 2020.", "Smith announced in 2020 that Jones resigned."),
        ("The agreement is valid.", "The agreement is valid in France."),
        ("The port is open.", "The port is safe and open to naval vessels."),
        ("The rule applies.", "The rule applies only to trains."),
        ("The gate is closed.", "The gate is closed to lorries."),
        ("The rule is binding on ships.", "The rule is binding on ships over 20 metres."),
        ("Acme owns Beta.", "Acme owns 10% of Beta."),
        ("The farmer owns the fields.", "The farmer owns two of the fields."),
        ("Wages doubled.", "Wages in the mines doubled."),
        ("The minister was dismissed.", "The minister was dismissed as a suspect."),
        ("The plant employs 500 people.", "The plant employs 500 people in peak season."),
        ("The visa is valid for students.", "The visa is valid for students of medicine."),
        ("Smith is a doctor.", "Smith is a doctor of philosophy."),
        ("These are with Arsenal.", "The fiercest of these is with Arsenal."),
        (
            "The deposit (see page 5 where the lessor hit the agent) is ten pounds.",
            "The deposit is ten pounds.",
        ),
    ],
)
def test_a_part_or_a_limited_case_is_not_green_for_the_whole(claim: str, quote: str) -> None:
    check = check_support(claim, quote, quote)
    assert check.support in ("needs_your_eye", "facts_agree")
    assert check.reason


def test_a_date_in_figures_that_can_be_read_in_two_ways_needs_your_eye() -> None:
    for claim, quote in (
        ("It ends on 4/3/2021.", "It ends on April 3, 2021."),
        ("It ends on 3 April 2021.", "It ends on 4/3/2021."),
    ):
        check = check_support(claim, quote)
        assert (check.support, check.reason) == (
            "needs_your_eye",
            "“4/3/2021” may have the day or the month first.",
        )
    assert check_support("It ends on 25/12/2021.", "It ends on December 25, 2021.").support == "supported"
    assert check_support("It ends on 4/3/2021.", "It ends on 4/3/2021.").support == "supported"


def test_what_is_told_of_a_kind_is_told_of_what_it_is_a_kind_of() -> None:
    assert check_support("They had animals.", "They had dogs.").support == "supported"
    assert check_support("They had dogs.", "They had animals.").support == "needs_your_eye"


@pytest.mark.parametrize(
    ("quote", "context", "before", "after", "reason"),
    [
        (
            "Payment is due in May",
            "Payment is due in May unless waived.",
            "",
            "unless waived",
            "The sentence goes on with “unless waived”.",
        ),
        (
            "the fee is refunded",
            "It is not the case that the fee is refunded.",
            "It is not the case that",
            "",
            "The sentence begins with “It is not the case that”, before the quote.",
        ),
        (
            "terminate this Agreement",
            "Either party may terminate this Agreement.",
            "Either party may",
            "",
            "The sentence begins with “may”, before the quote.",
        ),
        (
            "lemmings leap off cliffs",
            "It is a myth that lemmings leap off cliffs.",
            "It is a myth that",
            "",
            "The sentence begins with “myth that”, before the quote.",
        ),
        (
            "lemmings leap off cliffs",
            "The story goes that, in Norway, lemmings leap off cliffs.",
            "The story goes that, in Norway,",
            "",
            "The sentence begins with “goes that, in Norway,”, before the quote.",
        ),
        (
            "lemmings leap off cliffs",
            "Contrary to belief, lemmings leap off cliffs.",
            "Contrary to belief,",
            "",
            "The sentence begins with “Contrary to belief,”, before the quote.",
        ),
        (
            "lemmings leap off cliffs",
            "He dreamed lemmings leap off cliffs.",
            "He dreamed",
            "",
            "The sentence begins with “dreamed”, before the quote.",
        ),
        (
            "Lemmings leap off cliffs",
            "Lemmings leap off cliffs, the film claims.",
            "",
            ", the film claims",
            "The sentence goes on with “claims”.",
        ),
        (
            "lemmings leap off cliffs",
            "The idea that lemmings leap off cliffs is false.",
            "The idea that",
            "is false",
            "The sentence goes on with “false”.",
        ),
        (
            "lemmings leap off cliffs",
            "Is it known that lemmings leap off cliffs?",
            "Is it known that",
            "?",
            "The quote is a part of a question.",
        ),
    ],
)
def test_a_quote_cut_out_of_a_sentence_that_changes_it_needs_your_eye(
    quote: str, context: str, before: str, after: str, reason: str
) -> None:
    check = check_support(f"{quote}.", quote, context=f"Other words.\n{context} More words.")
    assert (check.support, check.before, check.after) == ("needs_your_eye", before, after)
    assert check.reason == reason


def test_a_condition_of_the_claim_stands_for_that_of_the_rest_only_if_it_is_the_same() -> None:
    context = "If sales fall, the bonus is due in May, if the board agrees."
    cut = "If sales fall, the bonus is due in May"
    assert check_support(f"{cut}.", cut, context).reason == "The sentence goes on with “if the board agrees”."
    whole = check_support("The bonus is due in May if the board agrees.", "the bonus is due in May", context)
    assert "the board agrees" not in whole.reason


def test_the_harmless_rest_of_a_sentence_is_given_and_does_no_harm() -> None:
    check = check_support("Sales rose.", "Sales rose", context="In Leeds, Sales rose by a tenth.")
    assert (check.support, check.before, check.after) == ("supported", "In Leeds,", "by a tenth")
    found = "Biologists showed in 2004 that"
    check = check_support("Lemmings swim.", "lemmings swim", context=f"{found} lemmings swim.")
    assert (check.support, check.before) == ("supported", found)


def test_the_sentence_is_that_of_the_place_where_the_quote_stands() -> None:
    """The same words may stand in a sentence before, whose conditions are not those of the quote."""
    first = "Unless the rent is overdue, the Tenant pays the Early\nTermination Charge under clause 15.7. "
    second = "The Early Termination Charge is EUR 90 for each month."
    quote = "Early Termination Charge"
    at = (first + second).rindex(quote)
    check = check_support("There is an Early Termination Charge.", quote, first + second, at)
    assert (check.before, check.after) == ("The", "is EUR 90 for each month")
    assert "Unless" not in check.reason
    before = check_support("There is an Early Termination Charge.", quote, first + second)
    assert before.before.startswith("Unless the rent is overdue")
    assert check_support("Sales rose.", "Sales rose", "In Leeds, Sales rose.", at=15).before == "In Leeds,"


def test_another_language_is_green_only_word_for_word() -> None:
    quote = "客户可以在三十天内取消合同。费用不予退还。"
    assert check_support("费用不予退还", quote).support == "supported"
    refused = check_support("客户可以取消合同", quote)
    assert refused.support == "needs_your_eye"
    assert "language" in refused.reason


@pytest.mark.parametrize(
    "text", ["1/2/3/", "(1", "1,", "Sales rose in May, and ", "he said that ", "if he sold ", "rose sold "]
)
def test_twice_the_text_takes_about_twice_the_steps(text: str) -> None:
    def steps(times: int) -> int:
        claim, quote = text * (times // 4), text * times
        check_support(claim, quote, context=quote)  # words are looked up once
        profile = cProfile.Profile()
        profile.runcall(check_support, f"{claim} ", f"{quote} ", f"{quote}  ")
        return sum(entry.callcount for entry in profile.getstats())

    assert steps(400) < 2.7 * steps(200)


def test_blanks_cost_nothing() -> None:
    started = time.process_time()
    check_support("a b", "a b", context=" " * 400_000)
    check_support("a", "a", context="\n" * 400_000)
    check_support("a b", "a " * 3_999 + "b", context="a " * 200_000)
    assert time.process_time() - started < 5


def test_long_texts_take_no_longer_than_a_moment() -> None:
    started = time.monotonic()
    for text in (
        "not " * 25_000,
        "Sales rose in May, and " * 4_000,
        "(" * 100_000,
        "9" * 100_000,
        "one " * 25_000,
    ):
        check_support(text, text, context=text)
        check_support("Sales rose.", text)
        check_support(text, "Sales rose.")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The fee may not exceed 20 %.", "The fee shall not exceed 20 per cent."),
        ("The Tenant is not entitled to sublet the flat.", "The Tenant may not sublet the flat."),
        ("The Tenant must not sublet the flat.", "The Tenant shall not sublet the flat."),
        ("The Tenant is not permitted to sublet the flat.", "The Tenant must not sublet the flat."),
        ("The Supplier has to keep records.", "The Supplier shall keep records."),
        ("The Supplier is required to keep records.", "The Supplier must keep records."),
        ("The Supplier undertakes to keep records.", "The Supplier agrees to keep records."),
        ("The Customer shall pay within thirty days.", "The Customer must pay no later than 30 days."),
        ("The Customer must pay within 30 days.", "The Customer shall pay within thirty (30) days."),
        ("The Customer may end the lease.", "The Customer is entitled to end the lease."),
        ("No party may assign the lease.", "The party shall not assign the lease."),
        ("Backups are kept for 35 days.", "Back-ups shall be retained for a period of thirty-five days."),
    ],
)
def test_contract_english_says_one_thing_in_many_ways(claim: str, quote: str) -> None:
    check = check_support(claim, quote)
    assert (check.support, check.reason) == ("supported", "")
    assert check_support(claim, quote).objections == ()


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The item may be removed when it is paid.", "The item may be removed only when it is paid."),
        ("The Supplier shall keep and remove them.", "The Supplier must keep them and remove them."),
        ("The loss was 3 % a year earlier.", "The loss was 3 % a quarter earlier."),
        ("Pay on receipt of the invoice.", "Pay on receiving the invoice."),
        ("The Tenant may sublet.", "The Tenant shall be free to sublet."),
        ("Some segments were not profitable.", "Not all segments were profitable."),
    ],
)
def test_red_is_only_for_what_is_certain(claim: str, quote: str) -> None:
    assert check_support(claim, quote).support != "contradicted"


@pytest.mark.parametrize(
    ("claim", "quote", "listed"),
    [
        ("The invoice was paid on 3 May.", "The invoice was settled on 3 May.", "paid / settled"),
        ("The board praised the plan.", "The board applauded the plan.", "praised / applauded"),
    ],
)
def test_facts_that_agree_in_other_words_are_a_state_of_their_own(
    claim: str, quote: str, listed: str
) -> None:
    check = check_support(claim, quote)
    assert check.support == "facts_agree"
    assert check.reason == f"Figures, names and dates agree; wording differs: {listed}."


@pytest.mark.parametrize(
    ("claim", "quote", "kind", "words"),
    [
        ("Sales came to $5.", "Turnover was $6.", "figures and dates", ("$5", "$6")),
        ("Sales came to €5.", "Turnover was $5.", "figures and dates", ("€5", "$5")),
        ("Acme closed its shop in Leeds.", "Acme shut its shop in York.", "names", ("Leeds", "York")),
        ("They do not offer refunds.", "They offer refunds.", "negation", ("not", "")),
        ("The lessee must pay the fee.", "The lessee may pay the fee.", "may and must", ("must", "may")),
        ("The fee is refunded.", "The fee is refunded if the court agrees.", "conditions", ("", "if")),
        ("费用为300元", "费用为500元", "figures and dates", ("300", "")),
    ],
)
def test_code_objects_to_hard_facts_for_which_the_quote_does_not_account(
    claim: str, quote: str, kind: str, words: tuple[str, str]
) -> None:
    found = check_support(claim, quote).objections
    assert (kind, *words) in [(one.kind, one.claimed, one.quoted) for one in found]
    assert all(one.text for one in found)


def test_code_does_not_object_to_other_words_for_the_same_facts() -> None:
    quote = "We closed business operations in Russia during the third quarter of fiscal year 2023."
    assert check_support("In 2023 the company gave up its activities in Russia.", quote).objections == ()
