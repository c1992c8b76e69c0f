"""Every address of the site, taken from the URL configuration, and who may use it.

A new page needs a row in ROWS: its URL name, the lowest level that may use each method, and the arguments.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Level(IntEnum):
    """Who may, from everybody up. AUTHOR: only whose it is, not even other members; ADMINISTRATOR: superusers
    alone, for all others the page does not exist; DIRECTORY: no person at all, but a firm's directory.
    """

    ANYONE = 0
    SIGNED_IN = 1
    ASKER = 2
    VIEWER = 3
    EDITOR = 4
    OWNER = 5
    AUTHOR = 6
    ADMINISTRATOR = 7
    DIRECTORY = 8


ANYONE, SIGNED_IN, ASKER, VIEWER, EDITOR, OWNER, AUTHOR, ADMINISTRATOR, DIRECTORY = Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Which level each method needs. `args` maps the address's arguments to names in the world below."""

    args: dict[str, str] = field(default_factory=dict)
    GET: Level | None = None
    POST: Level | None = None
    PUT: Level | None = None
    PATCH: Level | None = None
    DELETE: Level | None = None
    body: dict[str, Any] = field(default_factory=dict)


OF_INVITATION = {"invitation": "account_invitation"}
OF_PROVIDER = {"provider": "provider"}
OF_SAML = {"provider": "saml_provider"}
OF_DATASOURCE = {"pk": "datasource"}
OF_DOCUMENT = {"pk": "document"}
OF_MATTER = {"pk": "matter"}
OF_CONVERSATION = {"pk": "datasource", "conversation": "conversation"}
OF_SOURCE_TURN = {"turn": "turn"}
OF_READER = {"pk": "datasource", "doc": "document"}
OF_ENTITY = {"pk": "datasource", "entity": "entity"}
OF_SET = {"pk": "datasource", "question_set": "question_set"}
OF_RUN = {"pk": "datasource", "number": "first"}
OF_MEMO = {"pk": "datasource", "memo": "memo"}
OF_TABLE = {"pk": "datasource", "table": "table"}
OF_REQUIREMENT = {"pk": "datasource", "assessment": "assessment", "requirement": "requirement"}
OF_PASSAGE = {"start": "first", "end": "tenth"}
OF_EVIDENCE = {"pk": "datasource", "evidence": "evidence"}
OF_PAGE = {"pk": "document", "page": "first"}
OF_TURN = {"pk": "turn"}
OF_CITATION = {"pk": "turn", "n": "first"}
OF_CITED_PAGE = {"pk": "turn", "n": "first", "page": "first"}
OF_TOKEN = {"token": "share_token"}
OF_SHARED_PAGE = {"number": "first", "n": "first", "page": "first"}
# Whole and as a patch: what a method has no use for is read over.
SCIM_USER = {"userName": "bob@example.org", "Operations": [{"op": "replace", "value": {"active": False}}]}
SCIM_GROUP = {"displayName": "Editors", "Operations": [{"op": "remove", "path": "members"}]}
SHARE = {"recipient": "Dora", "days": "7"}

ROWS = {
    "healthz": Row(GET=ANYONE),
    "metrics": Row(GET=ANYONE),  # what guards it is a token of its own
    # --- one's own account ---
    "account_settings": Row(GET=SIGNED_IN),
    "account_appearance": Row(GET=SIGNED_IN),
    "account_limits": Row(GET=SIGNED_IN),
    "save_account_setting": Row(GET=SIGNED_IN, POST=SIGNED_IN, body={"field": "name", "name": "Eve"}),
    "api_tokens": Row(GET=SIGNED_IN),
    "new_api_token": Row(
        GET=SIGNED_IN, POST=SIGNED_IN, body={"name": "Bot", "scopes": "read", "reach": "all", "days": "7"}
    ),
    "revoke_api_tokens": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "revoke_api_token": Row(args={"token": "token"}, GET=AUTHOR, POST=AUTHOR),
    "programs": Row(GET=SIGNED_IN),
    "end_program": Row(args={"program": "grant"}, GET=AUTHOR, POST=AUTHOR),
    "programs_of_everybody": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"program": "all"}),
    "save_program_rule": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"field": "allowed"}),
    # tests.exchange tries who gets what by them
    "oauth_authorize": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "oauth_resource": Row(GET=ANYONE),
    "oauth_resource_of_host": Row(GET=ANYONE),
    "oauth_server": Row(GET=ANYONE),
    "api-oauth-token": Row(POST=ANYONE),
    "api-oauth-register": Row(POST=ANYONE, body={"redirect_uris": ["https://notes.example/"]}),
    "api-oauth-revoke": Row(POST=ANYONE),
    "theme": Row(GET=ANYONE, POST=ANYONE, body={"theme": "dark"}),
    "set_language": Row(GET=ANYONE, POST=ANYONE, body={"language": "en"}),
    "account_email": Row(GET=ANYONE),
    "account_signup": Row(GET=ANYONE, POST=ANYONE),
    "account_login": Row(GET=ANYONE, POST=ANYONE),
    "account_reset_password": Row(GET=ANYONE, POST=ANYONE),
    "account_logout": Row(GET=ANYONE, POST=ANYONE),
    "mfa_authenticate": Row(GET=ANYONE, POST=ANYONE),
    "mfa_login_webauthn": Row(GET=ANYONE, POST=ANYONE),
    "mfa_list_webauthn": Row(GET=ANYONE),
    "mfa_view_recovery_codes": Row(GET=ANYONE),  # nobody here has any: tests.accounts looks at the page
    "mfa_activate_totp": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "mfa_add_webauthn": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "set_up_second_factor": Row(GET=ANYONE, POST=ANYONE),
    "provider_sign_in": Row(args=OF_PROVIDER, GET=ANYONE, POST=ANYONE),
    "openid_returned": Row(args=OF_PROVIDER, GET=ANYONE),
    "openid_ended_there": Row(args=OF_PROVIDER, GET=ANYONE, POST=ANYONE),
    "saml_returned": Row(args=OF_SAML, GET=ANYONE, POST=ANYONE),
    "saml_entered": Row(args=OF_SAML, GET=ANYONE),
    "saml_ended_there": Row(args=OF_SAML, GET=ANYONE),
    "saml_metadata": Row(args=OF_SAML, GET=ANYONE),
    "provider_connect": Row(args=OF_PROVIDER, GET=SIGNED_IN, POST=SIGNED_IN),
    "provider_disconnect": Row(args=OF_PROVIDER, GET=SIGNED_IN, POST=SIGNED_IN),
    "sign_in_settings": Row(GET=ADMINISTRATOR),
    "save_sign_in_setting": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "new_identity_provider": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "new_saml_provider": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "identity_provider": Row(args=OF_PROVIDER, GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "remove_identity_provider": Row(args=OF_PROVIDER, GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "models": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "models_found": Row(GET=ADMINISTRATOR),
    "models_health": Row(GET=ADMINISTRATOR),
    "models_offered": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "models_leaves": Row(GET=ADMINISTRATOR),
    "models_owners": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"connect": "on"}),
    "outside_servers": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "outside_server": Row(
        args={"server": "outside_server"}, GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"action": "owners"}
    ),
    "own_outside_tokens": Row(GET=SIGNED_IN),
    "own_outside_token": Row(
        args={"server": "asking_server"}, GET=SIGNED_IN, POST=ASKER, body={"action": "remove"}
    ),
    "outside_tools": Row(args=OF_DATASOURCE, GET=OWNER, POST=OWNER),
    "models_disconnect": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "installed_models": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "installed_models_state": Row(GET=ADMINISTRATOR),
    "use_installed_model": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "measure_language_model": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "change_installation": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "remove_installed_model": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "people": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"email": "dora@example.org"}),
    "groups": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"name": "Another"}),
    "group": Row(
        args={"group": "group"}, GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"action": "save", "name": "A"}
    ),
    "remove_from_group": Row(args={"group": "group", "user": "bob"}, GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "directories": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"name": "Arden"}),
    "directory": Row(
        args={"directory": "directory"}, GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"action": "renew"}
    ),
    "scim_config": Row(GET=DIRECTORY),
    "scim_resource_types": Row(GET=DIRECTORY),
    "scim_resource_type": Row(args={"name": "scim_type"}, GET=DIRECTORY),
    "scim_schemas": Row(GET=DIRECTORY),
    "scim_schema": Row(args={"name": "scim_schema"}, GET=DIRECTORY),
    "scim_users": Row(GET=DIRECTORY, POST=DIRECTORY, body={"userName": "dora@example.org"}),
    "scim_user": Row(
        args={"pk": "bob"}, GET=DIRECTORY, PUT=DIRECTORY, PATCH=DIRECTORY, DELETE=DIRECTORY, body=SCIM_USER
    ),
    "scim_groups": Row(GET=DIRECTORY, POST=DIRECTORY, body={"displayName": "Another"}),
    "scim_group": Row(
        args={"pk": "group"}, GET=DIRECTORY, PUT=DIRECTORY, PATCH=DIRECTORY, DELETE=DIRECTORY, body=SCIM_GROUP
    ),
    "scim_nothing": Row(args={"rest": "share_token"}, GET=DIRECTORY),
    "withdraw_account_invitation": Row(args=OF_INVITATION, GET=ADMINISTRATOR, POST=ADMINISTRATOR),
    "account_invitation": Row(args=OF_TOKEN, GET=ANYONE),
    "person": Row(args={"person": "bob"}, GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"action": "sign_out"}),
    "audit_log": Row(GET=ADMINISTRATOR),
    "audit_csv": Row(GET=ADMINISTRATOR),
    "background_work": Row(GET=ADMINISTRATOR),
    "activity": Row(args=OF_DATASOURCE, GET=VIEWER),
    "matters": Row(GET=SIGNED_IN),
    "new_matter": Row(GET=SIGNED_IN, POST=SIGNED_IN, body={"name": "Another"}),
    "matter": Row(args=OF_MATTER, GET=ASKER),
    "rename_matter": Row(args=OF_MATTER, GET=SIGNED_IN, POST=OWNER, body={"name": "Another"}),
    "share_matter": Row(
        args=OF_MATTER, GET=SIGNED_IN, POST=OWNER, body={"email": "dora@example.org", "role": "editor"}
    ),
    "share_matter_with_group": Row(
        args=OF_MATTER, GET=SIGNED_IN, POST=OWNER, body={"group-group": 0, "group-role": "editor"}
    ),
    "change_matter_share": Row(
        args=OF_MATTER | {"share": "matter_share"}, GET=SIGNED_IN, POST=OWNER, body={"role": "viewer"}
    ),
    "put_in_matter": Row(args=OF_MATTER, GET=EDITOR, POST=EDITOR),
    "take_out_of_matter": Row(args=OF_MATTER | {"datasource": "datasource"}, GET=SIGNED_IN, POST=OWNER),
    "archive_matter": Row(args=OF_MATTER, GET=OWNER, POST=OWNER),
    "open_matter": Row(args=OF_MATTER, GET=SIGNED_IN, POST=OWNER),
    "delete_matter": Row(args=OF_MATTER, GET=OWNER, POST=OWNER),
    "usage": Row(GET=SIGNED_IN, POST=ADMINISTRATOR),
    "usage_csv": Row(GET=SIGNED_IN),
    # --- datasources ---
    "home": Row(GET=SIGNED_IN),
    "close_first_page": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "take_sample": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "open_first_page": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "new_datasource": Row(GET=SIGNED_IN, POST=SIGNED_IN, body={"name": "Another"}),
    "answer_settings": Row(
        args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"field": "strict", "strict": "on"}
    ),
    "summary_settings": Row(
        args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"field": "enabled", "enabled": "on"}
    ),
    "share_rule": Row(
        args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"field": "sharers", "sharers": "nobody"}
    ),
    "datasource_settings": Row(args=OF_DATASOURCE, GET=VIEWER),
    "settings_section": Row(args=OF_DATASOURCE | {"section": "section"}, GET=VIEWER),
    "save_setting": Row(
        args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"field": "description", "description": "Signed"}
    ),
    "choose_models": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER),
    "datasource_model_health": Row(args=OF_DATASOURCE, GET=VIEWER),
    "own_model": Row(args=OF_DATASOURCE, GET=OWNER, POST=OWNER),
    "disconnect_own_model": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER),
    "datasource_budget": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"tokens": "1000"}),
    "datasource_tabs": Row(args=OF_DATASOURCE, GET=ASKER),
    "add_member": Row(
        args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"email": "bob@example.org", "role": "editor"}
    ),
    "change_member": Row(
        args=OF_DATASOURCE | {"user": "bob"},
        GET=SIGNED_IN,
        POST=OWNER,
        body={"field": "role", "role": "editor"},
    ),
    "share_with_group": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER),
    "change_group_share": Row(
        args=OF_DATASOURCE | {"group": "group"},
        GET=SIGNED_IN,
        POST=OWNER,
        body={"field": "role", "role": "editor"},
    ),
    "bundle_file": Row(args=OF_DATASOURCE, GET=OWNER),
    "bundles": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "bundles_state": Row(GET=SIGNED_IN),
    "connectors": Row(
        args=OF_DATASOURCE,
        GET=OWNER,
        POST=OWNER,
        body={"kind": "webdav", "place": "https://dav.example/a/", "every": 60},
    ),
    "connector": Row(
        args=OF_DATASOURCE | {"connector": "connector"},
        GET=OWNER,
        POST=OWNER,
        body={"action": "switch_off"},
    ),
    "webhooks": Row(
        args=OF_DATASOURCE,
        GET=OWNER,
        POST=OWNER,
        body={"address": "https://hooks.example/", "kinds": ["run.fell"]},
    ),
    "webhook": Row(
        args=OF_DATASOURCE | {"webhook": "webhook"}, GET=OWNER, POST=OWNER, body={"action": "test"}
    ),
    "make_join_link": Row(
        args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"link-role": "viewer", "link-days": "7"}
    ),
    "withdraw_join_link": Row(args=OF_DATASOURCE | {"link": "join_link"}, GET=SIGNED_IN, POST=OWNER),
    "join": Row(args=OF_TOKEN, GET=ANYONE),  # tests.datasources tries what a token opens
    "join_page": Row(GET=ANYONE, POST=ANYONE),
    "change_invitation": Row(
        args=OF_DATASOURCE | {"invitation": "invitation"},
        GET=SIGNED_IN,
        POST=OWNER,
        body={"field": "role", "role": "editor"},
    ),
    "datasource_delete": Row(args=OF_DATASOURCE, GET=OWNER, POST=OWNER),
    # --- documents ---
    "documents": Row(args=OF_DATASOURCE, GET=ASKER),
    "documents_upload": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "documents_selection": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR, body={"action": "delete"}),
    "documents_undo": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "rechunk": Row(
        args=OF_DATASOURCE,
        GET=OWNER,
        POST=OWNER,
        body={"chunk_size": "500", "chunk_overlap": "50", "of": "all"},
    ),
    "vectors_state": Row(args=OF_DATASOURCE, GET=VIEWER),
    "change_embedding_model": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER),
    "undo_embedding_model": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER),
    "reading_pause": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "reading_resume": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "document_recognise": Row(args=OF_READER, GET=SIGNED_IN, POST=EDITOR),
    "document_retry": Row(args=OF_READER, GET=SIGNED_IN, POST=EDITOR),
    "document_cancel": Row(args=OF_READER, GET=SIGNED_IN, POST=EDITOR),
    "document_remove": Row(args=OF_READER, GET=SIGNED_IN, POST=EDITOR),
    "document_unlock": Row(args=OF_READER, GET=EDITOR, POST=EDITOR),
    "paste_text": Row(
        args=OF_DATASOURCE, GET=EDITOR, POST=EDITOR, body={"title": "Note", "text": "Rent is due."}
    ),
    "add_web_page": Row(
        args=OF_DATASOURCE, GET=EDITOR, POST=EDITOR, body={"address": "https://example.org/"}
    ),
    "document_fetch": Row(args=OF_READER, GET=SIGNED_IN, POST=EDITOR),
    "document_details": Row(args=OF_READER, GET=EDITOR, POST=EDITOR, body={"title": "Renamed"}),
    "document_replace": Row(args=OF_READER, GET=EDITOR, POST=EDITOR),
    "document_original": Row(args=OF_READER, GET=VIEWER),
    "glance": Row(args=OF_DATASOURCE, GET=VIEWER),
    "glance_file": Row(args=OF_DATASOURCE | {"form": "calendar"}, GET=VIEWER),
    "document_glance": Row(args=OF_READER, GET=VIEWER),
    "document_glance_file": Row(args=OF_READER | {"form": "calendar"}, GET=VIEWER),
    "document_terms": Row(args=OF_READER, GET=VIEWER),
    "compare_documents": Row(args=OF_READER, GET=VIEWER),
    "receipts": Row(GET=SIGNED_IN),
    "receipt": Row(args={"deletion": "deletion"}, GET=AUTHOR),
    # --- reading ---
    "palette": Row(GET=SIGNED_IN),
    "reader": Row(args=OF_READER, GET=VIEWER),
    "original_look": Row(args=OF_READER, GET=VIEWER),
    "original_look_image": Row(args=OF_READER | {"number": "first"}, GET=VIEWER),
    "passage_card": Row(args=OF_READER | OF_PASSAGE, GET=VIEWER),
    "passage_crop": Row(args=OF_READER | OF_PASSAGE | {"number": "first"}, GET=VIEWER),
    "page_image": Row(args=OF_READER | {"number": "first"}, GET=VIEWER),
    "search_all": Row(GET=SIGNED_IN),
    "search": Row(args=OF_DATASOURCE, GET=VIEWER),
    "chunks": Row(args=OF_DATASOURCE, GET=VIEWER),
    "leave_out_several": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR, body={"left_out": "true"}),
    "leave_out": Row(
        args=OF_DATASOURCE | {"chunk": "chunk"}, GET=SIGNED_IN, POST=EDITOR, body={"left_out": "true"}
    ),
    # --- the graph ---
    "graph": Row(args=OF_DATASOURCE, GET=VIEWER),
    "document_graph": Row(args=OF_DATASOURCE, GET=VIEWER),
    "graph_data": Row(args=OF_DATASOURCE, GET=VIEWER),
    "entities": Row(args=OF_DATASOURCE, GET=VIEWER),
    "entity": Row(args=OF_ENTITY, GET=VIEWER),
    "relation": Row(args=OF_DATASOURCE | {"relation": "relation"}, GET=VIEWER),
    "graph_extraction": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"extractor": "rules"}),
    "extraction_types": Row(
        args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"field": "ontology", "ontology": "research"}
    ),
    "extraction_state": Row(args=OF_DATASOURCE, GET=VIEWER),
    "extraction_budget": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER),
    "extraction_retry": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "graph_export": Row(args=OF_DATASOURCE | {"form": "form"}, GET=VIEWER),
    "graph_relations": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"action": "dismiss"}),
    "graph_review": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR),
    "graph_decisions": Row(args=OF_DATASOURCE, GET=VIEWER),
    "graph_decision_undo": Row(args=OF_DATASOURCE | {"decision": "decision"}, GET=SIGNED_IN, POST=EDITOR),
    "entity_merge": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR),
    "entity_alias": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR, body={"name": "May Inc"}),
    "entity_split": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR),
    "entity_rename": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR, body={"name": "June"}),
    "entity_types": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR, body={"types": "PERSON"}),
    "entity_hide": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR),
    # --- chat ---
    "chat": Row(args=OF_DATASOURCE, GET=ASKER),
    "ask_new": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=ASKER, body={"question": "Who?"}),
    "model_sample": Row(GET=SIGNED_IN),
    "chat_scope": Row(args=OF_DATASOURCE, GET=ASKER),
    "conversation": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "ask": Row(args=OF_CONVERSATION, GET=SIGNED_IN, POST=AUTHOR),
    "newer_questions": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "rename_conversation": Row(args=OF_CONVERSATION, GET=AUTHOR, POST=AUTHOR),
    "delete_conversation": Row(args=OF_CONVERSATION, GET=AUTHOR, POST=AUTHOR),
    "export_conversation": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "export_conversation_word": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "conversation_pack": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "conversation_pack_file": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "answer_pack": Row(args=OF_SOURCE_TURN, GET=AUTHOR),
    "answer_pack_file": Row(args=OF_SOURCE_TURN, GET=AUTHOR),
    "share_answer": Row(args=OF_SOURCE_TURN, GET=AUTHOR, POST=AUTHOR, body=SHARE),
    "share_conversation": Row(args=OF_CONVERSATION, GET=AUTHOR, POST=AUTHOR, body=SHARE),
    "share_links": Row(GET=SIGNED_IN),
    "end_share_link": Row(args={"link": "share_link"}, GET=AUTHOR, POST=AUTHOR),
    "shared": Row(args=OF_TOKEN, GET=ANYONE, POST=ANYONE),  # tests.shares tries what a token opens
    "shared_crop": Row(args=OF_TOKEN | OF_SHARED_PAGE, GET=ANYONE),
    "shared_page": Row(args=OF_TOKEN | OF_SHARED_PAGE, GET=ANYONE),
    "pack_key": Row(GET=SIGNED_IN),
    "pack_verifier": Row(GET=ANYONE),
    "instructions": Row(args=OF_DATASOURCE, GET=ASKER, POST=ASKER, body={"text": "Be brief."}),
    "notebook": Row(args=OF_DATASOURCE, GET=VIEWER),
    "verdicts": Row(args=OF_DATASOURCE, GET=ASKER),
    "export_notebook": Row(args=OF_DATASOURCE, GET=VIEWER),
    "write_memo": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR, body={"note": "0"}),
    "memo": Row(
        args=OF_MEMO, GET=VIEWER, POST=EDITOR, body={"title": "Rent", "text": "It is due.", "edition": "1"}
    ),
    "take_out_source": Row(args=OF_MEMO, GET=SIGNED_IN, POST=EDITOR, body={"n": "1"}),
    "delete_memo": Row(args=OF_MEMO, GET=EDITOR, POST=EDITOR),
    "memo_file": Row(args=OF_MEMO | {"form": "memo_form"}, GET=VIEWER),
    "change_note": Row(
        args=OF_DATASOURCE | {"note": "note"}, GET=SIGNED_IN, POST=EDITOR, body={"remark": "Look here"}
    ),
    "ask_again": Row(args=OF_SOURCE_TURN, GET=AUTHOR, POST=AUTHOR, body={"question": " "}),
    "feedback": Row(args=OF_SOURCE_TURN, GET=AUTHOR, POST=AUTHOR, body={"helpful": "yes"}),
    "stage": Row(args=OF_SOURCE_TURN, GET=AUTHOR),
    "follow_ups": Row(args=OF_SOURCE_TURN, GET=AUTHOR),
    "keep_answer": Row(args=OF_SOURCE_TURN, GET=AUTHOR, POST=AUTHOR),
    "keep_quote": Row(args=OF_SOURCE_TURN | {"n": "first"}, GET=AUTHOR, POST=AUTHOR),
    "stop": Row(args=OF_SOURCE_TURN, GET=AUTHOR, POST=AUTHOR),
    "source": Row(args=OF_SOURCE_TURN | {"n": "first"}, GET=AUTHOR),
    "source_page": Row(args=OF_SOURCE_TURN | {"n": "first", "number": "first"}, GET=AUTHOR),
    "source_card": Row(args=OF_SOURCE_TURN | {"n": "first"}, GET=AUTHOR),
    # --- tables ---
    "tables": Row(args=OF_DATASOURCE, GET=VIEWER),
    "table_new": Row(args=OF_DATASOURCE, GET=EDITOR, POST=EDITOR),
    "table": Row(args=OF_TABLE, GET=VIEWER),
    "table_state": Row(args=OF_TABLE, GET=VIEWER),
    "table_change": Row(args=OF_TABLE, GET=SIGNED_IN, POST=EDITOR, body={"action": "stop"}),
    "table_documents": Row(args=OF_TABLE, GET=EDITOR, POST=EDITOR),
    "table_export": Row(args=OF_TABLE | {"form": "form"}, GET=VIEWER),
    # --- evaluation ---
    "evaluation": Row(args=OF_DATASOURCE, GET=VIEWER),
    "evaluation_state": Row(args=OF_DATASOURCE, GET=VIEWER),
    "evaluation_new": Row(args=OF_DATASOURCE, GET=EDITOR, POST=EDITOR),
    "evaluation_end": Row(args=OF_RUN, GET=SIGNED_IN, POST=EDITOR, body={"action": "stop"}),
    "evaluation_judge": Row(args=OF_RUN, GET=EDITOR, POST=EDITOR, body={"result": "1"}),
    "evaluation_question": Row(args=OF_RUN | {"question": "question"}, GET=VIEWER),
    "evaluation_export": Row(args=OF_RUN | {"form": "form"}, GET=VIEWER),
    "question_sets": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"name": "Another"}),
    "question_set": Row(args=OF_SET, GET=VIEWER, POST=EDITOR),
    "question_set_change": Row(args=OF_SET, GET=SIGNED_IN, POST=EDITOR, body={"action": "look_again"}),
    "question_set_schedule": Row(args=OF_SET, GET=SIGNED_IN, POST=EDITOR, body={"action": "save"}),
    "question_new": Row(args=OF_SET, GET=EDITOR, POST=EDITOR),
    "questions_remove": Row(args=OF_SET, GET=SIGNED_IN, POST=EDITOR),
    "question_set_export": Row(args=OF_SET | {"form": "set_form"}, GET=VIEWER),
    "question_edit": Row(args=OF_SET | {"key": "question_key"}, GET=EDITOR, POST=EDITOR),
    # --- research ---
    "import_papers": Row(GET=SIGNED_IN),
    "import_queue": Row(GET=SIGNED_IN),
    "import_start": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "import_change": Row(args={"pk": "paper_import"}, GET=SIGNED_IN, POST=EDITOR, body={"action": "pause"}),
    "papers": Row(args=OF_DATASOURCE, GET=VIEWER),
    "papers_maps": Row(args=OF_DATASOURCE, GET=VIEWER),
    "papers_update": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "papers_export": Row(args=OF_DATASOURCE | {"form": "bibliography"}, GET=VIEWER),
    "export_cited": Row(args=OF_SOURCE_TURN | {"form": "bibliography"}, GET=AUTHOR),
    # --- compliance ---
    "gaps": Row(args=OF_DATASOURCE, GET=VIEWER),
    "gap_state": Row(args=OF_DATASOURCE, GET=VIEWER),
    "gap_shipped": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "gap_own": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "gap_check": Row(args=OF_DATASOURCE, GET=EDITOR, POST=EDITOR),
    "gap_end": Row(args=OF_DATASOURCE | {"check": "check"}, GET=SIGNED_IN, POST=EDITOR),
    "gap_attach": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR, body={"action": "detach"}),
    "gap_cut": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "gap_vendors": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR),
    "gap_vendor": Row(args=OF_DATASOURCE | {"subject": "subject"}, GET=VIEWER, POST=EDITOR),
    "gap_compare": Row(args=OF_DATASOURCE, GET=VIEWER),
    "gap_report": Row(args={"pk": "datasource", "assessment": "assessment", "form": "set_form"}, GET=VIEWER),
    "gap_delete": Row(args={"pk": "datasource", "assessment": "assessment"}, GET=EDITOR, POST=EDITOR),
    "gap_requirement": Row(args=OF_REQUIREMENT, GET=VIEWER),
    "gap_review": Row(args=OF_REQUIREMENT, GET=SIGNED_IN, POST=EDITOR, body={"action": "agree"}),
    "gap_card": Row(args=OF_EVIDENCE, GET=VIEWER),
    "gap_crop": Row(args=OF_EVIDENCE | {"page": "first"}, GET=VIEWER),
    "frameworks": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "framework_template": Row(args={"form": "set_form"}, GET=SIGNED_IN),
    "framework": Row(args={"framework": "framework"}, GET=VIEWER, POST=OWNER, body={"name": "Rules"}),
    "framework_requirement": Row(
        args={"framework": "framework", "requirement": "requirement"}, GET=OWNER, POST=OWNER
    ),
    # --- REST ---
    "api-schema": Row(GET=ANYONE),
    "api-docs": Row(GET=ANYONE),
    "api-login": Row(POST=ANYONE),
    "api-refresh": Row(POST=ANYONE),
    "api-logout": Row(POST=ANYONE),
    "api-usage": Row(GET=SIGNED_IN),
    "api-budget": Row(GET=ADMINISTRATOR, PUT=ADMINISTRATOR, body={"tokens": None, "money": None}),
    "api-datasource-budget": Row(
        args=OF_DATASOURCE, GET=VIEWER, PUT=OWNER, body={"tokens": None, "money": None}
    ),
    "api-model-roles": Row(args=OF_DATASOURCE, GET=VIEWER, PATCH=OWNER),
    "api-datasources": Row(GET=SIGNED_IN, POST=SIGNED_IN, body={"name": "Another"}),
    "api-datasource": Row(
        args=OF_DATASOURCE, GET=ASKER, PATCH=OWNER, DELETE=OWNER, body={"description": "Changed"}
    ),
    "api-loss": Row(args=OF_DATASOURCE, GET=OWNER),
    "api-members": Row(
        args=OF_DATASOURCE, GET=OWNER, POST=OWNER, body={"email": "bob@example.org", "role": "editor"}
    ),
    "api-group-shares": Row(
        args=OF_DATASOURCE, GET=OWNER, POST=OWNER, body={"group": "Editors", "role": "viewer"}
    ),
    "api-group-share": Row(
        args=OF_DATASOURCE | {"group": "group"}, PUT=OWNER, DELETE=OWNER, body={"role": "viewer"}
    ),
    "api-join-links": Row(args=OF_DATASOURCE, GET=OWNER, POST=OWNER, body={"role": "viewer"}),
    "api-join-link": Row(args=OF_DATASOURCE | {"link": "join_link"}, DELETE=OWNER),
    "api-groups": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"name": "Another"}),
    "api-group": Row(
        args={"pk": "group"},
        GET=ADMINISTRATOR,
        PATCH=ADMINISTRATOR,
        DELETE=ADMINISTRATOR,
        body={"name": "Another"},
    ),
    "api-group-members": Row(
        args={"pk": "group"}, GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"email": "bob@example.org"}
    ),
    "api-group-member": Row(args={"pk": "group", "user": "bob"}, DELETE=ADMINISTRATOR),
    "api-account-invitations": Row(GET=ADMINISTRATOR, POST=ADMINISTRATOR, body={"email": "gil@example.org"}),
    "api-account-invitation": Row(args={"pk": "account_invitation"}, DELETE=ADMINISTRATOR),
    "api-invitation": Row(
        args={"pk": "datasource", "invitation": "invitation"},
        PUT=OWNER,
        DELETE=OWNER,
        body={"role": "editor"},
    ),
    "api-member": Row(
        args={"pk": "datasource", "user": "bob"}, PUT=OWNER, DELETE=OWNER, body={"role": "editor"}
    ),
    "api-documents": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR),
    "api-documents-text": Row(args=OF_DATASOURCE, POST=EDITOR, body={"title": "", "text": "Rent"}),
    "api-documents-web-page": Row(args=OF_DATASOURCE, POST=EDITOR, body={"address": "http://127.0.0.1/"}),
    "api-documents-delete": Row(args=OF_DATASOURCE, POST=EDITOR, body={"documents": [999_999_999]}),
    "api-documents-restore": Row(args=OF_DATASOURCE, POST=EDITOR, body={"documents": [999_999_999]}),
    "api-deletions": Row(GET=SIGNED_IN),
    "api-deletion": Row(args={"pk": "deletion"}, GET=AUTHOR),
    "api-document": Row(
        args=OF_DOCUMENT, GET=VIEWER, PATCH=EDITOR, DELETE=EDITOR, body={"metadata": {"grade": "5"}}
    ),
    "api-document-replace": Row(args=OF_DOCUMENT, POST=EDITOR),
    "api-document-recognise": Row(args=OF_DOCUMENT, POST=EDITOR),
    "api-document-retry": Row(args=OF_DOCUMENT, POST=EDITOR),
    "api-document-cancel": Row(args=OF_DOCUMENT, POST=EDITOR),
    "api-pages": Row(args=OF_DOCUMENT, GET=VIEWER),
    "api-page": Row(args=OF_PAGE, GET=VIEWER),
    "api-page-image": Row(args=OF_PAGE, GET=VIEWER),
    "api-annotations": Row(args=OF_DOCUMENT, GET=VIEWER),
    "api-doubts": Row(args=OF_DOCUMENT, GET=VIEWER),
    "api-points": Row(args=OF_DOCUMENT, GET=VIEWER),
    "api-chunks": Row(args=OF_DOCUMENT, GET=VIEWER),
    "api-chunk": Row(args={"pk": "chunk"}, GET=VIEWER, PATCH=EDITOR, body={"left_out": True}),
    "api-entities": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-document-map": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-entity": Row(args={"pk": "entity"}, GET=VIEWER),
    "api-entity-mentions": Row(args={"pk": "entity"}, GET=VIEWER),
    "api-relations": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-relation": Row(args={"pk": "relation"}, GET=VIEWER),
    "api-relation-evidence": Row(args={"pk": "relation"}, GET=VIEWER),
    "api-decisions": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"kind": "hide", "entity": 0}),
    "api-decision": Row(args={"pk": "decision"}, GET=VIEWER, DELETE=EDITOR),
    "api-candidates": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-candidate": Row(args={"pk": "candidate"}, POST=EDITOR, body={"same": False}),
    "api-graph-export": Row(args=OF_DATASOURCE | {"form": "form"}, GET=VIEWER),
    "api-graph-import": Row(args=OF_DATASOURCE, POST=EDITOR),
    "api-extraction": Row(args=OF_DATASOURCE, GET=VIEWER, PATCH=OWNER, body={"ontology": "research"}),
    "api-extraction-estimate": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-failed-chunks": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-extraction-retry": Row(args=OF_DATASOURCE, POST=EDITOR),
    "api-question-sets": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"name": "Another"}),
    "api-question-set": Row(args={"pk": "question_set"}, GET=VIEWER, DELETE=EDITOR),
    "api-questions": Row(args={"pk": "question_set"}, GET=VIEWER),
    "api-schedule": Row(args={"pk": "question_set"}, PUT=EDITOR, DELETE=EDITOR),
    "api-runs": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"question_set": 999_999_999}),
    "api-run": Row(args={"pk": "run"}, GET=VIEWER, DELETE=EDITOR),
    "api-run-stop": Row(args={"pk": "run"}, POST=EDITOR),
    "api-results": Row(args={"pk": "run"}, GET=VIEWER),
    "api-tables": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"name": "Another"}),
    "api-table": Row(args={"pk": "table"}, GET=VIEWER, DELETE=EDITOR),
    "api-table-fill": Row(args={"pk": "table"}, POST=EDITOR),
    "api-table-stop": Row(args={"pk": "table"}, POST=EDITOR),
    "api-paper-searches": Row(POST=SIGNED_IN, body={"words": "lanterns"}),
    "api-paper-search": Row(args={"pk": "paper_search"}, GET=AUTHOR),
    "api-papers": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-paper-imports": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"papers": ["2401.00001"]}),
    "api-paper-import": Row(args={"pk": "paper_import"}, GET=VIEWER),
    "api-paper-import-pause": Row(args={"pk": "paper_import"}, POST=EDITOR),
    "api-paper-import-resume": Row(args={"pk": "paper_import"}, POST=EDITOR),
    "api-paper-import-cancel": Row(args={"pk": "paper_import"}, POST=EDITOR),
    "api-bibliography": Row(args=OF_TURN | {"form": "bibliography"}, GET=AUTHOR),
    "api-frameworks": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "api-framework": Row(
        args={"pk": "framework"}, GET=VIEWER, PATCH=OWNER, DELETE=OWNER, body={"is_shared": False}
    ),
    "api-requirements": Row(args={"pk": "framework"}, GET=VIEWER),
    "api-requirement": Row(
        args={"pk": "framework", "requirement": "requirement"}, PATCH=OWNER, body={"domain": "Data"}
    ),
    "api-attachments": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"framework": 999_999_999}),
    "api-attachment": Row(args=OF_DATASOURCE | {"framework": "framework"}, DELETE=EDITOR),
    "api-vendors": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"name": "Another"}),
    "api-vendor": Row(args={"pk": "subject"}, GET=VIEWER, PATCH=EDITOR, DELETE=EDITOR, body={"name": "New"}),
    "api-assessments": Row(
        args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"framework": 999_999_999, "subject": 999_999_999}
    ),
    "api-assessment": Row(args={"pk": "assessment"}, GET=VIEWER, DELETE=EDITOR),
    "api-findings": Row(args={"pk": "assessment"}, GET=VIEWER),
    "api-reviews": Row(args={"pk": "assessment"}, POST=EDITOR, body={"requirement": 1, "kind": "agree"}),
    "api-assessment-report": Row(args={"pk": "assessment", "form": "set_form"}, GET=VIEWER),
    "api-check-stop": Row(args={"pk": "check"}, POST=EDITOR),
    "api-rag-retrieve": Row(POST=SIGNED_IN, body={"query": "When does the clause end?"}),
    "api-matters": Row(GET=SIGNED_IN, POST=SIGNED_IN, body={"name": "Another"}),
    "api-matter": Row(args=OF_MATTER, GET=ASKER, PATCH=OWNER, DELETE=OWNER, body={"name": "Another"}),
    "api-matter-shares": Row(args=OF_MATTER, POST=OWNER, body={"email": "dora@example.org"}),
    "api-matter-share": Row(
        args=OF_MATTER | {"share": "matter_share"}, PUT=OWNER, DELETE=OWNER, body={"role": "viewer"}
    ),
    "api-matter-datasource": Row(args=OF_MATTER | {"datasource": "datasource"}, PUT=OWNER, DELETE=OWNER),
    "api-openai-models": Row(GET=SIGNED_IN),
    "api-openai-model": Row(args={"name": "datasource_as_model"}, GET=ASKER),
    "api-openai-chat-completions": Row(POST=SIGNED_IN, body={"model": "svq-0", "messages": []}),
    "api-rag-query": Row(POST=SIGNED_IN, body={"question": " "}),
    "api-compatible-datasources": Row(GET=SIGNED_IN, POST=SIGNED_IN, body={"name": "Another"}),
    "api-compatible-documents": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "api-compatible-document": Row(args={"document": "document_as_id"}, GET=VIEWER, DELETE=EDITOR),
    "api-compatible-chunks": Row(args={"document": "document_as_id"}, GET=VIEWER),
    "api-compatible-query": Row(POST=SIGNED_IN, body={"question": " "}),
    "api-compatible-embed": Row(POST=SIGNED_IN, body={"text": "Rent"}),
    "api-compatible-rerank": Row(POST=SIGNED_IN, body={"query": "Rent", "documents": []}),
    "api-compatible-build-graph": Row(POST=SIGNED_IN, body={"topic": ""}),
    "api-compatible-agent-action": Row(
        POST=SIGNED_IN, body={"action": "chat", "query": "", "session_id": "1"}
    ),
    "api-conversations": Row(args=OF_DATASOURCE, GET=ASKER, POST=ASKER),
    "api-ask": Row(args=OF_DATASOURCE, POST=ASKER, body={"question": "Why?", "wait": False}),
    "api-conversation": Row(
        args={"pk": "conversation"}, GET=AUTHOR, PATCH=AUTHOR, DELETE=AUTHOR, body={"title": "Changed"}
    ),
    "api-conversation-export": Row(args={"pk": "conversation"}, GET=AUTHOR),
    "api-turn": Row(args=OF_TURN, GET=AUTHOR),
    "api-turn-again": Row(args=OF_TURN, POST=AUTHOR, body={"question": "In days?", "wait": False}),
    "api-turn-feedback": Row(args=OF_TURN, GET=AUTHOR, PUT=AUTHOR, DELETE=AUTHOR, body={"helpful": True}),
    "api-turn-follow-ups": Row(args=OF_TURN, GET=AUTHOR),
    "api-instructions": Row(args=OF_DATASOURCE, GET=ASKER, PUT=ASKER, body={"text": "Be brief."}),
    "api-answering": Row(args=OF_DATASOURCE, GET=VIEWER, PATCH=OWNER, body={"strict": True}),
    "api-model-choices": Row(args=OF_DATASOURCE, GET=ASKER),
    "api-notebook": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR),
    "api-notebook-export": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-note": Row(args={"pk": "datasource", "note": "note"}, DELETE=EDITOR),
    "api-memos": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"notes": []}),
    "api-memo": Row(
        args=OF_MEMO,
        GET=VIEWER,
        PATCH=EDITOR,
        DELETE=EDITOR,
        body={"title": "Rent", "text": "It is due.", "edition": 1},
    ),
    "api-memo-notes": Row(args=OF_MEMO, POST=EDITOR, body={"notes": []}),
    "api-memo-source": Row(args=OF_MEMO | {"n": "first"}, DELETE=EDITOR),
    "api-memo-file": Row(args=OF_MEMO | {"form": "memo_form"}, GET=VIEWER),
    "api-turn-stop": Row(args=OF_TURN, POST=AUTHOR),
    "api-turn-export": Row(args=OF_TURN, GET=AUTHOR),
    "api-turn-pack": Row(args=OF_TURN, GET=AUTHOR),
    "api-conversation-pack": Row(args={"pk": "conversation"}, GET=AUTHOR),
    "api-bundle": Row(args=OF_DATASOURCE, GET=OWNER),
    "api-bundle-imports": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "api-bundle-import": Row(args={"pk": "bundle_import"}, GET=AUTHOR),
    "api-connectors": Row(
        args=OF_DATASOURCE,
        GET=OWNER,
        POST=OWNER,
        body={"kind": "webdav", "place": "https://dav.example/a/"},
    ),
    "api-connector": Row(
        args=OF_DATASOURCE | {"connector": "connector"},
        GET=OWNER,
        PATCH=OWNER,
        DELETE=OWNER,
        body={"deletes": False},
    ),
    "api-connector-files": Row(args=OF_DATASOURCE | {"connector": "connector"}, GET=OWNER),
    "api-connector-look": Row(args=OF_DATASOURCE | {"connector": "connector"}, POST=OWNER),
    "api-outside-tools": Row(args=OF_DATASOURCE, GET=OWNER, PUT=OWNER, body={"tools": []}),
    "api-connector-readers": Row(args=OF_DATASOURCE | {"connector": "connector"}, GET=OWNER),
    "api-connector-reader": Row(
        args=OF_DATASOURCE | {"connector": "connector", "reader": "reader"},
        PUT=OWNER,
        body={"group": "Editors"},
    ),
    "api-webhooks": Row(
        args=OF_DATASOURCE,
        GET=OWNER,
        POST=OWNER,
        body={"address": "https://hooks.example/", "kinds": ["run.fell"]},
    ),
    "api-webhook": Row(
        args=OF_DATASOURCE | {"webhook": "webhook"},
        GET=OWNER,
        PATCH=OWNER,
        DELETE=OWNER,
        body={"is_on": False},
    ),
    "api-signing-key": Row(GET=SIGNED_IN),
    "api-turn-share-links": Row(args=OF_TURN, POST=AUTHOR, body=SHARE),
    "api-conversation-share-links": Row(args={"pk": "conversation"}, POST=AUTHOR, body=SHARE),
    "api-share-links": Row(GET=SIGNED_IN),
    "api-share-link": Row(args={"pk": "share_link"}, GET=AUTHOR, DELETE=AUTHOR),
    "api-citation": Row(args=OF_CITATION, GET=AUTHOR),
    "api-citation-image": Row(args=OF_CITED_PAGE, GET=AUTHOR),
    "api-citation-crop": Row(args=OF_CITED_PAGE, GET=AUTHOR),
    "api-citation-pdf": Row(args=OF_CITATION, GET=AUTHOR),
}


# --- the addresses ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    name: str  # with its namespaces; empty for a pattern that has none
    route: str
    arguments: tuple[str, ...]
    module: str  # of the view

    @property
    def is_admins(self) -> bool:
        return self.route.startswith("admin/")

    @property
    def is_allauths(self) -> bool:
        return self.module.startswith("allauth.")


def walk(
    resolver: URLResolver, spaces: str = "", route: str = "", given: tuple[str, ...] = ()
) -> Iterator[Address]:
    """All addresses below a resolver."""
    for entry in resolver.url_patterns:
        here = route + str(entry.pattern)
        names = given + tuple(entry.pattern.converters) + tuple(entry.pattern.regex.groupindex)
        arguments = tuple(dict.fromkeys(names))
        if isinstance(entry, URLPattern):
            name = f"{spaces}{entry.name}" if entry.name else ""
            yield Address(name=name, route=here, arguments=arguments, module=entry.callback.__module__)
        else:
            inner = f"{spaces}{entry.namespace}:" if entry.namespace else spaces
            yield from walk(entry, inner, here, arguments)


ADDRESSES = list(walk(get_resolver()))
OURS = [address for address in ADDRESSES if not (address.is_admins or address.is_allauths)]
ADMINS = [address for address in ADDRESSES if address.is_admins]
ALLAUTHS = [address for address in ADDRESSES if address.is_allauths]


def path_of(name: str, world: Any) -> str:
    """The address of that name, with the arguments that its row takes from the world."""
    return reverse(name, kwargs={argument: getattr(world, of) for argument, of in ROWS[name].args.items()})
