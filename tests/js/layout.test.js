import assert from "node:assert/strict";
import { test } from "node:test";

import { cardsPerRow, cardWidth, handHeight, handRows, seatSides } from "../../static/js/table/layout.js";

test("play to the left goes clockwise: up the left side, across the top, down the right", () => {
  assert.deepEqual(seatSides(10, 0), {
    bottom: [0], left: [3, 2, 1], top: [4, 5, 6], right: [7, 8, 9],
  });
});

test("you sit below, whatever your seat", () => {
  assert.deepEqual(seatSides(4, 2), { bottom: [2], left: [3], top: [0], right: [1] });
});

test("a viewer sees the first seat below", () => {
  assert.deepEqual(seatSides(2, null), { bottom: [0], left: [], top: [1], right: [] });
});

test("every seat has one place, for 2 to 10 seats and every seat of one's own", () => {
  for (let count = 2; count <= 10; count += 1)
    for (let you = 0; you < count; you += 1) {
      const { bottom, left, top, right } = seatSides(count, you);
      const around = [...bottom, ...[...left].reverse(), ...top, ...right];
      assert.deepEqual(around, Array.from({ length: count }, (_, i) => (you + i) % count));
    }
});

test("25 cards fit on a 360 by 640 phone at 44 px, seven in a row", () => {
  const room = { width: 344, height: 640 * 0.44 };
  assert.equal(cardWidth(25, room), 44);
  assert.equal(cardsPerRow(44, 344), 7);
  assert.equal(handRows(25, 44, 344), 4);
});

test("few cards are large, and never smaller than 44 px however many", () => {
  const room = { width: 344, height: 325 };
  assert.deepEqual([1, 8, 60].map((count) => cardWidth(count, room)), [104, 80, 44]);
});

test("the hand leaves the felt its room, more of it with many seats", () => {
  assert.equal(handHeight(560, 0.44, 10), 560 - 168 - 236 - 16);
  assert.equal(handHeight(500, 0.44, 4), 500 - 168 - 200 - 16);
  assert.equal(handHeight(740, 0.44, 4), 740 - 168 - 740 * 0.38 - 16);
  assert.equal(handHeight(800, 0.3, 10), 800 * 0.3 - 16);
});
