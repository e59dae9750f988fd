// Who sits out a hand of a match for hands that it held up before. Pure.

/** Whether a seat has no share in the hand after these: after the n-th hand in which a listed share
 * of it was not opened it sits out 2^(n-1) - 1.
 * @param {boolean[]} heldUp of each hand before whether the seat held it up */
export function sitsOut(heldUp) {
  const times = heldUp.filter(Boolean).length;
  const last = heldUp.lastIndexOf(true);
  return times > 0 && heldUp.length - last < 2 ** (times - 1);
}
