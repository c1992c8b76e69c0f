"""What reading with a model will cost, what it has cost, and what it may cost."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Sum

from batches.budget import Budget, check_priced, prices_now
from datasources.models import Datasource
from graph.models import ExtractionSpend, GraphSettings
from graph.sql import query
from providers.charging import owner_of
from providers.openai.tokens import estimated_tokens
from providers.protocols import Usage
from providers.roles import ModelRole, endpoint
from providers.spending.budgets import month_of
from providers.spending.metering import Payer
from providers.spending.prices import Prices

KNOWN_AFTER = 10  # calls: from then on the length of answers is measured, before it is guessed
GUESSED_ANSWER = 1.2  # tokens written for each token of the passage, and
GUESSED_ANSWER_AT_LEAST = 150


def price(usage: Usage, datasource: object | None = None) -> Decimal | None:
    """What the tokens cost there; None while no price is set."""
    server = endpoint(datasource, ModelRole.EXTRACTION)
    return server.prices.of(usage) if server else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """What a datasource's graph has cost so far. `cached_calls` were saved; money is None while unknown."""

    calls: int
    cached_calls: int
    prompt_tokens: int
    completion_tokens: int
    money: Decimal | None

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def spend(datasource: Datasource) -> Spend:
    """Over all models, deleted documents included."""
    sums = ExtractionSpend.objects.filter(datasource=datasource).aggregate(
        calls=Sum("calls", default=0),
        cached_calls=Sum("cached_calls", default=0),
        prompt_tokens=Sum("prompt_tokens", default=0),
        completion_tokens=Sum("completion_tokens", default=0),
        money=Sum("money", default=Decimal(0)),
    )
    known = price(Usage(), datasource) is not None or sums["money"]
    return Spend(**{**sums, "money": sums["money"] if known else None})


def record(
    datasource_id: int,
    model: str,
    *,
    calls: int = 0,
    cached: int = 0,
    usage: Usage | None = None,
    money: Decimal | None = None,
) -> None:
    """Add to what the datasource has spent; nothing for one that is deleted by now. `calls`: with an
    answer.
    """
    usage = usage or Usage()
    query(
        "record_spend",
        datasource=datasource_id,
        model=model,
        calls=calls,
        cached_calls=cached,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        money=money or 0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What one call is expected to cost in this datasource."""

    overhead: int  # tokens of every prompt besides its passage
    answer: int | None  # tokens of an answer, once that has been measured

    def of(self, text: str) -> Usage:
        guessed = max(GUESSED_ANSWER_AT_LEAST, round(GUESSED_ANSWER * estimated_tokens(text)))
        return Usage(
            prompt_tokens=self.overhead + estimated_tokens(text),
            completion_tokens=guessed if self.answer is None else self.answer,
        )


def costs(datasource: Datasource, overhead: int) -> Costs:
    so_far = spend(datasource)
    known = so_far.calls >= KNOWN_AFTER
    return Costs(overhead=overhead, answer=so_far.completion_tokens // so_far.calls if known else None)


def budget_of(datasource: Datasource) -> Budget:
    """What the datasource may still spend, by its settings as they are now and by the month's budgets."""
    limits, so_far = GraphSettings.objects.of(datasource), spend(datasource)
    whole = Budget(tokens=limits.token_budget, money=limits.money_budget)
    left = whole.without(so_far.tokens, so_far.money or Decimal(0))
    return Budget.tightest([left, month_budget(datasource)])


def month_budget(datasource: Datasource) -> Budget:
    """What the month's budgets have left; of money only where the model has prices."""
    months = [month_of(datasource.pk), month_of()]
    left = Budget.tightest(Budget(tokens=month.tokens_left, money=month.money_left) for month in months)
    is_priced = all(each.are_known for each in prices_now(datasource, ModelRole.EXTRACTION))
    return left if is_priced else Budget(tokens=left.tokens)


def payer_of(datasource: Datasource, role: ModelRole, left: Budget, reply: int) -> Payer:
    """Charges the owner for calls that keep within what is left; `reply`: tokens that one may have.

    Two jobs at once know of each other's calls only once those are recorded.
    """
    payer = owner_of(datasource)
    payer.allowance = left.allowance(reply, prices_now(datasource, role))
    return payer


def payer_of_graph(datasource: Datasource, role: ModelRole, reply: int) -> Payer:
    """The same within the graph's budget; what calls cost is recorded, also of those without an answer."""
    payer = payer_of(datasource, role, budget_of(datasource), reply)
    server = endpoint(datasource, role)
    model = server.model if server else ""

    def told(usage: Usage, money: Decimal | None) -> None:
        answered = usage.completion_tokens > 0  # by these alone the length of answers is measured
        record(datasource.pk, model, calls=int(answered), usage=usage, money=money)

    payer.told = told
    return payer


def fits(datasource: Datasource, usage: Usage) -> bool:
    """Whether so much may still be spent."""
    prices = prices_now(datasource, ModelRole.EXTRACTION)
    return budget_of(datasource).holds(usage, prices[0] if prices else Prices())


def check_limits(datasource: Datasource, money: Decimal | None) -> None:
    """Raises ValidationError for an amount of money while the prices are unknown."""
    check_priced(money, prices_now(datasource, ModelRole.EXTRACTION) or [Prices()])


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What reading these chunks will cost: `calls` to make, `cached` answers that are there already."""

    chunks: int
    calls: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    money: Decimal | None
    fits: bool


def estimate_texts(
    datasource: Datasource, texts: list[str], chunks: int, cached: int, overhead: int
) -> Estimate:
    """The estimate for these texts, each read once."""
    expected = costs(datasource, overhead)
    usage = sum((expected.of(text) for text in texts), Usage())
    return Estimate(
        chunks=chunks,
        calls=len(texts),
        cached=cached,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        money=price(usage, datasource),
        fits=fits(datasource, usage),
    )
