// Passkeys are offered only if the browser supports them. Errors are explained on the page.

// A passkey belongs to a host name, so an IP address cannot have one.
const named = !/^[\d.]+$|^\[/.test(location.hostname);
const possible = named && window.isSecureContext && "PublicKeyCredential" in window;

/** @param {string} mark @param {boolean} shown */
function show(mark, shown) {
  for (const part of document.querySelectorAll(`[${mark}]`)) part.toggleAttribute("hidden", !shown);
}

/** @param {Event} event */
function tellFailure(event) {
  event.preventDefault(); // otherwise allauth's script writes the error to the console, where no one sees it
  show("data-passkey-failed", true);
}

show("data-passkey", possible);
show("data-passkey-needs", !possible);
document.addEventListener("allauth.error", tellFailure);
