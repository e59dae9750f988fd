import assert from "node:assert/strict";
import { test } from "node:test";

import { colorNoun, orderName, setCards } from "../../static/js/table/cards.js";
import { nextOrder, sortCards } from "../../static/js/table/sorting.js";

setCards({
  sprite: "",
  deck: {
    cards: { R5: { color: 1, number: 3 }, B1: { color: 2, number: 1 }, W: { color: 9, number: 2 } },
    orders: { arrival: "as drawn", color: "by suit", number: "by rank" },
    noun: "suit",
  },
});
const cards = (text) => text.split(" ").map((card, i) => ({ id: `h${i}`, card }));
const names = (sorted) => sorted.map(({ card }) => card).join(" ");

test("cards are in the positions defined by the deck", () => {
  const hand = cards("W B1 R5");
  assert.equal(names(sortCards(hand, "color")), "R5 B1 W");
  assert.equal(names(sortCards(hand, "number")), "B1 W R5");
});

test(`"as drawn" keeps the server's order, and equal cards never change places`, () => {
  const hand = cards("R5 B1 R5");
  assert.deepEqual(sortCards(hand, "arrival"), hand);
  assert.deepEqual(sortCards(hand, "color").map(({ id }) => id), ["h0", "h2", "h1"]);
});

test("the button cycles through the three orders", () => {
  assert.deepEqual(["arrival", "color", "number"].map(nextOrder), ["color", "number", "arrival"]);
});

test("the deck defines the names of the orders and the word for a colour", () => {
  assert.deepEqual(["arrival", "color", "number"].map(orderName), ["as drawn", "by suit", "by rank"]);
  assert.equal(colorNoun(), "suit");
});
