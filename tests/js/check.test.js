import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { check } from "../../static/js/fair/check.js";
import { checkWithDeck } from "../../static/js/fair/decks.js";
import { sha512 } from "../../static/js/fair/sha2.js";

const vectors = JSON.parse(readFileSync(new URL("fair_vectors.json", import.meta.url), "utf8"));
const OTHER = "00".repeat(32);

/** Return a record with void attempts, reshuffles and X-Rays. */
const makeRecord = () => structuredClone(vectors.records.find(({ reshuffles, fair, log }) => reshuffles.length > 1 && fair.void.length && log.some(({ held }) => held)));
const getLocation = ({ fair: { list } }) => [list.match, list.hand];
/** Return the fault codes of a record after a change, optionally at the address of another match or hand. */
function findFaultsAfter(change, record = makeRecord(), where = getLocation(record)) {
  change(record);
  return checkWithDeck(record, ...where).faults.map(({ code, about, number }) => [code, about, number].filter((each) => each !== undefined).join(" "));
}

test("records written by the Python code pass", () => {
  for (const record of vectors.records) {
    const { faults, cards, shuffles } = check(record, ...getLocation(record));
    assert.deepEqual([faults, cards, shuffles], [[], record.deck.length, record.reshuffles.length]);
  }
});

test("the first dealer matches the Python code, by cards and by lot", () => {
  for (const { dealer, ...fair } of vectors.dealers) {
    const record = { fair, dealer, deck: [], reshuffles: [], log: [] };
    const codes = (each) => check(each, ...getLocation(each)).faults.map(({ code }) => code);
    assert.deepEqual(codes(record), ["deck"]);
    assert.deepEqual(codes({ ...record, dealer: dealer + 1 }), ["deck", "dealer"]);
  }
});

test("a draw for the dealer without point cards or with endless ties has no winner", () => {
  const [{ dealer, ...fair }] = vectors.dealers.filter(({ points }) => Object.keys(points).length);
  for (const points of [{ none: 1 }, Object.fromEntries(fair.list.deck.map((card) => [card, 1]))]) {
    const record = { fair: { ...fair, points }, dealer, deck: [], reshuffles: [], log: [] };
    assert.ok(check(record, ...getLocation(record)).faults.some(({ code }) => code === "dealer"));
  }
});

test("a stacked deck fails, and the first different card is named", () => {
  const swap = ({ deck }) => [deck[9], deck[40]] = [deck[40], deck[9]];
  assert.deepEqual(findFaultsAfter((record) => record.deck.pop()), ["deck 1"]);
  const at = findFaultsAfter(swap);
  assert.deepEqual(at, ["deck 10"]);
});

test("a changed dealer, reshuffle or exposed card fails", () => {
  assert.deepEqual(findFaultsAfter((record) => { record.dealer += 1; }), ["dealer"]);
  assert.deepEqual(findFaultsAfter(({ reshuffles }) => reshuffles[1].reverse()), ["reshuffle 2"]);
  const other = ({ log }) => {
    const { reveals, held } = log.find((entry) => entry.held);
    const [seat] = Object.keys(reveals);
    held[seat] = held[seat].map(() => "none");
  };
  assert.match(findFaultsAfter(other).join(), /^reveal \d+$/);
});

test("a record of another match or hand fails", () => {
  const [match, hand] = getLocation(makeRecord());
  const attempts = makeRecord().fair.void.length + 1;
  const all = Array.from({ length: attempts }, (_, i) => `other-deal ${i + 1}`);
  assert.deepEqual(findFaultsAfter(() => {}, makeRecord(), ["another", hand]), all);
  assert.deepEqual(findFaultsAfter(() => {}, makeRecord(), [match, hand + 1]), all);
});

test("a secret or share that does not match its commitment is reported with its attempt", () => {
  const number = makeRecord().fair.void.length + 1;
  const [seat] = Object.keys(makeRecord().fair.shares);
  assert.equal(findFaultsAfter(({ fair }) => { fair.secret = OTHER; })[0], `secret ${number}`);
  assert.equal(findFaultsAfter(({ fair }) => { fair.shares[seat] = OTHER; })[0], `share ${seat} ${number}`);
  const [first] = Object.keys(makeRecord().fair.void[0].shares);
  assert.deepEqual(findFaultsAfter(({ fair }) => { fair.void[0].secret = OTHER; }), ["secret 1"]);
  assert.deepEqual(findFaultsAfter(({ fair }) => { fair.void[0].shares[first] = OTHER; }), [`share ${first} 1`]);
});

test("a deal from a subset of the list is reported, and nothing more is computed", () => {
  const number = makeRecord().fair.void.length + 1;
  const [seat] = Object.keys(makeRecord().fair.shares);
  assert.deepEqual(findFaultsAfter(({ fair }) => { delete fair.shares[seat]; }), [`missing-share ${seat} ${number}`]);
});

test("a void attempt fails if it was complete, and a record fails if it omits one", () => {
  const { fair } = makeRecord();
  const complete = (record) => {
    const list = { ...record.fair.void[0].list, seats: record.fair.void[0].list.seats.filter(({ seat, commitment }) => !commitment || record.fair.void[0].shares[seat]) };
    record.fair.void[0].list = list;
  };
  assert.ok(findFaultsAfter(complete).includes("void-complete 1"));
  const hidden = findFaultsAfter((record) => record.fair.void.shift());
  assert.deepEqual(hidden.slice(0, 1), ["other-deal 1"]);
  assert.ok(fair.void.length > 1);
});

test("a seat may be excluded only after failing in two attempts", () => {
  const { fair: { void: gone, list } } = makeRecord();
  const { seat } = list.seats.find(({ why }) => why === "failed");
  const shared = (record) => { record.fair.void[0].shares[seat] = OTHER; };
  assert.equal(gone.length, 2);
  assert.deepEqual(findFaultsAfter(shared).filter((each) => each.startsWith("not-failed")), [`not-failed ${seat} 3`]);
});

test("an attempt with other players, dealer or deck, or with a reused secret, fails", () => {
  assert.ok(findFaultsAfter(({ fair }) => { fair.void[0].list.dealer = 77; }).includes("other-table 1"));
  assert.ok(findFaultsAfter(({ fair }) => { fair.void[1].secret = fair.void[0].secret; }).includes("same-secret 2"));
});

test("an incomplete or malformed record is unreadable", () => {
  for (const key of ["deck", "log", "fair.list", "fair.void", "fair.shares"]) {
    const [first, second] = key.split(".");
    const remove = (record) => (second ? delete record[first][second] : delete record[first]);
    assert.deepEqual(findFaultsAfter(remove, makeRecord(), getLocation(makeRecord())), ["unreadable"], key);
  }
});

test("a hand from before players contributed shares has the commitment to its deck", () => {
  const deck = ["R5", "G7"];
  const record = { deck, nonce: "ab", commitment: createHash("sha256").update("R5 G7\nab").digest("hex") };
  assert.deepEqual(check(record, "m", 1), { faults: [], cards: 2, shuffles: 0, choices: 0, fair: null });
  assert.deepEqual(check({ ...record, deck: ["G7", "R5"] }, "m", 1).faults, [{ code: "old-commitment" }]);
});

/** Return the fastest of five runs in microseconds of processor time, which excludes the load of other processes. */
function least(work) {
  const times = [0, 1, 2, 3, 4].map(() => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user;
  });
  return Math.min(...times);
}

test("checking a hand of 108 cards is as fast as hashing a megabyte", () => {
  const [record] = vectors.records;
  const bytes = new Uint8Array(1 << 20);
  const hashed = least(() => sha512(bytes));
  const checked = least(() => check(record, ...getLocation(record)));
  assert.ok(checked < hashed, `${checked} µs against ${hashed}`);
});

// The deck

test("a list whose deck has missing, extra or different cards fails", () => {
  const without = (record) => record.fair.list.deck.splice(-1);
  const doubled = (record) => { record.fair.list.deck[0] = "W"; };
  const more = (record) => record.fair.list.deck.push("W");
  const mixed = (record) => record.fair.list.deck.push("BLANK", "OTHER");
  for (const change of [without, doubled, more, mixed]) assert.ok(findFaultsAfter(change).includes("rules-deck"), String(change));
});

test("a table may add cards of one more kind", () => {
  assert.ok(!findFaultsAfter((record) => record.fair.list.deck.push("BLANK", "BLANK")).includes("rules-deck"));
});
