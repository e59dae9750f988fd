// The last ten seconds of a turn: the clock grows, and turns red and ticks in the last five.

import { inSeconds } from "./clock.js";

/** @import { RunningClock } from "./clock.js" */

const LAST = 10;
const TICKING = 5;

/** Return how many seconds are left during the last ten, otherwise null. Pure.
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

  /** Show the seconds in the ring of the player whose clock it is. Around your own cards, a bar also runs
   * out.
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

  /** Return whether one of the last five seconds of your own clock has just begun.
   * @param {RunningClock|null} clock @param {number|null} you */
  ticks(clock, you) {
    const seconds = clock?.seat === you ? lastSeconds(clock) : null;
    const begins = seconds !== null && seconds <= TICKING && seconds > 0 && seconds !== this.ticked;
    this.ticked = seconds;
    return begins;
  }
}
