// Loads the parts of the table that not every match needs: the way to the next match, and the tension effects.

import { h } from "./dom.js";
import { isNear } from "./ending.js";
import { makeLater } from "./later.js";
import { isPlayer } from "./store.js";

/** @import { Show, State } from "./store.js" */

// Events that tension.js animates regardless of the number of cards that players hold.
const MOVING = ["penalty", "swapped"];

/** Create the part that leads a player to the next match once this one is over. It loads after.js
 * on demand.
 * @param {HTMLElement} table @param {{say: (text: string) => void, call: () => void}} handlers
 * @returns {{element: HTMLElement, show: Show}} `element` is placed on the last sheet */
export function makeLead({ dataset: { mine, called = "" } }, handlers) {
  const element = h("div.sheet-after");
  const load = makeLater(async () => {
    const { makeAfter } = await import("./after.js");
    const address = mine && new URL("after/", new URL(mine, location.href)).href;
    return makeAfter(element, { address, style: called, ...handlers }).show;
  });
  /** @type {Show} */
  const show = (state, now) => {
    if (state.view.sheet?.over && isPlayer(state.view)) load().then((shown) => shown(state, now), () => {});
  };
  return { element, show };
}

/** Create the part that adds tension when a player has few cards left. It loads tension.js on demand.
 * @param {Parameters<typeof import("./tension.js").makeTension>[0]} parts */
export function makeTense(parts) {
  /** @type {ReturnType<typeof import("./tension.js").makeTension>|null} */
  let tension = null;
  const load = makeLater(async () => {
    const { makeTension } = await import("./tension.js");
    tension = makeTension(parts);
  });
  return {
    load,
    /** @type {Show} */
    show(state, now) {
      if (tension) tension.show(state, now);
      else if (isNear(state.view)) load().then(() => tension?.show(state, now), () => {});
    },
    /** @param {State} state @param {number} now */
    showTime: (state, now) => tension?.showTime(state, now),
    /** @param {Protocol.Event[]} events @param {number|null} you */
    happen(events, you) {
      if (tension) tension.happen(events, you);
      else if (events.some(({ event }) => MOVING.includes(event))) load().then(() => tension?.happen(events, you), () => {});
    },
  };
}
