// The last ten seconds of a turn: a clock that grows, red and ticking at five.

import { inSeconds } from "./clock.js";

/** @import { RunningClock } from "./clock.js" */

const LAST = 10;
const TICKING = 5;

/** How many seconds are left, while they are the last ten; else null. Pure.
 * @param {RunningClock|null} clock */
export function lastSeconds(clock) {
  const seconds = clock ? inSeconds(clock.until) : Infinity;
  return seconds <= LAST ? seconds : null;
}

export class Hurry {
  /** @param {HTMLElement} table */
  constructor(table) {
    this.table = table;
    /** @type {number|null} */
    this.ticked = null;
  }

  /** The seconds stand in the ring of whose clock it is; around your own cards a bar runs out too.
   * @param {RunningClock|null} clock */
  show(clock) {
    const seconds = lastSeconds(clock);
    for (const ring of this.table.querySelectorAll(".ring")) {
      const runs = seconds !== null && ring.closest("[data-seat]")?.hasAttribute("data-clock");
      if (runs) ring.setAttribute("data-seconds", String(seconds));
      else ring.removeAttribute("data-seconds");
    }
    if (clock && seconds !== null) this.table.style.setProperty("--hurry", String(Math.min(1, clock.until / (1000 * LAST))));
  }

  /** Whether a second of your own last five has just begun.
   * @param {RunningClock|null} clock @param {number|null} you */
  ticks(clock, you) {
    const seconds = clock?.seat === you ? lastSeconds(clock) : null;
    const begins = seconds !== null && seconds <= TICKING && seconds > 0 && seconds !== this.ticked;
    this.ticked = seconds;
    return begins;
  }
}
