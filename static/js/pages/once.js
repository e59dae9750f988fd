// Sends a form only once, however often its button is tapped. The admin uses this like all other pages.

/** @param {Event} event */
function disableOnSubmit(event) {
  // A second tap on a slow connection must not send the form twice.
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset.sent) event.preventDefault();
  if (form.method === "post") form.dataset.sent = "yes";
}

function forgetSent() {
  // The browser may restore the page from its cache, including the mark that the form was sent.
  for (const form of document.forms) delete form.dataset.sent;
}

document.addEventListener("submit", disableOnSubmit);
window.addEventListener("pageshow", forgetSent);
