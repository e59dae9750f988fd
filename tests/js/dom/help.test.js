import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { all, DECK, find, makePage, press, textOf } from "./page.js";
import { stopTimers } from "../timers.js";

const page = makePage();
const { setCards } = await import("../../../static/js/table/cards.js");
const { helpText, makeHelp } = await import("../../../static/js/table/help.js");
const specials = [{ card: "W", cards: ["W"], title: "Wild", text: "It fits on every card." }];
const points = { ...DECK, cards: { ...DECK.cards, W: { ...DECK.cards.W, points: 50 }, R7: { ...DECK.cards.R7, points: 1 } } };
setCards({ sprite: "/s.svg", deck: points, specials });

const said = [];
let clicks;
let timers;
find("#hand").innerHTML = '<li class="slot"><button class="card-button" data-card="W"></button></li>';
makeHelp(find("#hand"), find("#table"), { cardAt: (element) => element.dataset.card, say: (text) => said.push(text) });
find(".card-button").addEventListener("click", () => { clicks += 1; });

beforeEach(() => {
  clicks = 0;
  page.window.setTimeout = globalThis.setTimeout;
});

const send = (type, { pointerType = "", ...options } = {}) => {
  const event = new page.window.MouseEvent(type, { bubbles: true, cancelable: true, ...options });
  find(".card-button").dispatchEvent(Object.assign(event, { pointerType }));
};
const shown = () => all(".card-help b").map((name) => name.textContent);

test("U61: the help describes a card's effect and points", () => {
  assert.equal(helpText("W"), "Wild. It fits on every card. This card is worth 50 points.");
  assert.equal(helpText("R7"), "Red 7. This card is worth 1 point.");
});

test("U61: a long press shows the help and does not play the card", () => {
  timers = stopTimers();
  page.window.setTimeout = globalThis.setTimeout;
  send("pointerdown");
  timers.tick(500);
  assert.deepEqual(shown(), ["Wild"]);
  send("pointerup");
  send("click");
  assert.deepEqual([shown(), clicks], [[], 0]);
  send("pointerdown");
  send("pointerup");
  send("click");
  assert.equal(clicks, 1);
  timers.reset();
});

test("a card that slides under a resting mouse after a press shows no help", () => {
  timers = stopTimers();
  page.window.setTimeout = globalThis.setTimeout;
  const at = { clientX: 40, clientY: 60 };
  send("pointerdown", { pointerType: "mouse", ...at });
  timers.tick(500);
  send("pointerup", { pointerType: "mouse", ...at });
  send("click");
  send("pointerover", { pointerType: "mouse", ...at });
  timers.tick(700);
  assert.deepEqual(shown(), []);
  send("pointerover", { pointerType: "mouse", clientX: 41, clientY: 60 });
  timers.tick(700);
  assert.deepEqual(shown(), ["Wild"]);
  send("pointerout");
  timers.reset();
});

test("U61: hovering and the question mark key show the help", () => {
  timers = stopTimers();
  page.window.setTimeout = globalThis.setTimeout;
  send("pointerover", { pointerType: "mouse", clientX: 9 });
  timers.tick(700);
  assert.deepEqual(shown(), ["Wild"]);
  send("pointerout");
  assert.deepEqual(shown(), []);
  press("?", find(".card-button"));
  assert.equal(textOf(".card-help p"), "It fits on every card.");
  assert.deepEqual(said, ["Wild. It fits on every card. This card is worth 50 points."]);
  press("Escape", find(".card-button"));
  assert.deepEqual(shown(), []);
  timers.reset();
});
