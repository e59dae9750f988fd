// Emphasizes the last ten seconds of a turn: the clock grows, and in the last five it is red and ticks.

import { inSeconds } from "./clock.js";

/** @import { RunningClock } from "./clock.js" */

const LAST = 10;
const TICKING = 5;

/** Return the remaining seconds if they are ten or fewer, otherwise null. Pure.
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

  /** Show the seconds in the ring of the current player. On your own turn, a bar around your cards also shrinks.
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

  /** Return whether the clock should tick now, at the start of each of your last five seconds.
   * @param {RunningClock|null} clock @param {number|null} you */
  ticks(clock, you) {
    const seconds = clock?.seat === you ? lastSeconds(clock) : null;
    const begins = seconds !== null && seconds <= TICKING && seconds > 0 && seconds !== this.ticked;
    this.ticked = seconds;
    return begins;
  }
}
