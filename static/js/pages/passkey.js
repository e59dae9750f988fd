// Offers passkeys if the browser supports them, and explains failures on the page.

// Passkeys do not work with IP addresses.
const named = !/^[\d.]+$|^\[/.test(location.hostname);
const possible = named && window.isSecureContext && "PublicKeyCredential" in window;

/** @param {string} mark @param {boolean} shown */
function show(mark, shown) {
  for (const part of document.querySelectorAll(`[${mark}]`)) part.toggleAttribute("hidden", !shown);
}

/** @param {Event} event */
function tellFailure(event) {
  event.preventDefault(); // otherwise, allauth's script only writes the error to the console
  show("data-passkey-failed", true);
}

show("data-passkey", possible);
show("data-passkey-needs", !possible);
document.addEventListener("allauth.error", tellFailure);
