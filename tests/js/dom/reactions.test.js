import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { stopTimers } from "../timers.js";
import { all, find, makePage, press, stateWith, viewWith } from "./page.js";

makePage();
const { makeGoodGame, makeReacted, makeReactions, NAMES, reactionInWords } = await import("../../../static/js/table/reactions.js");

let prefs;
let sent;
let said;
let show;
let reacted;
let place;

beforeEach(() => {
  for (const id of ["#me", "#words", "#stage", "#flights"]) find(id).replaceChildren();
  [prefs, sent, said] = [{ reactions: true }, [], []];
  place = () => ({ left: 10, top: 20, width: 40, height: 40 });
  const reacting = { sprite: "/f.svg", prefs: () => prefs, send: (shown) => sent.push(shown), say: (text) => said.push(text) };
  show = makeReactions({ face: find("#me"), stage: find("#stage"), words: find("#words") }, reacting);
  reacted = makeReacted(find("#flights"), { ...reacting, place: (seat) => place(seat) });
});

const desk = (more = {}) => ({ desk: { type: "desk", may_call: true, may_react: true, calls: [], messages: [], ...more } });
const seated = (more = {}, view = {}) => show(stateWith(view, desk(more)), 0);
const shown = (seat, what = "laugh") => reacted({ type: "reacted", seat, shown: what }, viewWith());

test("U59: your face opens nine reactions, and a tap sends one", () => {
  seated();
  assert.equal(find(".react").hidden, false);
  find(".react").click();
  assert.deepEqual(all("#reactions button").map((button) => button.title), Object.values(NAMES));
  assert.equal(document.activeElement, find("#reactions button"));
  find('#reactions [data-shown="heart"]').click();
  assert.deepEqual(sent, ["heart"]);
  assert.equal(find("#reactions"), null);
  assert.equal(document.activeElement, find(".react"));
});

test("Escape, a second tap and a tap elsewhere close the choice", () => {
  seated();
  const closings = [
    () => press("Escape", find("#reactions button")),
    () => find(".react").click(),
    () => document.body.dispatchEvent(new Event("pointerdown", { bubbles: true })),
  ];
  for (const close of closings) {
    find(".react").click();
    assert.equal(find(".react").getAttribute("aria-expanded"), "true");
    close();
    assert.equal(find("#reactions"), null);
    assert.equal(find(".react").getAttribute("aria-expanded"), "false");
  }
});

test("U59: reactions are not offered to viewers, when turned off, or to players who hide them", () => {
  const offered = () => [find(".react"), find("#words .reactions")].map((each) => !each.hidden);
  show(stateWith(), 0);
  assert.deepEqual(offered(), [false, false]);
  seated({ may_react: false });
  assert.deepEqual(offered(), [false, false]);
  seated({}, { you: null });
  assert.deepEqual(offered(), [false, false]);
  prefs = { reactions: false };
  seated();
  assert.deepEqual(offered(), [false, false]);
  prefs = { reactions: true };
  seated();
  assert.deepEqual(offered(), [true, true]);
});

test("an open choice closes when reactions are turned off", () => {
  seated();
  find(".react").click();
  seated({ may_react: false });
  assert.equal(find("#reactions"), null);
});

test("U59: text mode always shows the nine reactions as labelled buttons", () => {
  seated();
  find('#words [data-shown="good-game"]').click();
  assert.deepEqual(sent, ["good-game"]);
  assert.equal(find('#words [data-shown="good-game"]').textContent, "Good game!");
});

test("U59: a reaction appears briefly at its player's seat and is announced once", () => {
  const timers = stopTimers();
  shown(1);
  assert.deepEqual(said, ["Ben: Laughter"]);
  assert.deepEqual([find(".reaction").style.left, find(".reaction").style.top], ["30px", "40px"]);
  assert.match(find(".reaction use").getAttribute("href"), /#laugh$/);
  timers.tick(3000);
  timers.reset();
  assert.equal(find(".reaction"), null);
});

test("a new reaction replaces the previous one at the same seat only", () => {
  shown(1);
  shown(1, "wow");
  shown(0, "sad");
  assert.deepEqual(all(".reaction").map(({ dataset }) => dataset.shown), ["wow", "sad"]);
  assert.equal(reactionInWords({ type: "reacted", seat: 0, shown: "sad" }, viewWith()), "You: Sadness");
});

test("U59: players who hide reactions neither see nor hear them", () => {
  prefs = { reactions: false };
  shown(1);
  assert.deepEqual([said, all(".reaction")], [[], []]);
});

test("in text mode, which shows no seats, a reaction is only announced", () => {
  place = () => ({ left: 0, top: 0, width: 0, height: 0 });
  shown(1);
  assert.deepEqual([said.length, all(".reaction").length], [1, 0]);
});

test('U59: on the final score sheet, one tap sends "good game" once', () => {
  const { element, show: showGame } = makeGoodGame({ sprite: "/f.svg", prefs: () => prefs, send: (what) => sent.push(what), say() {} });
  showGame(stateWith(), 0);
  assert.equal(element.hidden, true);
  showGame(stateWith({}, desk()), 0);
  assert.equal(element.hidden, false);
  element.click();
  element.click();
  assert.deepEqual(sent, ["good-game"]);
});
