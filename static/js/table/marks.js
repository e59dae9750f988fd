// Sets attributes on the table for the stylesheets, such as whose clock is running.

import { isPlayer, myTurn, usable } from "./store.js";

/** @import { State } from "./store.js" */

/** @param {HTMLElement} table @param {State} state @param {number} time @param {boolean} text in text mode */
export function markTable(table, state, time, text) {
  table.toggleAttribute("data-viewer", !isPlayer(state.view));
  table.toggleAttribute("data-over", state.view.match.phase === "over");
  table.toggleAttribute("data-live", state.link.name === "live" && state.version !== null);
  table.toggleAttribute("data-usable", usable(state, time));
  table.toggleAttribute("data-my-turn", myTurn(state.view));
  table.toggleAttribute("data-text", text);
}

/** @param {HTMLElement} table @param {ReturnType<typeof import("./clock.js").clockNow>} clock */
export function markClock(table, clock) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-seat]"))) {
    const running = clock !== null && Number(element.dataset.seat) === clock.seat;
    element.toggleAttribute("data-clock", running);
    if (!running) continue;
    element.style.setProperty("--left", String(100 * clock.share));
    element.toggleAttribute("data-late", clock.until <= 5000);
  }
}

/** Mark the seat whose time bank is running, so that its colours change together with its text.
 * @param {HTMLElement} table @param {ReturnType<typeof import("./clock.js").clockNow>} clock */
export function markBank(table, clock) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-seat]"))) {
    element.toggleAttribute("data-bank", clock !== null && clock.inBank && Number(element.dataset.seat) === clock.seat);
  }
}

/** Turn off animations for the next update, because it shows events of the past.
 * @param {HTMLElement} table */
export function standStill(table) {
  table.toggleAttribute("data-still", true);
  requestAnimationFrame(() => requestAnimationFrame(() => table.removeAttribute("data-still")));
}
