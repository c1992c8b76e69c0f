"""What a request is noted as in the audit log, by the name of its address and its method.

What changes something is always noted, unless it stands in UNNOTED. What only shows something is noted where
it shows the words of documents or answers (SHOWS), searches them (SEARCHES) or gives a file away (GIVES).
"""

from django.http import HttpRequest
from django.urls import ResolverMatch

from accounts.models import AuditAct

LOOKS = ("GET", "HEAD")
# Sign-in, its settings, what is done with accounts, matters and share links note themselves: the address of a
# link is its secret. The rest are looks, or change how pages look to oneself.
UNNOTED = {
    "people",
    "person",
    "directories",
    "directory",
    "scim_users",
    "scim_user",
    "scim_groups",
    "scim_group",
    "groups",
    "group",
    "new_matter",
    "rename_matter",
    "share_matter",
    "share_matter_with_group",
    "change_matter_share",
    "put_in_matter",
    "take_out_of_matter",
    "archive_matter",
    "open_matter",
    "delete_matter",
    "api-groups",
    "api-group",
    "api-group-members",
    "api-group-member",
    "api-account-invitations",
    "api-account-invitation",
    "api-join-links",
    "api-join-link",
    "api-matters",
    "api-matter",
    "api-matter-shares",
    "api-matter-share",
    "api-matter-datasource",
    "remove_from_group",
    "withdraw_account_invitation",
    "make_join_link",
    "withdraw_join_link",
    "join_page",
    "shared",
    "share_answer",
    "share_conversation",
    "end_share_link",
    "api-turn-share-links",
    "api-conversation-share-links",
    "api-share-link",
    "save_sign_in_setting",
    "new_identity_provider",
    "new_saml_provider",
    "identity_provider",
    "remove_identity_provider",
    "provider_connect",
    "provider_disconnect",
    "set_up_second_factor",
    "account_login",
    "account_logout",
    "account_signup",
    "account_reset_password",
    "mfa_authenticate",
    "mfa_login_webauthn",
    "provider_sign_in",
    "openid_ended_there",
    "saml_returned",
    "api-login",
    "api-refresh",
    "api-logout",
    "theme",
    "set_language",
    "close_first_page",
    "open_first_page",
    "models_offered",
    "models_owners",
    "api-paper-searches",
    "stop",
    "api-turn-stop",
    "ask",
    "ask_new",
    "ask_again",
    "api-ask",
    "api-turn-again",
    "api-openai-chat-completions",
    "api-rag-query",
    "api-compatible-query",
    "api-compatible-agent-action",
    "api-compatible-embed",
    "api-compatible-rerank",
    "document_remove",
    "api-documents-delete",
    "account_reauthenticate",
    "mfa_reauthenticate",
    "oauth_authorize",
    "api-oauth-token",
    "api-oauth-register",
    "api-oauth-revoke",
    "end_program",
    "revoke_api_tokens",
    "programs_of_everybody",
    "save_program_rule",
}
ASKS = {"api-rag-retrieve"}  # a question that gets an answer is noted where it is stored (chat.services.ask)
# What is made at an address that has no argument for it: a new one has no number before it is there.
NEW = {
    "webhooks": "webhook",
    "outside_servers": "outside server",
    "api-webhooks": "webhook",
    "connectors": "connected source",
    "api-connectors": "connected source",
    "write_memo": "memo",
    "api-memos": "memo",
    "table_new": "table",
    "new_api_token": "API token",
    "api-tables": "table",
}
ADDS = {
    *NEW,
    "new_datasource",
    "documents_upload",
    "paste_text",
    "add_web_page",
    "import_start",
    "document_replace",
    "add_member",
    "share_with_group",
    "api-datasources",
    "api-documents",
    "api-documents-text",
    "api-documents-web-page",
    "api-document-replace",
    "api-members",
    "api-group-shares",
    "api-paper-imports",
    "api-graph-import",
    "bundles",
    "api-bundle-imports",
    "api-compatible-datasources",
    "api-compatible-documents",
    "api-compatible-build-graph",
}
DELETES = {
    "datasource_delete",
    "delete_conversation",
    "delete_memo",
    "gap_delete",
    "questions_remove",
    "revoke_api_token",
}
SEARCHES = {"search", "search_all"}
SHOWS = {
    "palette",
    "newer_questions",
    "follow_ups",
    "question_edit",
    "evaluation",
    "papers",
    "gaps",
    "framework",
    "framework_requirement",
    "activity",
    "api-entities",
    "api-doubts",
    "entities",
    "graph_data",
    "api-relations",
    "api-papers",
    "api-requirements",
    "reader",
    "page_image",
    "original_look",
    "original_look_image",
    "chunks",
    "glance",
    "document_glance",
    "document_terms",
    "compare_documents",
    "conversation",
    "source",
    "source_card",
    "source_page",
    "notebook",
    "memo",
    "verdicts",
    "entity",
    "relation",
    "graph_review",
    "graph_relations",
    "table",
    "table_state",
    "gap_requirement",
    "gap_card",
    "gap_crop",
    "gap_compare",
    "evaluation_question",
    "question_set",
    "api-page",
    "api-pages",
    "api-page-image",
    "api-annotations",
    "api-points",
    "api-chunks",
    "api-chunk",
    "api-compatible-chunks",
    "api-conversation",
    "api-turn",
    "api-turn-follow-ups",
    "api-citation",
    "api-citation-image",
    "api-citation-crop",
    "api-notebook",
    "api-memo",
    "api-entity",
    "api-entity-mentions",
    "api-relation",
    "api-relation-evidence",
    "api-table",
    "api-findings",
    "api-results",
    "api-questions",
}
# Of what is shown, what pages ask for of themselves.
BY_ITSELF = {
    "palette",
    "newer_questions",
    "follow_ups",
    "document_terms",
    "table_state",
}
# The same, but contents: behind a look at what they are a part of, they say nothing new.
PARTS = {
    "page_image",
    "original_look_image",
    "source_page",
    "gap_crop",
}
GIVES = {
    "document_original",
    "bundle_file",
    "api-bundle",
    "graph_export",
    "evaluation_export",
    "question_set_export",
    "table_export",
    "glance_file",
    "document_glance_file",
    "answer_pack_file",
    "conversation_pack_file",
    "papers_export",
    "export_cited",
    "gap_report",
    "export_conversation",
    "export_conversation_word",
    "export_notebook",
    "memo_file",
    "usage_csv",
    "audit_csv",
    "api-citation-pdf",
    "api-graph-export",
    "api-turn-pack",
    "api-conversation-pack",
    "api-conversation-export",
    "api-turn-export",
    "api-notebook-export",
    "api-memo-file",
    "api-bibliography",
    "api-assessment-report",
}
# The arguments of addresses that say what a request is about, the nearest first, and its kind.
ARGUMENTS = {
    "doc": "document",
    "document": "document",
    "turn": "answer",
    "conversation": "conversation",
    "entity": "entity",
    "relation": "relation",
    "table": "table",
    "evidence": "evidence",
    "requirement": "requirement",
    "assessment": "assessment",
    "question_set": "question set",
    "framework": "framework",
    "user": "member",
    "group": "group of people",
    "webhook": "webhook",
    "server": "outside server",
    "connector": "connected source",
    "token": "API token",
    "provider": "sign-in provider",
    "memo": "memo",
    "note": "note",
    "chunk": "passage",
    "invitation": "invitation",
    "check": "check",
}
# A request that deletes what belongs to the thing in its address, not the thing itself.
DELETES_A_PART = {
    "api-schedule",
    "api-memo-source",
    "api-turn-feedback",
    "api-attachment",
    "api-note",
    "api-compatible-document",  # an own id; a document that has no other is noted where it is deleted
}
IN_REST = {  # /api/v1/documents/5
    "documents": "document",
    "turns": "answer",
    "conversations": "conversation",
    "entities": "entity",
    "relations": "relation",
    "tables": "table",
    "assessments": "assessment",
    "question-sets": "question set",
    "evaluation-runs": "evaluation",
    "frameworks": "framework",
    "chunks": "passage",
    "vendors": "vendor",
    "decisions": "decision",
    "candidates": "candidate",
    "paper-imports": "import of papers",
    "assessment-checks": "check",
}
OWN_ID = "<path:"  # in a route, before an argument whose words a program may have chosen
IN_DATASOURCE = ("d/<int:pk>/", "api/v1/data-sources/<int:pk>")


def act_of(request: HttpRequest, name: str) -> AuditAct | None:
    """What a request to the address of that name has done; None for what is not noted."""
    if name in UNNOTED or request.method == "OPTIONS":
        return None
    if request.method in LOOKS:
        return _of_a_look(request, name)
    if name in ASKS:
        return AuditAct.ASKED
    if name == "documents_selection" and request.POST.get("action") in ("ask", "delete"):
        return None  # these note themselves
    if name in DELETES or (request.method == "DELETE" and name not in DELETES_A_PART):
        return AuditAct.DELETED
    return AuditAct.ADDED if request.method == "POST" and name in ADDS else AuditAct.CHANGED


def _of_a_look(request: HttpRequest, name: str) -> AuditAct | None:
    if name in GIVES:
        return AuditAct.TOOK
    if name in SEARCHES:
        return AuditAct.ASKED if request.GET.get("q") else None
    return AuditAct.SAW if name in SHOWS else None


def address_of(request: HttpRequest, match: ResolverMatch) -> str:
    """Method and path. An own id of a program may be a title: in its place stands what it is of."""
    path = "/" + match.route.replace(OWN_ID, "<") if OWN_ID in match.route else request.path
    return f"{request.method} {path}"


def about(match: ResolverMatch) -> tuple[str, str, int | None]:
    """What it is about: the kind, which one, and the number of its datasource where the address has it."""
    arguments = match.kwargs
    own = match.route.startswith(IN_DATASOURCE)
    datasource = arguments.get("pk") if own else None
    for argument, kind in ARGUMENTS.items():
        if argument in arguments:
            is_own = f"{OWN_ID}{argument}>" in match.route
            return kind, "" if is_own else str(arguments[argument]), datasource
    if match.url_name in NEW:
        return NEW[match.url_name], "", datasource
    folder = match.route.removeprefix("api/v1/").partition("/")[0]
    if not own and "pk" in arguments and folder in IN_REST:
        return IN_REST[folder], str(arguments["pk"]), None
    if datasource is not None:
        return "datasource", str(datasource), datasource
    return "settings", "", None
