"""The public page that verifies a certificate, and the download of a player's own certificate."""

import io

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.events.closing.certificates import make_diploma, verify_certificate
from tournament.models import Certificate
from tournament.pure.files.certificate import write_certificates
from tournament.web.pages.site.shared import event_or_404, own_registration


@require_safe
def certificate_page(request: HttpRequest, certificate: str) -> HttpResponse:
    """Show whether a certificate is valid.

    Its code cannot be guessed, so only people who have seen the certificate can open the page.
    """
    certificate_proof = verify_certificate(certificate)
    if certificate_proof is None or certificate_proof.event.freeze:
        raise Http404
    timezone.activate(certificate_proof.event.zone)
    return render(
        request,
        "tournament/closing/certificate.html",
        {"proof": certificate_proof, "event": certificate_proof.event},
    )


@login_required
@require_safe
def my_certificate(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the visitor's own certificate as a PDF."""
    event = event_or_404(request, slug)
    registration = own_registration(request, event)
    certificate = (
        registration.certificates.filter(withdrawn_at__isnull=True).first()
        if registration
        else None
    )
    if certificate is None or not event.locked_at or event.freeze:
        raise Http404
    out = io.BytesIO()
    write_certificates([make_diploma(certificate, proof_address(request, certificate))], out)
    return HttpResponse(
        out.getvalue(),
        content_type="application/pdf",
        headers={"Content-Disposition": f'attachment; filename="{event.slug}-certificate.pdf"'},
    )


def proof_address(request: HttpRequest, certificate: Certificate) -> str:
    """Return the absolute URL of the page that verifies the certificate."""
    return request.build_absolute_uri(reverse("certificate", args=[certificate.code]))
