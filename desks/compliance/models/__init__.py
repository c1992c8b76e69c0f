"""The rows of compliance; Django looks for an app's models here."""

from desks.compliance.models.assessments import (
    Assessment,
    AssessmentQuerySet,
    Check,
    CheckStatus,
    Evidence,
    EvidenceKind,
    Finding,
    PaidReply,
    Review,
    ReviewKind,
    Subject,
)
from desks.compliance.models.frameworks import (
    Attachment,
    Framework,
    FrameworkQuerySet,
    Requirement,
    RequirementQuerySet,
)
from desks.compliance.verdicts import GAPS, Verdict

__all__ = [
    "GAPS",
    "Assessment",
    "AssessmentQuerySet",
    "Attachment",
    "Check",
    "CheckStatus",
    "Evidence",
    "EvidenceKind",
    "Finding",
    "Framework",
    "FrameworkQuerySet",
    "PaidReply",
    "Requirement",
    "RequirementQuerySet",
    "Review",
    "ReviewKind",
    "Subject",
    "Verdict",
]
