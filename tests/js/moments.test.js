import assert from "node:assert/strict";
import { test } from "node:test";

import { setCards } from "../../static/js/table/cards.js";
import { specialOf, sumScale, sumsFor, wordsFor } from "../../static/js/table/moments.js";
import { isCatchUp } from "../../static/js/table/motion.js";

const DECK = { cards: {}, orders: { arrival: "", color: "", number: "" }, noun: "", example: "" };
const specials = [{ card: "DR", cards: ["DR"], title: "Dead Red", text: "Who has no red card draws." }];
setCards({ sprite: "", deck: DECK, specials, reasons: { uno: "no UNO", dead_red: "no red card" } });

test("each event has its word, and two words over one seat follow one another", () => {
  const events = [
    { event: "played", seat: 0, card: "8S", uno: true }, { event: "said_ocho", seat: 0 }, { event: "skipped", seat: 1 },
    { event: "caught", seat: 2, by: 0, cards: 2 }, { event: "drew", seat: 2, cards: 2, why: "uno" }, { event: "played", seat: 1, card: "R5", uno: false },
  ];
  assert.deepEqual(wordsFor(events).map(({ seat, text, wait }) => [seat, text, wait]), [
    [0, "UNO!", 0], [0, "Ocho!", 800], [1, "Skipped", 0], [2, "Caught!", 0], [2, "+2 no UNO", 800],
  ]);
});

test("U57: a player who has to draw sees the reason, and a draw in turn shows no word", () => {
  const drew = (why, cards = 2) => wordsFor([{ event: "drew", seat: 1, cards, why }]).map(({ text }) => text);
  assert.deepEqual([drew("dead_red"), drew("penalty"), drew("turn"), drew("penalty", 0)], [["+2 no red card"], ["+2"], [], []]);
});

test("U57: a special card has its own word, and a plain one has none", () => {
  const played = (card) => specialOf([{ event: "drew", seat: 1, cards: 1, why: "turn" }, { event: "played", seat: 0, card, uno: false }]);
  assert.deepEqual([played("DR"), played("R5"), specialOf([])], [{ card: "DR", title: "Dead Red" }, null, null]);
});

test("the penalty moves from the pile to the player who has to draw, and back when a Shield returns it", () => {
  assert.deepEqual(sumsFor([{ event: "played" }, { event: "penalty", seat: 1, cards: 4 }]), [{ cards: 4, from: null, to: 1, wait: 0 }]);
  const thrown = [{ event: "shielded", seat: 1, of: 0, cards: 6 }, { event: "penalty", seat: 0, cards: 6 }];
  assert.deepEqual(sumsFor(thrown), [{ cards: 6, from: 1, to: 0, wait: 0 }]);
  assert.deepEqual(sumsFor([{ event: "shielded", seat: 1, of: null, cards: 2 }]), []);
});

test("the penalty appears after the word of the card that causes it", () => {
  const sums = sumsFor([{ event: "played", seat: 0, card: "DR" }, { event: "penalty", seat: 1, cards: 2 }, { event: "penalty", seat: 2, cards: 4 }]);
  assert.deepEqual(sums.map(({ to, wait }) => [to, wait]), [[1, 600], [2, 1400]]);
});

test("the number grows with the penalty up to a limit", () => {
  const scales = [2, 4, 6, 8, 40].map(sumScale);
  assert.deepEqual(scales, [...scales].sort((a, b) => a - b));
  assert.equal(sumScale(40), sumScale(16));
});

test("the first view and a long gap are shown without animation", () => {
  const played = { event: "played" };
  assert.deepEqual([[], [played], [played, played, played], Array(4).fill(played)].map(isCatchUp), [true, false, false, true]);
});
