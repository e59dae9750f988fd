import assert from "node:assert/strict";
import { test } from "node:test";

import { all, DECK, find, makePage, stateWith, textOf, viewWith } from "./page.js";

makePage();
const { setCards } = await import("../../../static/js/table/cards.js");
const { makeStage, pointsOf, teamed } = await import("../../../static/js/table/stage.js");
setCards({ sprite: "/s.svg", deck: DECK });

const drawn = [];
const show = makeStage(find("#stage"), { draw: () => drawn.push("draw") });
const seats = (changes) => viewWith().seats.map((seat, n) => ({ ...seat, ...(n === 1 && changes) }));
const getLine = (changes, others = {}, now = 0) => {
  show(stateWith({ seats: seats(changes), ...others }), now);
  return [textOf(".seat .seat-line"), textOf(".seat .seat-wait")];
};

test("you sit at the bottom, and all opponents around the felt", () => {
  show(stateWith(), 0);
  assert.deepEqual(all(".seats-top .seat").map((seat) => seat.dataset.seat), ["1"]);
  assert.deepEqual([textOf(".seat-name"), textOf(".count")], ["Ben", "5"]);
  show(stateWith({ you: null }), 0);
  assert.deepEqual([all(".seats-bottom .seat").length, all(".seats-top .seat").length], [1, 1]);
});

test("viewers may choose the seat at the bottom, and open cards are laid at each seat", () => {
  const root = document.createElement("main");
  const lay = (item, { seat }) => item.setAttribute("data-laid", seat);
  makeStage(root, { first: 1, lay })(stateWith({ you: null }), 0);
  const [below, above] = [root.querySelector(".seats-bottom .seat"), root.querySelector(".seats-top .seat")];
  assert.deepEqual([below.dataset.laid, above.dataset.laid], ["1", "0"]);
});

test("a seat's sentence contains everything that its signs show", () => {
  show(stateWith({ turn: 1, seen: { 1: ["R7"] }, seats: seats({ said_uno: true, dealer: true, team: 1, count: 1, present: false }) }), 0);
  assert.equal(textOf(".seat .vh"), "Ben, 1 card, 20 points, team 2, turn, has said UNO, dealer, is away, you’ve seen Red 7.");
  assert.equal(all(".seat .seen use").length, 1);
});

test("a seat's line shows its most important fact", () => {
  assert.deepEqual(getLine({}), ["20 points", ""]);
  assert.deepEqual(getLine({ said_uno: true }), ["UNO! · 20", ""]);
  assert.deepEqual(getLine({}, { may: { windows: [{ seat: 1 }] } }), ["Catch!", ""]);
  assert.deepEqual(getLine({ out: true }), ["out · 20", ""]);
  assert.deepEqual(getLine({ playing: false }), ["sits out · 20", ""]);
  assert.deepEqual(getLine({}, { turn: 1 }), ["▶\uFE0E turn", ""]);
  assert.deepEqual(getLine({}, { turn: 1, clock: { seat: 1, left_ms: 9000, total_ms: 9000 } }, 1500), ["▶\uFE0E 8 s", ""]);
  const bank = { seat: 1, left_ms: 1000, total_ms: 9000, bank_ms: 5000, bank_total_ms: 10_000 };
  assert.deepEqual(getLine({}, { turn: 1, clock: bank }, 2000), ["bank", "4 s left"]);
});

test("an absent player's line shows for how long, and how long the table waits", () => {
  assert.deepEqual(getLine({ present: false }), ["absent", ""]);
  assert.deepEqual(getLine({ present: false, gone_seconds: 3, away_left_ms: 20_000 }, {}, 2000), ["away 5 s", "20 s left"]);
  assert.equal(find(".seat").dataset.gone, "true");
  assert.deepEqual(getLine({ present: false, coming_ms: 2500 }, {}, 2000), ["coming", ""]);
  assert.deepEqual([find(".seat").dataset.gone, textOf(".seat .vh")], [undefined, "Ben, 5 cards, 20 points, isn’t here yet."]);
  assert.deepEqual(getLine({ present: false, coming_ms: 2500 }, {}, 2500), ["absent", ""]);
  assert.deepEqual(getLine({ present: false, bot: true }), ["20 points", ""]);
});

test("the draw pile draws when possible, and says what it does", () => {
  show(stateWith({ draw_label: "Draw 2" }), 0);
  const pile = find(".draw-pile");
  pile.click();
  assert.deepEqual([pile.getAttribute("aria-label"), pile.getAttribute("aria-disabled"), drawn], ["Draw pile, 90 cards. Draw 2", null, ["draw"]]);
  show(stateWith({ may: {} }), 0);
  assert.deepEqual([pile.getAttribute("aria-label"), pile.getAttribute("aria-disabled")], ["Draw pile, 90 cards", "true"]);
});

test("the pile shows its last three cards, and a card keeps its element", () => {
  show(stateWith({ discard: ["R5"], discard_pile: 1 }), 0);
  const [first] = all(".discarded");
  show(stateWith({ discard: ["R5", "R7", "G4"], discard_pile: 3, top: "G4" }), 0);
  assert.deepEqual([all(".discarded").length, all(".discarded")[0]], [3, first]);
  show(stateWith({ discard: ["R5", "R7", "G4", "B9"], discard_pile: 4, top: "B9" }), 0);
  assert.deepEqual(all(".discarded use").map((use) => use.getAttribute("href")), ["/s.svg#R7", "/s.svg#G4", "/s.svg#B9"]);
  assert.equal(find(".discard").getAttribute("aria-label"), "Top card: Blue 9");
});

test("colour, direction and penalty are described in words", () => {
  show(stateWith({ color: "B", direction: -1, penalty: { seat: 1, cards: 4 } }), 0);
  assert.deepEqual([textOf(".color-now"), find(".color-now").className, textOf(".direction")], ["blue", "color-now tint-B", "anticlockwise"]);
  assert.deepEqual([textOf(".owed"), find(".owed").hidden], ["+4 for Ben", false]);
  show(stateWith({ color: null, penalty: { seat: 0, cards: 2 } }), 0);
  assert.deepEqual([textOf(".color-now"), textOf(".owed"), textOf(".direction")], ["", "+2 for you", "clockwise"]);
  show(stateWith(), 0);
  assert.equal(find(".owed").hidden, true);
});

test("viewers who see hands only after their end see a curtain instead of the table", () => {
  show(stateWith({ you: null, top: null, discard: [], discard_pile: 0, viewer: { curtain: true }, prompt: "The hand is shown when it is over." }), 0);
  assert.equal(textOf(".curtain"), "The hand is shown when it is over.");
  assert.equal(find(".centre").dataset.empty, "true");
});

test("points are pluralized, and teams have their mark", () => {
  assert.deepEqual([1, 0, 5].map((score) => pointsOf({ score })), ["1 point", "0 points", "5 points"]);
  assert.deepEqual([null, 0, 1].map((team) => teamed({ team }, "Ben")), ["Ben", "◆\u00a0Ben", "●\u00a0Ben"]);
});

test("viewers see the leader, points next to the clock, and the last cards side by side", () => {
  const lately = () => all(".lately .card").map((card) => card.querySelector("use").getAttribute("href"));
  const leaders = () => all("[data-leads]").map((seat) => seat.dataset.seat);
  show(stateWith({ you: null, turn: 1, discard: ["R7", "G4", "R5"], discard_pile: 9 }), 0);
  assert.deepEqual(leaders(), ["1"]);
  assert.equal(textOf('[data-seat="1"] .seat-line'), "▶\uFE0E turn · 20");
  assert.deepEqual(lately(), ["/s.svg#R7", "/s.svg#G4", "/s.svg#R5"]);
  show(stateWith({ you: null, match: { ...viewWith().match, scoring: "loser-counts" } }), 0);
  assert.deepEqual(leaders(), ["0"]);
  show(stateWith({ you: null, seats: seats({ score: 0 }) }), 0);
  assert.deepEqual(leaders(), []);
  show(stateWith(), 0);
  assert.deepEqual([leaders(), find(".lately").hidden], [[], true]);
});

test("a partner is named in words, and every chip is marked with its team", async () => {
  const { isPartner } = await import("../../../static/js/table/stage.js");
  const teams = [0, 1, 0, 1].map((team, seat) => ({ ...viewWith().seats[0], seat, name: `P${seat}`, team, score: 40 }));
  const view = viewWith({ seats: teams, you: 0, turn: 1 });
  assert.deepEqual(teams.map((seat) => isPartner(seat, view)), [false, false, true, false]);
  assert.deepEqual(teams.map((seat) => isPartner(seat, { ...view, you: null })), [false, false, false, false]);
  assert.deepEqual(teams.map((seat) => isPartner({ ...seat, team: null }, view)), [false, false, false, false]);
});
