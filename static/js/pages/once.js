// Keeps forms from being sent twice.

/** @param {Event} event */
function disableOnSubmit(event) {
  // On a slow connection, the button may be tapped again before the next page appears.
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset.sent) event.preventDefault();
  if (form.method === "post") form.dataset.sent = "yes";
}

function forgetSent() {
  // The browser may restore the page, including this mark, from its cache.
  for (const form of document.forms) delete form.dataset.sent;
}

document.addEventListener("submit", disableOnSubmit);
window.addEventListener("pageshow", forgetSent);
