import assert from "node:assert/strict";
import { test } from "node:test";

import { nextOrder, orderName, sortCards } from "../../static/js/table/sorting.js";

const cards = (text) => text.split(" ").map((card, i) => ({ id: `h${i}`, card }));
const names = (sorted) => sorted.map(({ card }) => card).join(" ");

test("by colour: red, yellow, green, blue, then what has no colour", () => {
  const hand = cards("W B2 R+2 G0 R5 BB Y9 DR W+4 RS");
  assert.equal(names(sortCards(hand, "color")), "R5 RS R+2 DR Y9 G0 B2 BB W W+4");
});

test("by number: numbers, actions, then the rest", () => {
  const hand = cards("B2 R+2 W G2 R5 YR");
  assert.equal(names(sortCards(hand, "number")), "G2 B2 R5 YR R+2 W");
});

test("playing cards by suit and by rank", () => {
  const hand = cards("10D KS JK 2C AH 2S");
  assert.equal(names(sortCards(hand, "color")), "2S KS AH 10D 2C JK");
  assert.equal(names(sortCards(hand, "number")), "2S 2C 10D AH KS JK");
});

test("as drawn leaves the server's order, and equal cards never change places", () => {
  const hand = cards("R5 B1 R5");
  assert.deepEqual(sortCards(hand, "arrival"), hand);
  assert.deepEqual(sortCards(hand, "color").map(({ id }) => id), ["h0", "h2", "h1"]);
});

test("the button goes through the three orders and round again", () => {
  assert.deepEqual(["arrival", "color", "number"].map(nextOrder), ["color", "number", "arrival"]);
});

test("playing cards have suits and ranks, others colours and numbers", () => {
  const named = (colors) => ["arrival", "color", "number"].map((order) => orderName(order, [...colors].map((color) => ({ color }))));
  assert.deepEqual(named("RYGB"), ["as drawn", "by colour", "by number"]);
  assert.deepEqual(named("SHDC"), ["as drawn", "by suit", "by rank"]);
});
