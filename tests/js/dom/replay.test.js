import assert from "node:assert/strict";
import { test } from "node:test";

import { DECK, find, makePage, textOf, viewWith } from "./page.js";

const seats = viewWith().seats.map((seat) => ({ ...seat, playing: true }));
const step = (number, text) => ({
  step: number, seat: null, auto: "", at: "", action: null, counts: { 0: 1, 1: 1 }, cards: { 0: ["R7"], 1: ["R7"] }, turn: 0, direction: 1,
  color: "R", top: "R7", discard: ["R7"], discard_pile: 1, draw_pile: 9, penalty: null, said_uno: [], over: false, could: { cards: [], text: "" }, texts: [text],
});
const luck = [
  { chances: { 0: 62, 1: 38 }, text: "Chances of winning: Asha 62% and Ben 38%.", better: "" },
  { chances: { 0: 50, 1: 50 }, text: "Chances of winning: Asha 50% and Ben 50%.", better: "Better: Red 2 (+10 percentage points, ±2)." },
];
const replay = { hand: 1, hands: 1, you: null, scoring: "lowest", seats, colors: [], deck: DECK, steps: [step(0, "Dealt."), step(1, "Asha draws.")], luck };
const CONTROLS = `<div id="replay" data-sprite="/s.svg"><div class="stage" id="table"></div><div id="told"><div id="room"></div><p id="text"></p><p id="could-text"></p><p id="better"></p></div>
<button id="play"><span></span><span></span></button><select id="speed"><option value="1" selected>1</option></select><input type="checkbox" id="could">
<button data-go="ArrowRight"></button><input type="range" id="step"><output id="place"></output><ol id="log"><li><a data-step="0"></a></li><li><a data-step="1"></a></li></ol></div><div id="flights"></div>`;
const CURVE = `<svg><line id="here"/><circle data-at="0"/><circle data-at="1"/></svg><input type="range" id="chance-step" max="1"><b data-chance-of="0"></b><b data-chance-of="1"></b>`;

async function open(page) {
  makePage(`${CONTROLS}${page.luck.length ? CURVE : ""}<script type="application/json" id="replay-data">${JSON.stringify(page)}</script>`);
  globalThis.history = /** @type {any} */ ({ replaceState() {} });
  await import(`../../../static/js/replay/main.js?${Math.random()}`);
}
const shown = () => ["#text", "#better"].map(textOf);
const bars = () => ["0", "1"].map((seat) => find(`.seat[data-seat="${seat}"]`)).map((seat) => [seat.dataset.chance, seat.style.getPropertyValue("--chance")]);
const curve = () => [find("#here").getAttribute("x1"), ...["0", "1"].map((seat) => find(`[data-at="${seat}"]`).getAttribute("cy"))];
const getSpokenText = () => find("#chance-step").getAttribute("aria-valuetext");

test("each step shows the chances at the seats and in the chart, and the better play", async () => {
  await open(replay);
  assert.deepEqual(shown(), ["Dealt.", ""]);
  assert.deepEqual(bars(), [["62", "62%"], ["38", "38%"]]);
  assert.deepEqual(curve(), ["0%", "38%", "62%"]);
  assert.equal(getSpokenText(), `0 of 1. ${luck[0].text}`);
  find("[data-go=ArrowRight]").click();
  assert.deepEqual(shown(), ["Asha draws.", luck[1].better]);
  assert.deepEqual(bars(), [["50", "50%"], ["50", "50%"]]);
  assert.deepEqual(curve(), ["100%", "50%", "50%"]);
  assert.equal(getSpokenText(), `1 of 1. ${luck[1].text}`);
  assert.deepEqual(["0", "1"].map((seat) => textOf(`[data-chance-of="${seat}"]`)), ["50%", "50%"]);
});

test("dragging along the chart goes to that step", async () => {
  await open(replay);
  find("#chance-step").value = "1";
  find("#chance-step").dispatchEvent(new Event("input"));
  assert.deepEqual(shown(), ["Asha draws.", luck[1].better]);
});

test("without a review, no luck is shown", async () => {
  await open({ ...replay, luck: [] });
  assert.deepEqual(shown(), ["Dealt.", ""]);
  assert.deepEqual(bars(), [[undefined, "0%"], [undefined, "0%"]]);
});
