import assert from "node:assert/strict";
import { test } from "node:test";

import { fitLines } from "../../static/js/picture/lines.js";

/** Measure a text whose letters are half as wide as they are high. */
const measure = (text, size) => ([...text].length * size) / 2;
const box = { width: 400, lines: 2, most: 100, least: 40 };

test("a short text has the largest size", () => {
  assert.deepEqual(fitLines("Asha", box, measure), { size: 100, lines: ["Asha"] });
});

test("a longer text takes two lines of similar width before it gets smaller", () => {
  assert.deepEqual(fitLines("Asha wins", box, measure), { size: 100, lines: ["Asha", "wins"] });
  assert.deepEqual(fitLines("Asha wins now", box, measure), { size: 100, lines: ["Asha", "wins now"] });
  assert.deepEqual(fitLines("Asha wins today", box, measure), { size: 88, lines: ["Asha wins", "today"] });
});

test("a long word reduces the size, and is split at the smallest size", () => {
  assert.deepEqual(fitLines("Bandyopadhyay", box, measure), { size: 60, lines: ["Bandyopadhyay"] });
  assert.deepEqual(fitLines("a".repeat(30), box, measure), { size: 40, lines: ["a".repeat(20), "a".repeat(10)] });
});

test("a text that does not fit at the smallest size ends with an ellipsis", () => {
  const { size, lines } = fitLines("a".repeat(50), box, measure);
  assert.deepEqual([size, lines], [40, ["a".repeat(20), `${"a".repeat(19)}…`]]);
});

test("letters of Indic scripts keep their vowel signs", () => {
  const { lines } = fitLines("মে".repeat(30), { ...box, lines: 9 }, measure);
  assert.deepEqual(lines.map((line) => line.startsWith("ে")), lines.map(() => false));
  assert.equal(lines.join(""), "মে".repeat(30));
});
