// Computes the positions of seats around the felt, and the size of the cards in a hand. Pure.

// Number of opponents on the left, at the top and on the right, by their total. You sit at the bottom.
const AROUND = [
  [0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 1, 1], [1, 2, 1],
  [1, 3, 1], [2, 2, 2], [2, 3, 2], [3, 2, 3], [3, 3, 3],
];

/** Return the seats on each side in reading order. Play in direction 1 goes clockwise: from you up
 * the left side, across the top and down the right side. For viewers, the first seat is at the
 * bottom.
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

// Widths to choose from. The steps are small, so that rows fill up before cards get smaller. The first ones are for
// hall screens; the last ones, for hands of twenty or more cards, are still wide enough to tap.
const WIDTHS = [248, 224, 200, 184, 168, 156, 144, 132, 122, 112, 104, 92, 80, 71, 62, 56, 50, 47, 44, 41, 38, 35, 32];
/** Maximum width in any area. Wide areas allow wider cards, so that a full hand fills them. */
const LARGE = 104;
const OF_THE_ROOM = 1 / 8.5;
const GAP = 6;
const BETWEEN_ROWS = 4;
const APART = 14;
/** Height of the button under a card including the gap, and width of the button. */
const WORD = 50;
const WORD_WIDTH = 84;
/** Below this width, buttons move to the side of the cards if that makes the cards larger. */
const NARROW = 56;
/** Number of further cards that fit before all cards get smaller. */
const SPARE = 1;

/** @typedef {{width: number, height: number}} Room for a hand, in px */

/** Return the largest card width in px at which `count` cards fit into the area, but at least 32. If they do not
 * fit even then, the hand scrolls.
 * @param {number} count @param {Room} room */
export function cardWidth(count, room) {
  return widthsFor(room).find((width) => fits(count, width, room)) ?? Math.min(...WIDTHS);
}

/** @param {Room} room */
function widthsFor(room) {
  const most = Math.max(LARGE, room.width * OF_THE_ROOM);
  return WIDTHS.filter((width) => width <= most);
}

/** @param {number} count @param {number} width @param {Room} room */
export function fits(count, width, room) {
  return !count || fitsWithButtonsBelow(count, width, room) || fitsWithSideButtons(count, width, room);
}

/** Return whether all cards fit with the UNO buttons, if any, below the cards.
 * @param {number} count @param {number} width @param {Room} room */
function fitsWithButtonsBelow(count, width, room) {
  return handRows(count, width, room.width) * (rowHeight(count, width) + BETWEEN_ROWS) <= room.height + BETWEEN_ROWS;
}

/** Return whether one or two cards fit with their UNO buttons at the side.
 * @param {number} count @param {number} width @param {Room} room */
function fitsWithSideButtons(count, width, room) {
  return count > 0 && count <= 2 && width * 1.5 <= room.height && count * (width + GAP + WORD_WIDTH) + (count - 1) * APART <= room.width;
}

/** Return whether the UNO buttons of one or two cards should be at the side.
 * @param {number} count @param {number} width @param {Room} room */
export function hasSideButtons(count, width, room) {
  return !fitsWithButtonsBelow(count, width, room) && fitsWithSideButtons(count, width, room);
}

/** Return the height of a row. With one or two cards, it includes the UNO buttons.
 * @param {number} count @param {number} width */
const rowHeight = (count, width) => width * 1.5 + (count <= 2 ? WORD : 0);

/** Return the next width of the cards. It shrinks if they no longer fit, and grows only while it is not your turn,
 * so that no card moves away from a finger.
 * @param {number|null} width current width; null for a new hand or after a change of window size
 * @param {number} count @param {Room} room @param {boolean} myTurn */
export function nextWidth(width, count, room, myTurn) {
  // Two cards with buttons need more space than three without.
  const roomy = Math.min(bestWidth(count, room), cardWidth(count + SPARE, room));
  if (width === null || !fits(count, width, room)) return roomy;
  return myTurn ? width : Math.max(width, roomy);
}

/** Return the best width: with the buttons below, or at the side if the cards would be narrow.
 * @param {number} count @param {Room} room */
function bestWidth(count, room) {
  const below = widthsFor(room).find((width) => fitsWithButtonsBelow(count, width, room));
  return below && below >= NARROW ? below : cardWidth(count, room);
}

/** Return each card's position relative to the area's top left corner, in rows of similar length.
 * @param {number} count @param {number} width @param {Room} room */
export function cardPlaces(count, width, room) {
  if (hasSideButtons(count, width, room)) return placesWithSideButtons(count, width, room);
  const rows = handRows(count, width, room.width);
  const gap = count <= 2 ? Math.max(APART, WORD_WIDTH + GAP - width) : GAP;
  const high = rowHeight(count, width) + BETWEEN_ROWS;
  const top = Math.max(0, (room.height - rows * high + BETWEEN_ROWS) / 2);
  return Array.from({ length: rows }, (_, row) => {
    const cards = Math.ceil((count - row) / rows);
    const left = (room.width - cards * (width + gap) + gap) / 2;
    return Array.from({ length: cards }, (__, i) => ({ x: Math.round(left + i * (width + gap)), y: Math.round(top + row * high) }));
  }).flat();
}

/** @param {number} count @param {number} width @param {Room} room */
function placesWithSideButtons(count, width, room) {
  const each = width + GAP + WORD_WIDTH + APART;
  const left = (room.width - count * each + APART) / 2;
  return Array.from({ length: count }, (_, i) => ({ x: Math.round(left + i * each), y: Math.round((room.height - width * 1.5) / 2) }));
}

/** @param {number} count @param {number} width @param {number} roomWidth */
export function handRows(count, width, roomWidth) {
  return Math.ceil(count / cardsPerRow(width, roomWidth));
}

/** @param {number} width @param {number} roomWidth */
export function cardsPerRow(width, roomWidth) {
  return Math.max(1, Math.floor((roomWidth + GAP) / (width + GAP)));
}
