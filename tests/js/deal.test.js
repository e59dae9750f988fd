import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bytesOf, chance, hexOf, listDigest, secretCommitment, shareCommitment, Stream } from "../../static/js/fair/deal.js";

// Written by tests/rules/fair_vectors.py; a Python test compares them with the rules.
const vectors = JSON.parse(readFileSync(new URL("fair_vectors.json", import.meta.url), "utf8"));

test("commitments depend on match, hand, attempt and seat as in Python", () => {
  for (const { secret, server, seat, share, commitment, ...draw } of vectors.commitments) {
    assert.equal(secretCommitment(draw, secret), server);
    assert.equal(shareCommitment(draw, seat, share), commitment);
  }
});

test("a list has the same digest as in Python, with and without a dealer and for every reason without a share", () => {
  for (const { list, digest } of vectors.lists) assert.equal(listDigest(list), digest);
});

test("a purpose produces the same random words as in Python, over several blocks", () => {
  for (const { words, bounds, below, purpose, ...opened } of vectors.streams) {
    const { from } = chance(opened, purpose);
    assert.deepEqual(words.map(() => from.next().value), words);
    const stream = chance(opened, purpose);
    assert.deepEqual(bounds.map((n) => stream.below(n)), below);
  }
});

test("biased random words are skipped, and a choice among one needs none", () => {
  for (const { words, below, number } of vectors.rejected) assert.equal(new Stream(words.values()).below(below), number);
});

test("shuffles match Python for lists of any length", () => {
  for (const { items, order, purpose, ...opened } of vectors.shuffles) assert.deepEqual(chance(opened, purpose).shuffled(items), order);
  for (const { order, ...opened } of vectors.decks) assert.deepEqual(chance(opened, "deal").shuffled(opened.list.deck), order);
});

test("choices match Python, each with its own random words", () => {
  const { bounds, choices, ...opened } = vectors.choices;
  assert.deepEqual(bounds.map((n, i) => chance(opened, `choice ${i + 1}`).below(n)), choices);
});

test("shuffling does not modify the list", () => {
  const [{ items, purpose, ...opened }] = vectors.shuffles.slice(-1);
  const before = [...items];
  chance(opened, purpose).shuffled(items);
  assert.deepEqual(items, before);
});

test("bytes are shown as hex", () => {
  assert.equal(hexOf(new Uint8Array([0, 9, 255])), "0009ff");
  assert.deepEqual(bytesOf("0009ff"), new Uint8Array([0, 9, 255]));
  assert.deepEqual(bytesOf(""), new Uint8Array());
});
