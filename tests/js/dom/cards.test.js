import assert from "node:assert/strict";
import { test } from "node:test";

import { DECK, makePage } from "./page.js";

makePage();
const { cardFace, setCards } = await import("../../../static/js/table/cards.js");

/** Return the text on the picture of the card with this name. */
function drawCard(name) {
  const cards = { X: { ...DECK.cards.W, name }, R7: DECK.cards.R7 };
  setCards({ sprite: "/s.svg", deck: { ...DECK, cards, labels: ["X"] } });
  return [...cardFace("X").querySelectorAll("text")].map(({ textContent }) => textContent);
}

test("a card without a symbol shows its name, split evenly if it is long", () => {
  assert.deepEqual(drawCard("The Thief"), ["The Thief"]);
  assert.deepEqual(drawCard("Swap hands with anyone"), ["Swap hands", "with anyone"]);
  assert.equal(cardFace("R7").querySelector("text"), null);
});

test("a long name has smaller letters", () => {
  drawCard("Chitralekha Bandyopadhyay");
  const [size] = [...cardFace("X").querySelectorAll("text")].map((line) => Number(line.getAttribute("font-size")));
  assert.ok(size < 6 && size > 4, String(size));
});
