// Keeps unsaved changes of seats from getting lost. If another form is submitted, a dialog offers to save them; if
// a link is followed, the browser warns.
import { find, part } from "../elements.js";
import { ngettext } from "../text.js";

/** @typedef {import("./arrangement.js").Arrangement} Arrangement */
/** @typedef {{ form: HTMLFormElement, button: HTMLElement|null }} Sent the form to be submitted, and its button */

/** @param {HTMLFormElement} own the form that saves the changes @param {Arrangement} arrangement
 * @param {() => void} show shows it as it is */
export function guard(own, arrangement, show) {
  const ask = question(own, arrangement);
  /** @param {SubmitEvent} event */
  function sent(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form === own) carry(own, arrangement);
    else if (arrangement.moves.length) {
      event.preventDefault();
      event.stopPropagation(); // otherwise once.js would mark the form as sent
      // While a player is chosen, the field for the reason is hidden, so it could not be required.
      arrangement.cancel();
      show();
      ask({ form, button: event.submitter });
    }
  }
  document.addEventListener("submit", sent, { capture: true });
  window.addEventListener("beforeunload", (event) => {
    if (arrangement.moves.length) event.preventDefault();
  });
}

/** Add the changes to this form, so that they are submitted with it.
 * @param {HTMLFormElement} form @param {Arrangement} arrangement */
function carry(form, arrangement) {
  for (const move of arrangement.written()) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "move", value: move }));
  }
  arrangement.clear();
}

/** @param {HTMLFormElement} own @param {Arrangement} arrangement */
function question(own, arrangement) {
  /** @type {HTMLDialogElement} */
  const dialog = part(document, "#not-saved");
  /** @type {Sent|null} */
  let waiting = null;
  dialog.addEventListener("click", ({ target }) => {
    const go = /** @type {HTMLElement} */ (target).dataset.go;
    if (!go) return;
    dialog.close();
    if (go !== "stay" && waiting) answer(waiting, go === "keep");
  });

  /** @param {Sent} sent @param {boolean} keep */
  function answer({ form, button }, keep) {
    if (keep && !publishes(button)) own.requestSubmit(part(own, "[name=action]"));
    else {
      if (keep) carry(form, arrangement);
      arrangement.clear();
      form.requestSubmit(button);
    }
  }

  return (/** @type {Sent} */ sent) => {
    waiting = sent;
    const { length } = arrangement.moves;
    find("not-saved-count").textContent = ngettext("%(count)s seat change hasn’t been saved.", "%(count)s seat changes haven’t been saved.", length);
    const way = publishes(sent.button) ? "publish" : "other";
    for (const go of ["keep", "drop"]) {
      const button = part(dialog, `[data-go=${go}]`);
      button.textContent = button.dataset[way] ?? "";
    }
    dialog.showModal();
  };
}

/** Whether the button publishes the seats, which also saves the changes. @param {HTMLElement|null} button */
const publishes = (button) => /** @type {HTMLButtonElement|null} */ (button)?.value === "publish";
