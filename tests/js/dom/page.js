// Creates pages in Node.js with the parts of the table's template and the features missing from jsdom.

import { JSDOM } from "jsdom";

const TABLE = `<!doctype html><body>
<div class="table" id="table" data-socket="/ws/match/m/" data-sprite="/s.svg" data-reactions="/f.svg" data-practice="/practice/" data-login="/login/">
<a id="to-text"></a><a id="rules" href="/rules/"></a>
<button id="log-button" aria-expanded="false"></button><button id="menu-button"></button>
<button id="call" data-off></button><div id="line" hidden></div><div id="banner"></div><section id="desk" hidden></section><section id="ask" hidden></section><section id="alarm" hidden></section><section id="coach" hidden></section><main class="stage" id="stage"></main>
<section id="me"></section><section id="hand" tabindex="-1"></section><section id="actions"></section>
<aside id="log-panel"></aside><main id="words" hidden></main><div id="polite"></div></div>
<div id="assertive"></div><div id="flights"></div>`;
const SHARED = ["document", "Element", "HTMLElement", "Node", "Event", "KeyboardEvent", "MouseEvent", "getComputedStyle", "location", "localStorage"];

/** Add the layout and motion features missing from jsdom, and record their use in `page`. */
function fillIn(window, page) {
  const { prototype } = window.Element;
  prototype.getClientRects = function getClientRects() {
    return this.isConnected && !this.closest("[hidden]") ? [this.getBoundingClientRect()] : [];
  };
  prototype.animate = function animate(frames, timing) {
    const flight = { element: this, frames, timing, playState: "running", currentTime: 0, effect: { getComputedTiming: () => timing }, reverse() {} };
    page.flights.push(flight);
    return flight;
  };
  window.HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  window.HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new window.Event("close"));
  };
  globalThis.CSS = { escape: (text) => text };
  globalThis.matchMedia = () => ({ matches: page.calm });
  globalThis.ResizeObserver = class {
    constructor(resized) {
      page.resized.push(resized);
    }
    observe() {}
  };
  globalThis.requestAnimationFrame = (next) => page.frames.push(next);
}

/** Create a page with this body for modules imported afterwards.
 * @returns {any} `flights`: the animations; `resized`: functions to call after a box has changed
 * its size */
export function makePage(html = TABLE, { calm = false, path = "/m/m/" } = {}) {
  const { window } = new JSDOM(html, { url: `http://table.test${path}`, pretendToBeVisual: true });
  const page = { window, calm, flights: [], frames: [], resized: [] };
  for (const name of SHARED) globalThis[name] = window[name];
  globalThis.window = window;
  fillIn(window, page);
  return page;
}

export const find = (selector) => document.querySelector(selector);
export const all = (selector) => [...document.querySelectorAll(selector)];
export const textOf = (selector) => find(selector).textContent;

/** Wait until a condition holds, and return its value. */
export async function until(condition, seconds = 5) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const value = condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`This never became true: ${condition}`);
    await new Promise((resolve) => { setImmediate(resolve); });
  }
}

export function press(key, target = document.activeElement) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  return event;
}

/** Return a view of two players with `changes`. It is your turn, and Red 7 can be played. */
export function viewWith(changes = {}) {
  const seat = { score: 0, playing: true, out: false, present: true, bot: false, dealer: false, said_uno: false, team: null, gone_seconds: null, face: { letter: "A", tone: 3, sign: "" } };
  return {
    version: 1, you: 0, turn: 0, controls: true, direction: 1, top: "R5", color: "R", penalty: null,
    draw_pile: 90, discard: ["R5"], discard_pile: 1, prompt: "Your turn.", draw_label: "Draw", last: "", log: [], clock: null, sheet: null,
    match: { id: "m", phase: "playing", hand: 1, paused: false, title: "Table 3", scoring: "winner-takes", target: 500, uno: true, links: { result: "/r/", fair: "/fair/" } },
    colors: [["R", "red"], ["Y", "yellow"], ["G", "green"], ["B", "blue"]].map(([color, name]) => ({ color, name })),
    seats: [{ ...seat, seat: 0, name: "Asha", count: 3 }, { ...seat, seat: 1, name: "Ben", count: 5, score: 20 }],
    cards: [
      { id: "c1", card: "R7", playable: true, why: "" },
      { id: "c2", card: "G4", playable: false, why: "Green does not fit." },
      { id: "c3", card: "W", playable: true, why: "" },
    ],
    actions: [{ play: "R7" }, { play: "W", color: "R" }, { play: "W", color: "B" }, { draw: true }],
    may: { draw: true, pass: false, challenge: false, call: false, choose: false, catch: [] },
    ...changes,
  };
}

const CARDS = { R7: ["Red 7", 1], G4: ["Green 4", 3], W: ["Wild", 9], R5: ["Red 5", 0], B9: ["Blue 9", 4] };

/** The deck as the server sends it. */
export const DECK = {
  cards: Object.fromEntries(Object.entries(CARDS).map(([card, [name, place]]) => [card, { name, art: card, color: place, number: place, letter: "", signs: [] }])),
  orders: { arrival: "as drawn", color: "by colour", number: "by number" },
  noun: "colour",
  example: "R7",
  labels: [],
};

/** Return a page state that received this view over a live socket at time 0. */
export function stateWith(changes = {}, others = {}) {
  return {
    view: viewWith(changes), version: 1, seenAt: 0, link: { name: "live", since: 0 },
    pending: null, word: null, asking: null, selected: null, notice: null, sheetHidden: false, ...others,
  };
}
