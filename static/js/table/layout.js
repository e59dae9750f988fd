// Where seats sit around the felt, and how large the cards of a hand are. Pure.

// Opponents on the left, across the top and on the right, by their number: you sit below.
const AROUND = [
  [0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 1, 1], [1, 2, 1],
  [1, 3, 1], [2, 2, 2], [2, 3, 2], [3, 2, 3], [3, 3, 3],
];

/** Seats of each side in reading order. Play to the left (direction 1) goes clockwise:
 * from you up the left side, across the top and down the right. A viewer has no seat, so
 * the first seat is put below.
 *
 * @param {number} count seats at the table, 2 to 10
 * @param {number|null} you the seat at the bottom
 */
export function seatSides(count, you) {
  const first = you ?? 0;
  const others = Array.from({ length: count - 1 }, (_, i) => (first + 1 + i) % count);
  const [left, top] = AROUND[others.length];
  return {
    bottom: [first],
    left: others.slice(0, left).reverse(),
    top: others.slice(left, left + top),
    right: others.slice(left + top),
  };
}

/** How high the hand may be in a table of `height` px so that the felt keeps what it needs: bars
 * around it take 168, the felt 38 % and at least 200, or 236 with seats three deep on each side. */
export function handHeight(height, share, seats) {
  const felt = Math.max(seats > 7 ? 236 : 200, height * 0.38);
  return Math.min(height * share, height - 168 - felt) - 16;
}

const WIDTHS = [104, 92, 80, 70, 62, 54, 48];
const SMALLEST = 44;
// A phone on its side has no height to scroll in; these are still wide enough to hit.
const LOW = [44, 40, 36];
const GAP = 6;

/** The largest card width, in px, at which `count` cards fit into the room without scrolling.
 * Never below 44, or 36 in a `low` window: then the hand scrolls inside. */
export function cardWidth(count, room, low = false) {
  const fits = (width) => handRows(count, width, room.width) * (width * 1.5 + GAP) <= room.height + GAP;
  return (low ? [...WIDTHS, ...LOW] : WIDTHS).find(fits) ?? (low ? LOW.at(-1) : SMALLEST);
}

export function handRows(count, width, roomWidth) {
  return Math.ceil(count / cardsPerRow(width, roomWidth));
}

export function cardsPerRow(width, roomWidth) {
  return Math.max(1, Math.floor((roomWidth + GAP) / (width + GAP)));
}
