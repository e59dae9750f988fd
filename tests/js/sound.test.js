import assert from "node:assert/strict";
import { test } from "node:test";

import { playSample, signalAll, wakeSound } from "../../static/js/table/sound.js";
import { makeAudio, played } from "./audio.js";

const audio = makeAudio();

test("each set has its own tunes, and in the full one the spoken UNO replaces the last-card sound", async () => {
  const heard = async (sound, names) => {
    const prefs = { volume: 0.5, vibration: false, sound };
    wakeSound(prefs);
    audio.clear();
    signalAll(names, prefs, 0);
    await played();
    return audio.pitches();
  };
  assert.deepEqual(await heard("quiet", ["turn"]), [523, 659]);
  assert.deepEqual(await heard("quiet", ["card", "draw", "plus", "hurry", "uno", "one"]), [784]);
  assert.deepEqual(await heard("full", ["turn"]), [660, 880]);
  assert.deepEqual(await heard("full", ["one"]), [150, 120, 150, 120]);
  assert.deepEqual(await heard("full", ["uno", "one"]), [784, 988, 1175]);
  assert.deepEqual(await heard("off", ["turn"]), []);
});

test("a penalty sounds deeper with more cards", async () => {
  const prefs = { volume: 0.5, vibration: false, sound: "full" };
  wakeSound(prefs);
  const lowest = [];
  for (const cards of [2, 4, 8, 16, 20]) {
    audio.clear();
    signalAll([`plus ${cards}`], prefs, 0);
    await played();
    lowest.push(Math.round(Math.min(...audio.pitches().slice(1))));
  }
  assert.deepEqual(lowest, [151, 139, 117, 83, 83]);
});

test("a sample replaces the previous one, and choosing silence ends it", async () => {
  const sampled = async (...sounds) => {
    audio.clear();
    for (const sound of sounds) playSample({ volume: 0.5, sound });
    await played();
    return audio.pitches();
  };
  assert.deepEqual(await sampled("full", "quiet"), [523, 659, 784]);
  assert.deepEqual(await sampled("full", "off"), []);
});
