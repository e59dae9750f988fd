// Seats are changed by dragging names, or by pressing a name and then where it goes. After each
// change the server answers with the tables as they would be and the rules then broken; one press
// saves them all.
import { gettext, ngettext } from "../text.js";
import { Arrangement } from "./arrangement.js";
import { draggable } from "./drag.js";

const PLACES = "[data-player], [data-target]";

/** @type {HTMLFormElement} */
const form = document.querySelector("#arrange");
/** @type {HTMLElement} */
const seats = document.querySelector("#seats");
const arrangement = new Arrangement();

/** @param {string} name @returns {HTMLElement} */
const part = (name) => form.querySelector(`[data-${name}]`);
/** @param {string} player @returns {HTMLButtonElement|null} */
const chip = (player) => seats.querySelector(`[data-player="${player}"]`);
const saved = seats?.innerHTML;
const hint = form && part("told").textContent;
// The answer to an earlier question is of no use any more.
let asked = 0;

function told(refused) {
  const { chosen, moves } = arrangement;
  if (refused) return refused;
  if (chosen) {
    return gettext("%(name)s goes where? Press another name to swap, a table, or one of these.", {
      name: chip(chosen)?.textContent.trim() ?? "",
    });
  }
  if (!moves.length) return hint;
  return ngettext("%(count)s change, not saved yet.", "%(count)s changes, not saved yet.", moves.length);
}

function show(refused = "") {
  const chosen = arrangement.chosen;
  for (const each of seats.querySelectorAll(".chip")) {
    const button = /** @type {HTMLButtonElement} */ (each);
    button.disabled = false;
    button.setAttribute("aria-pressed", String(button.dataset.player === chosen));
  }
  for (const each of seats.querySelectorAll(".place")) /** @type {HTMLElement} */ (each).hidden = chosen === null;
  part("places").hidden = chosen === null;
  part("unsaved").hidden = arrangement.moves.length === 0 || chosen !== null;
  part("told").textContent = told(refused);
  part("told").classList.toggle("refused", refused !== "");
}

async function look(player = "") {
  const number = (asked += 1);
  if (!arrangement.moves.length) {
    seats.innerHTML = saved;
    show();
    return;
  }
  const query = new URLSearchParams([["seen", form.elements.namedItem("seen")["value"]]]);
  for (const move of arrangement.written()) query.append("move", move);
  const answer = await fetch(`${form.dataset.supposed}?${query}`).then((got) => got.json());
  if (number !== asked) return;
  if (answer.refused) {
    arrangement.undo();
    show(answer.refused);
  } else {
    seats.innerHTML = answer.html;
    show();
  }
  chip(player)?.focus();
}

function placed(player) {
  look(player).catch(() => {
    arrangement.undo();
    show(gettext("The site did not answer: the last change is not made. Try it again."));
  });
}

function press(event) {
  const place = event.target.closest("button");
  const player = arrangement.chosen;
  if (!place) return;
  const done = place.dataset.player ? arrangement.press(place.dataset.player) : arrangement.place(place.dataset.target);
  if (done) placed(player);
  else show();
}

const DEEDS = {
  cancel: () => arrangement.cancel(),
  undo: () => arrangement.undo(),
  clear: () => arrangement.clear(),
};

function command(event) {
  const button = event.target.closest("button");
  const deed = DEEDS[button?.dataset.do];
  if (!deed) return;
  deed();
  look().catch(() => location.reload());
}

function escape(event) {
  if (event.key !== "Escape" || arrangement.chosen === null) return;
  const player = arrangement.chosen;
  arrangement.cancel();
  show();
  chip(player)?.focus();
}

function drop(player, place) {
  arrangement.cancel();
  arrangement.press(player);
  if (place.dataset.player ? arrangement.press(place.dataset.player) : arrangement.place(place.dataset.target)) placed(player);
}

function send() {
  for (const move of arrangement.written()) {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "move", value: move });
    form.append(field);
  }
  arrangement.clear();
}

function leaving(event) {
  if (arrangement.moves.length) event.preventDefault();
}

if (form) {
  form.hidden = false;
  seats.addEventListener("click", press);
  part("places").addEventListener("click", (event) => {
    if (/** @type {HTMLElement} */ (event.target).closest("[data-target]")) press(event);
  });
  form.addEventListener("click", command);
  form.addEventListener("submit", send);
  document.addEventListener("keydown", escape);
  window.addEventListener("beforeunload", leaving);
  draggable(seats, PLACES, drop);
  show();
}
