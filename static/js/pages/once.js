// A form is sent once, however often its button is tapped; the desk needs that as all pages do.

/** @param {Event} event */
function disableOnSubmit(event) {
  // A second tap on a slow line must not send the form twice.
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset.sent) event.preventDefault();
  if (form.method === "post") form.dataset.sent = "yes";
}

function forgetSent() {
  // The browser may bring the page back from its cache, with the form as it was.
  for (const form of document.forms) delete form.dataset.sent;
}

document.addEventListener("submit", disableOnSubmit);
window.addEventListener("pageshow", forgetSent);
