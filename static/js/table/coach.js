// A first table explains itself: one short step at a time, above the felt, in nobody's way.
// What the steps say, and which of them the table shows right now, comes from the server.

import { h, setText } from "./dom.js";
import { gettext, sentence } from "../text.js";

/** @import { State } from "./store.js" */

/** The step to show: one that the table shows now, else the first that was not read. Pure.
 *
 * @param {Protocol.CoachStep[]} steps view.coach
 * @param {Set<string>} read keys of the steps that are done with
 * @param {string|null} current key of the step being read: it stays until it is done with
 */
export function stepToShow(steps, read, current) {
  const left = steps.filter(({ key }) => !read.has(key));
  return left.find(({ key }) => key === current) ?? left.find(({ due }) => due) ?? left[0] ?? null;
}

/** Where a step's subject is on the table. @type {Record<string, string>} */
const PLACES = {
  fits: ".discard", draw: ".action-draw", special: ".discard", stack: ".facts", uno: ".action-call", score: "#rules",
};

/**
 * @param {HTMLElement} root
 * @param {{taught: () => boolean, done: () => void, say: (text: string) => void}} handlers
 */
export function makeCoach(root, { taught, done, say }) {
  /** @type {Set<string>} */
  let read = new Set();
  /** @type {string|null} */
  let current = null;
  const title = h("h2");
  const place = h("span.coach-place");
  const text = h("p");
  const hint = h("p.coach-hint");
  const next = h("button.coach-next", { type: "button", onclick: () => finish(current) }, gettext("Next"));
  const skip = h("button.coach-skip", { type: "button", onclick: () => finish(null) }, gettext("Skip"));
  root.replaceChildren(h("div.coach-head", {}, title, place, skip, next), text, hint);
  /** @type {Protocol.CoachStep[]} */
  let steps = [];

  /** @param {string|null} key */
  function finish(key) {
    for (const step of steps) if (key === null || step.key === key) read.add(step.key);
    current = null;
    if (steps.every((step) => read.has(step.key))) done();
    else show(steps);
  }

  /** @param {Protocol.CoachStep[]} wanted */
  function show(wanted) {
    steps = wanted ?? [];
    const step = taught() ? null : stepToShow(steps, read, current);
    const within = root.contains(document.activeElement);
    root.hidden = !step;
    mark(step);
    if (!step) return;
    setText(title, step.title);
    setText(place, gettext("%(step)s of %(last)s", { step: read.size + 1, last: steps.length }));
    setText(text, step.text);
    setText(hint, step.hint);
    setText(next, read.size + 1 === steps.length ? gettext("Done") : gettext("Next"));
    if (current !== step.key) say(`${sentence(step.title)} ${step.text} ${step.hint}`);
    current = step.key;
    if (within && !root.contains(document.activeElement)) next.focus();
  }

  return {
    /** @param {State} state */
    show: ({ view }) => show(view.match.phase === "playing" ? view.coach : []),
    again() {
      read = new Set();
      current = null;
    },
  };
}

/** @param {Protocol.CoachStep|null} step */
function mark(step) {
  for (const marked of document.querySelectorAll("[data-coached]")) marked.removeAttribute("data-coached");
  if (step) document.querySelector(PLACES[step.key])?.setAttribute("data-coached", "");
}
