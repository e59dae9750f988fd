// Lets organizers change seats by dragging a name, or by pressing a name and then its new place. After each change,
// the server returns the resulting tables and the rules that they violate. One button saves all changes.
import { find, part } from "../elements.js";
import { gettext, ngettext } from "../text.js";
import { Arrangement } from "./arrangement.js";
import { draggable } from "./drag.js";
import { guard } from "./unsaved.js";

const PLACES = "[data-player], [data-target]";

// Missing if seats cannot be changed now.
const form = /** @type {HTMLFormElement} */ (document.querySelector("#arrange"));
const seats = find("seats");
const arrangement = new Arrangement();

/** @param {string} name */
const place = (name) => part(form, `[data-${name}]`);
/** @param {string} player @returns {HTMLButtonElement|null} */
const chip = (player) => seats.querySelector(`[data-player="${player}"]`);
const saved = seats.innerHTML;
// On touch screens, names are tapped instead of dragged.
const touch = matchMedia("(pointer: coarse)").matches;
const hint = form ? ((touch && place("told").dataset.touch) || place("told").textContent) : "";
// Number of the latest request. Responses to earlier ones are ignored.
let asked = 0;

/** @param {string} refused */
function showMessage(refused) {
  const { chosen, moves } = arrangement;
  if (refused) return refused;
  if (chosen) {
    return gettext("Where should %(name)s go? Choose another player to swap with, a table, or one of these options.", {
      name: chip(chosen)?.textContent.trim() ?? "",
    });
  }
  if (!moves.length) return hint;
  return ngettext("%(count)s unsaved change", "%(count)s unsaved changes", moves.length);
}

function show(refused = "") {
  const chosen = arrangement.chosen;
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (seats.querySelectorAll(".chip"))) {
    button.disabled = false;
    button.setAttribute("aria-pressed", String(button.dataset.player === chosen));
  }
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (seats.querySelectorAll(".place"))) each.hidden = chosen === null;
  place("places").hidden = chosen === null;
  place("unsaved").hidden = arrangement.moves.length === 0 || chosen !== null;
  place("told").textContent = showMessage(refused);
  place("told").classList.toggle("refused", refused !== "");
}

async function look(player = "") {
  const number = (asked += 1);
  if (!arrangement.moves.length) {
    seats.innerHTML = saved;
    show();
    return;
  }
  /** @type {HTMLInputElement} */
  const seen = part(form, "[name=seen]");
  const query = new URLSearchParams([["seen", seen.value]]);
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

/** @param {string|null} player who keeps the keyboard */
function placed(player) {
  look(player ?? "").catch(() => {
    arrangement.undo();
    show(gettext("The site didn’t answer, so the last change wasn’t made. Try again."));
  });
}

/** Move the chosen player there, and return whether a move was added.
 * @param {HTMLElement} to a player's name, a table, or one of the other places */
function goTo({ dataset: { player, target } }) {
  return player ? arrangement.press(player) : arrangement.place(target ?? "");
}

/** @param {Event} event */
function press(event) {
  const button = buttonOf(event);
  const player = arrangement.chosen;
  if (!button) return;
  if (goTo(button)) placed(player);
  else show();
}

/** @param {Event} event @returns {HTMLButtonElement|null} */
const buttonOf = (event) => /** @type {Element} */ (event.target).closest("button");

/** @type {Record<string, () => void>} */
const COMMANDS = {
  cancel: () => arrangement.cancel(),
  undo: () => arrangement.undo(),
  clear: () => arrangement.clear(),
};

/** @param {Event} event */
function command(event) {
  const run = COMMANDS[buttonOf(event)?.dataset.do ?? ""];
  if (!run) return;
  run();
  look().catch(() => location.reload());
}

/** @param {KeyboardEvent} event */
function escape(event) {
  if (event.key !== "Escape" || arrangement.chosen === null) return;
  const player = arrangement.chosen;
  arrangement.cancel();
  show();
  chip(player)?.focus();
}

/** @param {string} player @param {HTMLElement} to */
function drop(player, to) {
  arrangement.cancel();
  arrangement.press(player);
  if (goTo(to)) placed(player);
}

if (form) {
  form.hidden = false;
  seats.addEventListener("click", press);
  place("places").addEventListener("click", (event) => {
    if (/** @type {HTMLElement} */ (event.target).closest("[data-target]")) press(event);
  });
  form.addEventListener("click", command);
  document.addEventListener("keydown", escape);
  guard(form, arrangement, show);
  draggable(seats, PLACES, drop);
  show();
}
