import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ createElement: () => ({}), querySelector: () => null, querySelectorAll: () => [] });
const { makeScriptCheck } = await import("../../static/js/letters.js");

const BOX = 19;

/** Create a fake device that can draw the letters in `known` and records the measured letters. */
function device(known) {
  const measured = [];
  const lacking = makeScriptCheck((letter) => {
    measured.push(letter);
    return known.includes(letter) ? 10 + (letter.codePointAt(0) % 7) : BOX;
  });
  return { lacking, measured };
}

test("a text is measured only if it has letters that some devices lack", () => {
  const { lacking, measured } = device("");
  assert.equal(lacking("Asha, Zoë, Юлия, 王伟 👩‍👩‍👧 1234"), false);
  assert.deepEqual(measured, []);
});

test("a script is missing if all its letters are as wide as a non-letter", () => {
  for (const name of ["রবি", "राम", "رخسانہ", "ගීතා", "ரமா", "ಶ್ರೀನಿವಾಸ್", "ਗੁਰਪ੍ਰੀਤ", "હિતેશ", "ଶ୍ରୀମତୀ", "రాము", "രമ"]) {
    assert.equal(device("").lacking(`Asha and ${name}`), true, name);
    assert.equal(device(name).lacking(`Asha and ${name}`), false, name);
  }
});

test("a device with one script may lack another", () => {
  const { lacking } = device("রবি");
  assert.equal(lacking("রবি"), false);
  assert.equal(lacking("রবি and राम"), true);
});

test("each script is measured once", () => {
  const { lacking, measured } = device("রবি");
  lacking("রবি");
  measured.length = 0;
  assert.equal(lacking("রবি"), false);
  assert.deepEqual(measured, []);
});
