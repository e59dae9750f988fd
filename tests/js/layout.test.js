import assert from "node:assert/strict";
import { test } from "node:test";

import { cardPlaces, cardsPerRow, cardWidth, fits, handRows, hasSideButtons, nextWidth, seatSides } from "../../static/js/table/layout.js";

test("play to the left goes clockwise: up the left side, across the top, down the right", () => {
  assert.deepEqual(seatSides(10, 0), {
    bottom: [0], left: [3, 2, 1], top: [4, 5, 6], right: [7, 8, 9],
  });
});

test("you sit at the bottom, whatever your seat", () => {
  assert.deepEqual(seatSides(4, 2), { bottom: [2], left: [3], top: [0], right: [1] });
});

test("viewers see the first seat at the bottom", () => {
  assert.deepEqual(seatSides(2, null), { bottom: [0], left: [], top: [1], right: [] });
});

test("every seat has exactly one position, for 2 to 10 seats and every seat of your own", () => {
  for (let count = 2; count <= 10; count += 1)
    for (let you = 0; you < count; you += 1) {
      const { bottom, left, top, right } = seatSides(count, you);
      const around = [...bottom, ...[...left].reverse(), ...top, ...right];
      assert.deepEqual(around, Array.from({ length: count }, (_, i) => (you + i) % count));
    }
});

const PHONE = { width: 352, height: 258 };

test("25 cards fit on a 360 by 640 phone with ten seats, nine in a row", () => {
  const room = { width: 352, height: 640 * 0.33 - 8 };
  assert.equal(cardWidth(25, room), 32);
  assert.equal(cardsPerRow(32, 344), 9);
  assert.equal(handRows(25, 32, 344), 3);
  assert.deepEqual([fits(25, 36, room), fits(25, 32, room), fits(28, 32, room)], [false, true, false]);
});

test("rows fill up before cards get smaller: 24 cards are 41 px wide, with room for one more", () => {
  assert.equal(nextWidth(null, 24, PHONE, false), 41);
  assert.equal(handRows(25, 41, PHONE.width), 4);
});

test("few cards are large, and no number of cards makes them narrower than 32 px", () => {
  assert.deepEqual([1, 3, 8, 9, 15, 22, 60].map((count) => cardWidth(count, PHONE)), [104, 104, 80, 62, 50, 41, 32]);
});

test("the last two cards leave room for a button below each", () => {
  assert.deepEqual([2, 3].map((count) => nextWidth(null, count, { ...PHONE, height: 160 }, false)), [71, 80]);
});

test("in a low area, the last two cards have their buttons at the side", () => {
  const low = { width: 312, height: 68 };
  assert.deepEqual([nextWidth(null, 2, low, true), hasSideButtons(2, 44, low)], [44, true]);
  assert.deepEqual(cardPlaces(2, 44, low), [{ x: 15, y: 1 }, { x: 163, y: 1 }]);
  assert.equal(hasSideButtons(2, 71, { ...PHONE, height: 160 }), false);
});

test("a button is never cut off at any width or height of the area", () => {
  for (let height = 66; height <= 400; height += 2)
    for (const width of [312, 352, 480, 700, 982, 1622])
      for (const count of [1, 2]) {
        const room = { width, height };
        for (const before of [null, 32, 104, 168]) {
          const chosen = nextWidth(before, count, room, true);
          const beside = hasSideButtons(count, chosen, room);
          const [{ y }] = cardPlaces(count, chosen, room);
          assert.ok(y + chosen * 1.5 + (beside ? 0 : 50) <= height, `${count} of ${chosen} in ${width}x${height}`);
        }
      }
});

test("cards are larger in a wide area", () => {
  assert.deepEqual([[982, 232], [1622, 316], [3000, 424]].map(([width, height]) => nextWidth(null, 7, { width, height }, false)), [112, 184, 248]);
});

test("cards get smaller as soon as they do not fit, with room for one more", () => {
  assert.deepEqual([nextWidth(null, 7, PHONE, false), nextWidth(null, 8, PHONE, false)], [80, 62]);
  assert.equal(nextWidth(80, 8, PHONE, true), 80);
  assert.equal(nextWidth(80, 9, PHONE, true), 62);
});

test("cards get larger only while it is not your turn", () => {
  assert.equal(nextWidth(62, 3, PHONE, true), 62);
  assert.equal(nextWidth(62, 3, PHONE, false), 80);
});

test("cards lie in even rows in the middle of their area", () => {
  assert.deepEqual(cardPlaces(3, 104, PHONE), [{ x: 14, y: 51 }, { x: 124, y: 51 }, { x: 234, y: 51 }]);
  const rows = cardPlaces(7, 80, PHONE);
  assert.deepEqual(rows.map(({ y }) => y), [7, 7, 7, 7, 131, 131, 131]);
  assert.deepEqual(cardPlaces(0, 104, PHONE), []);
});

test("a hand that scrolls begins at the top", () => {
  assert.equal(cardPlaces(60, 32, PHONE)[0].y, 0);
});
