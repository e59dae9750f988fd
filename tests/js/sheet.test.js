import assert from "node:assert/strict";
import { test } from "node:test";

import { inOrder, rowsMoved } from "../../static/js/table/sheet.js";

const rows = [3, 4, 1, 2].map((place, seat) => ({ seat, place }));
const seats = (data, of = rows) => inOrder({ rows: of, ...data }).map(({ seat }) => seat);

test("rows are sorted by total, regardless of the winner of the hand", () => {
  assert.deepEqual(seats({ winner: 1, over: false }), [2, 3, 0, 1]);
});

test("among equal totals, the winner comes first", () => {
  const equal = [2, 2, 1, 2].map((place, seat) => ({ seat, place }));
  assert.deepEqual(seats({ winner: 3, over: false }, equal), [2, 3, 0, 1]);
  assert.deepEqual(seats({ winner: 3, over: true, winners: [1] }, equal), [2, 1, 0, 3]);
});

test("the winner is first if the event has to separate the others", () => {
  const tied = [null, null, null, 1].map((place, seat) => ({ seat, place }));
  assert.deepEqual(seats({ over: true, winners: [3] }, tied), [3, 0, 1, 2]);
  const middle = [3, null, 4, null].map((place, seat) => ({ seat, place }));
  assert.deepEqual(seats({ over: true, winners: [] }, middle), [1, 3, 0, 2]);
});

test("each row has the number of rows by which it moved", () => {
  const places = [[1, 3], [2, 1], [3, 2]].map(([place, before], seat) => ({ seat, place, before }));
  assert.deepEqual(rowsMoved(places), [2, -1, -1]);
  assert.deepEqual(rowsMoved(rows.map((row) => ({ ...row, before: null }))), [0, 0, 0, 0]);
});

test("while places are hidden, the final rows are sorted by seat", () => {
  const hidden = rows.map((row) => ({ ...row, place: null }));
  const found = inOrder({ rows: hidden, over: true, winners: [] }, "winner-takes");
  assert.deepEqual(found.map(({ seat }) => seat), [0, 1, 2, 3]);
});
