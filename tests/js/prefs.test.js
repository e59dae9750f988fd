import assert from "node:assert/strict";
import { test } from "node:test";

import { followPrefs, loadPrefs, savePrefs } from "../../static/js/table/prefs.js";
import { signal, signalAll, signalsFor, wakeSound } from "../../static/js/table/sound.js";

const DEFAULTS = {
  order: "color", sound: "off", offered: false, volume: 0.5, vibration: false, confirm: false, shortcuts: true,
  text: false, taught: false, asked: false, notices: false, reactions: true,
};

const memory = (text = null) => ({
  text,
  getItem() {
    return this.text;
  },
  setItem(_, value) {
    this.text = value;
  },
});

test("U33, U34: sound and vibration are off by default", () => {
  assert.deepEqual(loadPrefs(memory()), DEFAULTS);
});

test("U7: stored choices override the defaults", () => {
  const store = memory();
  savePrefs({ ...DEFAULTS, order: "number" }, store);
  assert.deepEqual(loadPrefs(store), { ...DEFAULTS, order: "number" });
});

test("the old preference for sounds becomes the full set, and an unknown value becomes silence", () => {
  const soundOf = (kept) => loadPrefs(memory(JSON.stringify({ sound: kept }))).sound;
  assert.deepEqual([true, false, "quiet", "full", "off", "loud", null].map(soundOf), ["full", "off", "quiet", "full", "off", "off", "off"]);
});

test("a change in another window applies here if it concerns the table", () => {
  globalThis.window = new EventTarget();
  globalThis.localStorage = memory('{"sound": "quiet"}');
  const heard = [];
  followPrefs(({ sound }) => heard.push(sound));
  for (const key of ["else", "lastcard-table", null]) window.dispatchEvent(Object.assign(new Event("storage"), { key }));
  assert.deepEqual(heard, ["quiet", "quiet"]);
  delete globalThis.window;
  delete globalThis.localStorage;
});

test("broken or forbidden storage counts as empty", () => {
  const forbidden = {
    getItem() {
      throw new Error("denied");
    },
    setItem() {
      throw new Error("denied");
    },
  };
  savePrefs(DEFAULTS, forbidden);
  assert.deepEqual([loadPrefs(memory("{")), loadPrefs(forbidden)], [DEFAULTS, DEFAULTS]);
});

test("the table works in a browser that forbids storage", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("denied");
    },
  });
  savePrefs(DEFAULTS);
  assert.deepEqual(loadPrefs(), DEFAULTS);
  delete globalThis.localStorage;
});

test("without sound output nothing fails, and no sound is queued", () => {
  const loud = { ...DEFAULTS, sound: "full" };
  wakeSound(loud);
  signal("turn", loud);
  let made = 0;
  globalThis.AudioContext = class {
    state = "suspended";
    resume() {}
    get currentTime() {
      made += 1;
      return 0;
    }
  };
  wakeSound(loud);
  signal("turn", loud);
  assert.equal(made, 0);
  delete globalThis.AudioContext;
});

test("a card, UNO, a catch and the start of your turn have signals", () => {
  const mine = { you: 0, turn: 0 };
  const theirs = { you: 0, turn: 1 };
  assert.deepEqual(signalsFor([{ event: "played", uno: true }], theirs, mine), ["card", "uno", "turn"]);
  assert.deepEqual(signalsFor([{ event: "played", seat: 0 }], mine, mine), ["card", "mine"]);
  assert.deepEqual(signalsFor([{ event: "played", seat: 1 }, { event: "over", winner: 1 }], theirs, theirs), ["last"]);
  assert.deepEqual(signalsFor([{ event: "caught" }], mine, mine), ["caught"]);
  assert.deepEqual(signalsFor([{ event: "penalty", seat: 1, cards: 8 }], mine, mine), ["plus 8"]);
  assert.deepEqual(signalsFor([{ event: "drew", seat: 0, cards: 4, why: "penalty" }], mine, mine), ["plus 4"]);
  assert.deepEqual(signalsFor([{ event: "swapped", seat: 1, with: 0 }], mine, mine), ["swap"]);
  assert.deepEqual(signalsFor([], { you: null, turn: null }, { you: null, turn: null }), []);
});

test("a player's last card signals once when it becomes the last, but not when it is dealt", () => {
  const seats = (...counts) => ({ you: null, turn: null, seats: counts.map((count) => ({ count, playing: true })) });
  assert.deepEqual(signalsFor([], seats(3, 2), seats(3, 1)), ["one"]);
  assert.deepEqual(signalsFor([], seats(3, 1), seats(2, 1)), []);
  assert.deepEqual(signalsFor([], seats(3, null), { ...seats(3), seats: [{ count: 1, playing: false }] }), []);
});

test("a card is heard and felt when it lands, and everything else immediately", async () => {
  const buzzes = [];
  globalThis.navigator = { vibrate: (pattern) => buzzes.push(pattern) };
  const prefs = { ...DEFAULTS, vibration: true };
  const wait = () => new Promise((done) => setTimeout(done, 30));
  signalAll(["mine"], prefs, 5);
  assert.deepEqual(buzzes, []);
  await wait();
  assert.deepEqual(buzzes, [14]);
  signalAll(["mine"], prefs, 0);
  assert.deepEqual(buzzes, [14, 14]);
  signalAll(["mine", "turn"], prefs, 5);
  await wait();
  assert.deepEqual(buzzes, [14, 14, 80], "and what was felt meanwhile is not cut short");
  delete globalThis.navigator;
});
