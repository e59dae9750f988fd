// Decides which seats have to sit out a hand because they held up earlier hands. Pure.

import { listed } from "./deal.js";

/** @import { Fair, Fault } from "./check.js" */
/** @typedef {Map<number, Fair|null>} Hands of a match by their numbers; null for one without shares */

/** Whether a seat sits out the next hand. After the n-th hand that it held up, it sits out 2^(n-1) - 1 hands.
 * @param {boolean[]} heldUp of each hand before whether the seat held it up */
export function sitsOut(heldUp) {
  const times = heldUp.filter(Boolean).length;
  const last = heldUp.lastIndexOf(true);
  return times > 0 && heldUp.length - last < 2 ** (times - 1);
}

/** Return the entries that contradict the earlier hands. Any seat may have held up an unknown hand.
 * @param {Fair|null} fair @param {Hands} before @returns {Fault[]} */
export function leavingFaults(fair, before) {
  if (!fair) return [];
  const { hand, attempt, seats } = fair.list;
  /** @param {number} seat @param {boolean} unknown */
  const out = (seat, unknown) => sitsOut(Array.from({ length: hand - 1 }, (_, i) => (before.has(i + 1) ? hasHeldUp(before.get(i + 1), seat) : unknown)));
  return seats.flatMap(({ seat, why, commitment }) => {
    if (why === "before" && !out(seat, true)) return [{ code: "not-before", about: seat, number: attempt }];
    return commitment && out(seat, false) ? [{ code: "had-to-sit-out", about: seat, number: attempt }] : [];
  });
}

/** Return whether a listed share of the seat was not opened in an attempt of this hand.
 * @param {Fair|null|undefined} fair @param {number} seat */
function hasHeldUp(fair, seat) {
  return Boolean(fair?.void.some(({ list, shares }) => listed(list).some((each) => each.seat === seat) && shares[seat] === undefined));
}
