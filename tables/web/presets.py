"""Columns to begin with, for the documents that people often compare. One a line, as they may be edited."""

PRESETS = (
    (
        "papers",
        "Papers",
        "Method: What method does this paper propose or use?\n"
        "Dataset: On which datasets is it evaluated?\n"
        "Metric: By which metric is the result measured?\n"
        "Result: What is the main result?\n"
        "Limitation: What limitations are stated?",
    ),
    (
        "contracts",
        "Contracts",
        "Parties: Who are the parties to this agreement?\n"
        "Effective date: When does this agreement take effect?\n"
        "Term: How long does this agreement last?\n"
        "Termination: How can this agreement be terminated, and with what notice?\n"
        "Liability: How is liability limited?\n"
        "Governing law: Which law governs this agreement?",
    ),
    (
        "reports",
        "Reports",
        "Period: Which period does this report cover?\n"
        "Revenue: What was the revenue?\n"
        "Result: What was the net income or loss?\n"
        "Risks: Which risks are named first?\n"
        "Outlook: What is said about the future?",
    ),
    (
        "policies",
        "Policies",
        "Purpose: What is the purpose of this document?\n"
        "Responsible: Who is responsible for it?\n"
        "Applies to: To whom or what does it apply?\n"
        "Review: How often is it reviewed?",
    ),
)
