import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { Attempt } from "../dealing.js";
import { find, makePage, textOf, viewWith } from "./page.js";

const vectors = JSON.parse(readFileSync(new URL("../fair_vectors.json", import.meta.url), "utf8"));
const MATCH = "table-7";
const [WITH, WITH_BOT, ALONE] = vectors.records;
const numberOf = (record) => record.fair.list.hand;
const timers = [];
let said;
let wrong;
let answers;

makePage();
const { Kept } = await import("../../../static/js/fair/kept.js");
const { makeProof, proofInWords } = await import("../../../static/js/table/proof.js");

beforeEach(() => {
  makePage();
  [said, wrong, answers] = [[], [], {}];
  globalThis.fetch = /** @type {any} */ (async (address) => {
    const answer = answers[address];
    if (answer === undefined) throw new TypeError("Failed to fetch");
    return { ok: answer !== 500, status: answer === 500 ? 500 : 200, json: async () => structuredClone(answer) };
  });
});

/** Return the sheet's text about these hands after the match, or about one finished hand. */
async function openProof(sheet, { you = null, view = {} } = {}) {
  const element = Object.assign(document.createElement("div"), { className: "sheet-proof" });
  const show = makeProof(new Kept(), { element, computer: undefined, say: (text) => said.push(text), wrong: (hands) => wrong.push(...hands), random: () => 0 });
  find("#stage").replaceChildren(element);
  const real = globalThis.setTimeout;
  globalThis.setTimeout = /** @type {any} */ ((then, ms, ...given) => timers.push([then, ms, given]));
  const shown = viewWith({ you, sheet, ...view, match: { ...viewWith().match, id: MATCH, phase: "over", links: { fair: "/fair/" } } });
  show(/** @type {any} */ ({ view: shown }), 0);
  show(/** @type {any} */ ({ view: shown }), 0);
  globalThis.setTimeout = real;
  const due = timers.splice(0);
  for (const [then, , given] of due) await then(...given);
  await sleep(0);
  return due.map(([, ms]) => ms);
}

const open = (record) => ({ number: numberOf(record), state: "open", record: `/${numberOf(record)}.json`, attempts: [] });

/** Serve these open records. */
function expectRecords(...records) {
  answers["/fair/?data"] = { match: MATCH, you: null, hands: records.map(open) };
  for (const record of records) answers[open(record).record] = record;
}

test("after a match, all hands are checked automatically and once, with a result of one line", async () => {
  expectRecords(WITH, WITH_BOT);
  const waits = await openProof({ over: true });
  assert.deepEqual([waits, textOf(".sheet-proof"), find(".sheet-proof").dataset.state], [[0], "Shuffle: all 2 hands check out", "fits"]);
  assert.deepEqual([said, wrong], [["Shuffle: all 2 hands check out"], []]);
  assert.equal(find(".sheet-proof a").getAttribute("href"), "/fair/");
});

test("a hand whose record is open when it ends is checked immediately", async () => {
  expectRecords(WITH);
  await openProof({ over: false, hand: numberOf(WITH), links: { record: open(WITH).record } });
  assert.equal(textOf(".sheet-proof"), "Shuffle: 1 hand checks out");
  assert.deepEqual(await openProof({ over: false, hand: 1, links: { record: null } }), []);
});

test("a stacked deck is shown in red and reported to the alarm", async () => {
  expectRecords({ ...WITH, deck: [...WITH.deck].reverse() }, WITH_BOT);
  await openProof({ over: true });
  assert.deepEqual([textOf(".sheet-proof"), find(".sheet-proof").dataset.state], ["Shuffle: 1 hand doesn’t check out", "wrong"]);
  assert.deepEqual([wrong, find(".sheet-proof button")], [[numberOf(WITH)], null]);
});

test("a player gets the evidence next to the result, and waits until the sheet is visible", async () => {
  expectRecords(WITH);
  answers["/fair/?data"].you = 0;
  const { draw } = new Attempt({ match: MATCH, hand: numberOf(WITH) });
  const note = { ...draw, seat: 0, at: "", server: "00", mine: null, list: null, digest: null, opened: false, taken: false, complaints: [] };
  localStorage.setItem(`lastcard-deal ${MATCH} ${numberOf(WITH)} 1 0`, JSON.stringify(note));
  assert.deepEqual(await openProof({ over: true }, { you: 0 }), [1500]);
  assert.equal(textOf(".sheet-proof button"), "Download the evidence");
});

test("an unavailable record shows no result and is requested with the next sheet", async () => {
  assert.deepEqual(await openProof({ over: true }), [0]);
  assert.equal(textOf(".sheet-proof"), "");
  expectRecords(WITH);
  answers[open(WITH).record] = 500;
  await openProof({ over: true });
  assert.deepEqual([textOf(".sheet-proof"), wrong], ["Shuffle: 1 hand doesn’t check out", []]);
});

test("a missing record prevents the result that all hands fit", async () => {
  expectRecords(WITH, WITH_BOT);
  delete answers[open(WITH).record];
  await openProof({ over: true });
  assert.deepEqual([textOf(".sheet-proof"), find(".sheet-proof").dataset.state], ["Shuffle: 1 hand couldn’t be loaded", "closed"]);
});

test("the worst result is shown, and closed hands are not mentioned", () => {
  const of = (...states) => proofInWords(states.map((state) => /** @type {any} */ ({ state }))).text;
  assert.equal(of("fits", "without", "without"), "Shuffle: 2 hands without your browser’s contribution");
  assert.equal(of("alone", "closed"), "Shuffled by the server alone");
  assert.deepEqual([of("closed"), of(), Boolean(ALONE)], ["", "", true]);
});
