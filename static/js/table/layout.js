// Where seats sit around the felt, and how large the cards of a hand are. Pure.

// Sides of the opponents by their number: left, top and right. You sit at the bottom.
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

// The steps are small, so that rows fill up before cards get smaller. The first widths are for screens in a
// hall, and the last for hands of twenty or more cards. Those are still wide enough to tap, and nothing else
// moves for them.
const WIDTHS = [248, 224, 200, 184, 168, 156, 144, 132, 122, 112, 104, 92, 80, 71, 62, 56, 50, 47, 44, 41, 38, 35, 32];
/** Always allowed. Cards may be wider in a wide area, so that a full hand still fills it. */
const LARGE = 104;
const OF_THE_ROOM = 1 / 8.5;
const GAP = 6;
const BETWEEN_ROWS = 4;
const APART = 14;
/** Height of the button under a card with its gap, and width of the button. */
const WORD = 50;
const WORD_WIDTH = 84;
/** Cards narrower than this get their button at the side if they can then be larger. */
const NARROW = 56;
/** Number of further cards that fit before all cards get smaller. */
const SPARE = 1;

/** @typedef {{width: number, height: number}} Room for a hand, in px */

/** Return the largest card width in px at which `count` cards fit into the area without scrolling. It is
 * never below 32; with more cards, the hand scrolls.
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

/** Return whether all cards fit with their buttons, if any, below them.
 * @param {number} count @param {number} width @param {Room} room */
function fitsWithButtonsBelow(count, width, room) {
  return handRows(count, width, room.width) * (rowHeight(count, width) + BETWEEN_ROWS) <= room.height + BETWEEN_ROWS;
}

/** Return whether the last two cards fit in a low room with their buttons at the side.
 * @param {number} count @param {number} width @param {Room} room */
function fitsWithSideButtons(count, width, room) {
  return count > 0 && count <= 2 && width * 1.5 <= room.height && count * (width + GAP + WORD_WIDTH) + (count - 1) * APART <= room.width;
}

/** Return whether the buttons of the last two cards are at the side.
 * @param {number} count @param {number} width @param {Room} room */
export function hasSideButtons(count, width, room) {
  return !fitsWithButtonsBelow(count, width, room) && fitsWithSideButtons(count, width, room);
}

/** Return the height of a row. Each of the last two cards may have a button below it.
 * @param {number} count @param {number} width */
const rowHeight = (count, width) => width * 1.5 + (count <= 2 ? WORD : 0);

/** Return the next width of the cards. It gets smaller if they no longer fit, and larger only while it is not
 * your turn, so that no card moves away from a finger.
 * @param {number|null} width what it is, null for a new hand or window
 * @param {number} count @param {Room} room @param {boolean} myTurn */
export function nextWidth(width, count, room, myTurn) {
  // Two cards with buttons need more space than three without.
  const roomy = Math.min(bestWidth(count, room), cardWidth(count + SPARE, room));
  if (width === null || !fits(count, width, room)) return roomy;
  return myTurn ? width : Math.max(width, roomy);
}

/** Return the largest width with buttons below, unless the cards would be narrow.
 * @param {number} count @param {Room} room */
function bestWidth(count, room) {
  const below = widthsFor(room).find((width) => fitsWithButtonsBelow(count, width, room));
  return below && below >= NARROW ? below : cardWidth(count, room);
}

/** Return the position of each card from the area's top left corner, in rows of similar length.
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
