// Explains the game at a player's first table, one step at a time below the cards. Actions of the player complete
// steps. The server sends the texts, and which steps fit the current position.

import { cardHelp } from "./cards.js";
import { h, setAttribute, setText } from "./dom.js";
import { gettext, sentence } from "../text.js";

/** @import { State } from "./store.js" */

/** Return the step to show: the current one, unless another step fits the position better, or else the first unread
 * step. Pure.
 * @param {Protocol.CoachStep[]} steps view.coach
 * @param {Set<string>} read keys of the completed steps
 * @param {string|null} current key of the step being read */
export function stepToShow(steps, read, current) {
  const left = steps.filter(({ key }) => !read.has(key));
  const now = left.find(({ key }) => key === current);
  return (now?.due ? now : left.find(({ due }) => due)) ?? now ?? left[0] ?? null;
}

/** Return the keys of the steps that these events make unnecessary. Pure apart from the deck.
 * @param {Protocol.Event[]} events @param {number|null} you @returns {string[]} their keys */
export function learnt(events, you) {
  return events.flatMap(({ event, seat, card, uno, why }) => {
    if (event === "over") return ["score"];
    if (seat !== you || you === null) return [];
    if (event === "played") return ["fits", ...(card && cardHelp(card).title ? ["special"] : []), ...(uno ? ["uno"] : [])];
    if (event === "drew") return [why === "turn" ? "draw" : "stack"];
    return event === "called" || event === "caught" ? ["uno"] : [];
  });
}

/** Selector of the part of the table that a step is about. Winning has none. @type {Record<string, string>} */
const PLACES = {
  fits: ".discard", draw: ".action-draw", special: ".discard", stack: ".facts", uno: ".action-call",
};

/** Steps that explain a possible action, such as a playable card or the UNO button. */
const SHOWN_BY_DOING = ["fits", "uno"];

/** @param {Protocol.CoachStep} step */
const wordsOf = ({ key, due, text, hint }) => (due && SHOWN_BY_DOING.includes(key) ? hint : text);

/** Create the coach. The server's HTML has already reserved its space with `data-coach`.
 * @param {HTMLElement} root @param {HTMLElement} table
 * @param {{taught: () => boolean, done: () => void, say: (text: string) => void}} handlers */
export function makeCoach(root, table, { taught, done, say }) {
  /** @type {Set<string>} */
  let read = new Set();
  /** @type {string|null} */
  let current = null;
  /** @type {Protocol.CoachStep[]} */
  let steps = [];
  const title = h("b.coach-title");
  const place = h("span.coach-place");
  const text = h("span.coach-text");
  const next = h("button.coach-next", { type: "button", onclick: () => finish(current === null ? [] : [current]) });
  const skip = h("button.coach-skip", { type: "button", "aria-label": gettext("Skip"), title: gettext("Skip"), onclick: () => finish(steps.map(({ key }) => key)) }, "✕");
  root.replaceChildren(h("p", { tabindex: "0" }, title, " ", text), place, next, skip);

  /** @param {string[]} keys */
  function finish(keys) {
    if (taught()) return;
    for (const key of keys) read.add(key);
    if (steps.length && steps.every((step) => read.has(step.key))) done();
    show(steps);
  }

  /** @param {Protocol.CoachStep[]} wanted @param {boolean} [open] whether the coach is visible, as
   * during a hand */
  function show(wanted, open = true) {
    steps = wanted ?? [];
    const step = taught() ? null : stepToShow(steps, read, current);
    const within = root.contains(document.activeElement);
    setAttribute(table, "data-coach", step ? "" : null);
    root.hidden = !step || !open;
    mark(open ? step : null);
    if (!step || !open) return;
    setText(title, step.title);
    setText(place, gettext("%(step)s of %(last)s", { step: read.size + 1, last: steps.length }));
    setText(text, wordsOf(step));
    name(next, read.size + 1 === steps.length ? gettext("Done") : gettext("Next"));
    setText(next, read.size + 1 === steps.length ? "✓" : "›");
    if (current !== step.key) say(`${sentence(step.title)} ${wordsOf(step)}`);
    current = step.key;
    if (within && !root.contains(document.activeElement)) next.focus();
  }

  return {
    /** @param {State} state */
    show: ({ view }) => show(view.match.phase === "over" ? [] : view.coach, view.match.phase === "playing"),
    /** @param {Protocol.Event[]} events @param {number|null} you */
    hear: (events, you) => finish(learnt(events, you)),
    again() {
      read = new Set();
      current = null;
    },
    focus: () => next.focus(),
  };
}

/** @param {Element} button @param {string} words */
function name(button, words) {
  setAttribute(button, "aria-label", words);
  setAttribute(button, "title", words);
}

/** @param {Protocol.CoachStep|null} step */
function mark(step) {
  for (const marked of document.querySelectorAll("[data-coached]")) marked.removeAttribute("data-coached");
  if (step && PLACES[step.key]) document.querySelector(PLACES[step.key])?.setAttribute("data-coached", "");
}
