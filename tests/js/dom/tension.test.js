import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { all, DECK, find, makePage, stateWith, viewWith } from "./page.js";

let page;
let calm;
let tension;
let pressed;
const window = { seat: 1, left_ms: 6000, total_ms: 20_000 };
const { lastCards, makeTension, shakeOf, windowLeft } = await import("../../../static/js/table/tension.js");

beforeEach(async () => {
  page = makePage();
  const { setCards } = await import("../../../static/js/table/cards.js");
  setCards({ sprite: "/s.svg", deck: DECK });
  find("#table").dataset.tension = "/tension.css";
  find("#stage").innerHTML = '<ul><li class="seat" data-seat="1" data-window><b class="ring"></b></li></ul><div class="piles"><i class="card"></i></div>';
  find("#me").innerHTML = '<p class="prompt" data-kind="uno"><span>Say UNO!</span></p>';
  find("#hand").className = "hand";
  calm = { matches: false };
  pressed = [];
  tension = makeTension({
    table: find("#table"), layer: find("#flights"), calm, press: (action) => pressed.push(action),
    place: () => ({ left: 10, top: 20, width: 30, height: 40 }),
  });
});

const listFlights = () => page.flights.map(({ element }) => element.className);
const swapped = [{ event: "swapped", seat: 1, with: 0 }];

test("the rest of a catch window follows the page's clock, and is unknown without a limit", () => {
  assert.equal(windowLeft(window, 0), 30);
  assert.equal(windowLeft(window, 4000), 10);
  assert.equal(windowLeft(window, 9000), 0);
  assert.equal(windowLeft({ seat: 1, left_ms: null, total_ms: null }, 0), null);
});

test("piles shake further and longer with more penalty cards, up to sixteen", () => {
  assert.deepEqual([2, 8, 16, 40].map((cards) => shakeOf(cards).far), [3.25, 7, 12, 12]);
  tension.happen([{ event: "penalty", seat: 1, cards: 8 }], 0);
  assert.deepEqual(listFlights(), ["card"]);
});

test("only players in the hand have last cards, and no one on the score sheet", () => {
  const [mine, theirs] = viewWith().seats;
  const seats = [{ ...mine, count: 1 }, { ...theirs, count: 1, playing: false }];
  assert.deepEqual(lastCards(viewWith({ seats })), [0]);
  assert.deepEqual(lastCards(viewWith({ seats, sheet: { rows: [] } })), []);
});

test("the light changes at a last card, and the ring of a forgotten UNO shrinks", () => {
  const seats = viewWith().seats.map((seat) => ({ ...seat, count: 1 }));
  tension.show(stateWith({ seats, may: { windows: [window] } }), 4000);
  assert.equal(find("#table").hasAttribute("data-tense"), true);
  assert.equal(find(".seat").style.getPropertyValue("--window"), "10");
  tension.show(stateWith(), 4000);
  assert.equal(find("#table").hasAttribute("data-tense"), false);
});

test("a tap on the player catches them, and a tap on the prompt says UNO", () => {
  find(".seat .ring").click();
  find(".prompt span").click();
  find(".piles").click();
  assert.deepEqual(pressed, [{ catch: 1 }, { call: true }]);
});

test("the hands of a swap cross the table and disappear", () => {
  tension.happen(swapped, 0);
  assert.deepEqual(listFlights(), Array(10).fill("crossing"));
  page.flights.forEach((flight) => flight.onfinish());
  assert.equal(all(".crossing").length, 0);
});

test("with reduced motion, only the remaining time is shown", () => {
  calm.matches = true;
  const seats = viewWith().seats.map((seat) => ({ ...seat, count: 1 }));
  tension.show(stateWith({ seats, may: { windows: [window] } }), 0);
  tension.happen([...swapped, { event: "penalty", seat: 1, cards: 8 }], 0);
  assert.deepEqual([listFlights(), find("#table").hasAttribute("data-tense")], [[], false]);
  assert.equal(find(".seat").style.getPropertyValue("--window"), "30");
});
