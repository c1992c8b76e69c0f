"""The columns of a batch: what it may cost and where it stands. Each kind has a table of its own."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils.translation import gettext

from batches.budget import Budget, UsedUp
from batches.limits import Limits
from jobs.cancel import cancel_on_commit
from jobs.models import REQUEUED, FencedRow
from providers.protocols import Usage


class BatchRow(FencedRow):
    """Model work over many things. It is queued, running, done, held by its budget, stopped or failed.

    A subclass has the columns for what was spent, and names them.
    """

    unfinished = ("queued", "running")
    of_tokens: ClassVar[str] = "spent_tokens"
    of_money: ClassVar[str] = "spent_money"
    of_calls: ClassVar[str] = ""  # "": they are not counted

    token_budget = models.PositiveBigIntegerField(null=True, blank=True)
    money_budget = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    dearest_tokens = models.PositiveBigIntegerField(default=0, db_default=0, help_text="Of a reply so far.")
    dearest_money = models.DecimalField(max_digits=14, decimal_places=8, default=0, db_default=0)

    class Meta:
        abstract = True

    @property
    def budget(self) -> Budget:
        """For all of it, from its beginning."""
        return Budget(tokens=self.token_budget, money=self.money_budget)

    @property
    def budget_left(self) -> Budget:
        return self.budget.without(self.tokens_used, self.money_used)

    @property
    def limits(self) -> Limits:
        return Limits.of(self.status, self.budget_left)

    @property
    def tokens_used(self) -> int:
        return int(getattr(self, self.of_tokens))

    @property
    def money_used(self) -> Decimal:
        return Decimal(getattr(self, self.of_money) or 0)

    @property
    def why_held(self) -> str:
        """What a page says of one whose budget had no room for another request."""
        return f"{gettext(UsedUp.message)} {gettext(UsedUp.hint)}" if self.status == "held" else ""

    def count(self, usage: Usage, money: Decimal | None) -> None:
        """Add what a call has cost; `money` is None where no price is known."""
        more: dict[str, Any] = {
            self.of_tokens: F(self.of_tokens) + usage.tokens,
            "dearest_tokens": Greatest("dearest_tokens", usage.tokens),
        }
        if money is not None:
            more[self.of_money] = Coalesce(self.of_money, Decimal(0)) + money
            more["dearest_money"] = Greatest("dearest_money", money)
        if self.of_calls:
            more[self.of_calls] = F(self.of_calls) + 1
        type(self)._default_manager.filter(pk=self.pk).update(**more)


class UnderWay(ValidationError):
    """The same is being done already: a button was pressed twice, or a proxy has sent a request again."""

    def __init__(self, row: Any, subject: object) -> None:
        super().__init__(
            gettext("{under_way} of “{subject}” is under way. Wait, or stop it.").format(
                under_way=row, subject=subject
            ),
            code="under_way",
        )
        self.row = row


def refuse_second(same: QuerySet[Any], subject: object) -> None:
    """Raises UnderWay where one of these batches has not ended. Nobody else may begin one of them until the
    caller's transaction ends: it has locked what they belong to.
    """
    if row := same.filter(status__in=same.model.unfinished).first():
        raise UnderWay(row, subject)


def begin_again(
    row: BatchRow, defer: Callable[[Any], int] | None, budget: Budget | None = None, **values: object
) -> None:
    """Queue it, as if it had never been tried; `defer` gives the job, None where the caller carries it on.
    `budget` is what it may use from now on, whatever it has used before; without one it keeps the one that it
    has. For a row that is locked; joins the caller's transaction.
    """
    if budget is not None:
        whole = budget.beside(row.tokens_used, row.money_used)
        values |= {"token_budget": whole.tokens, "money_budget": whole.money}
    row.write(**REQUEUED, status="queued", **values)
    if defer:
        row.write(job_id=defer(row))


def stop(row: BatchRow, also: Callable[[Any], None] | None = None, **values: object) -> bool:
    """End it before its time, keeping what there is; False when it has ended already. `also` is called with
    the row, in the same transaction.
    """
    with transaction.atomic():
        locked = locked_row(row)
        if not locked.is_unfinished:
            return False
        locked.write(status="stopped", run_token=None, **values)
        if also:
            also(locked)
        cancel_on_commit(locked.job_id)
    return True


def locked_row(row: Any) -> Any:
    """The row as it is now, nobody else's until the transaction ends."""
    return type(row)._default_manager.select_for_update().get(pk=row.pk)
