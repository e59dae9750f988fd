// Passkeys: offered only where the browser can make them; what went wrong is said in words.

// A passkey belongs to a name: a bare address has none.
const named = !/^[\d.]+$|^\[/.test(location.hostname);
const possible = named && window.isSecureContext && "PublicKeyCredential" in window;

/** @param {string} mark @param {boolean} shown */
function show(mark, shown) {
  for (const part of document.querySelectorAll(`[${mark}]`)) part.toggleAttribute("hidden", !shown);
}

/** @param {Event} event */
function tellFailure(event) {
  event.preventDefault(); // else allauth's script writes it to the console, where nobody looks
  show("data-passkey-failed", true);
}

show("data-passkey", possible);
show("data-passkey-needs", !possible);
document.addEventListener("allauth.error", tellFailure);
