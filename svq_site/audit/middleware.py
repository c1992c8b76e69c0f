"""Notes what people's requests have done in the audit log."""

from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from accounts.audit import note_request
from accounts.models import User
from svq_site.audit.acts import about, act_of

FAILED = 400  # and above
ADMIN = "admin"  # it notes each look itself, and keeps a history of changes


class NoteRequests(MiddlewareMixin):
    """Behind that of authentication. What was refused or went wrong has done nothing and is not noted."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        if match is None or match.namespace == ADMIN or response.status_code >= FAILED:
            return response
        if act := act_of(request, match.url_name):
            person = request.user  # REST has put the one of the token here by now
            if isinstance(person, User):
                kind, number, datasource = about(match)
                document = request.META.get("audit_document")  # of a quote: its address names the answer
                note_request(
                    person,
                    act,
                    subject="document" if document else kind,
                    number=str(document or number),
                    datasource=datasource,
                    address=f"{request.method} {request.path}",
                )
        return response
