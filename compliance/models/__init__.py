"""The rows of compliance; Django looks for an app's models here."""

from compliance.models.assessments import (
    GAPS,
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
    Verdict,
)
from compliance.models.frameworks import (
    Attachment,
    Framework,
    FrameworkQuerySet,
    Requirement,
    RequirementQuerySet,
)

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
