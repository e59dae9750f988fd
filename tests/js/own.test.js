import assert from "node:assert/strict";
import { test } from "node:test";

import { listDigest, shareCommitment } from "../../static/js/fair/deal.js";
import { missingHands, ownFaults, unsignedFaults } from "../../static/js/fair/own.js";
import { Attempt, DECK } from "./dealing.js";

const SHARE = "5a".repeat(32);

/** Return a deal with this browser's share, and the browser's notes about it. */
function makeDeal(changes = {}) {
  const attempt = new Attempt();
  attempt.shares[0] = SHARE;
  attempt.commitments[0] = shareCommitment(attempt.draw, 0, SHARE);
  const list = attempt.list();
  const note = {
    ...attempt.draw, seat: 0, at: "", server: attempt.server, mine: attempt.commitments[0], list, digest: listDigest(list),
    opened: true, taken: true, complaints: [], ...changes,
  };
  return { fair: { list, secret: attempt.secret, shares: attempt.shares, void: [] }, note };
}

const listFaults = ({ fair, note }, share = SHARE) => ownFaults(fair, [note], () => share).map(({ code }) => code);

test("a deal that matches this browser's notes passes", () => {
  assert.deepEqual(listFaults(makeDeal()), []);
});

test("a browser that saw the deal without taking part compares only list and server", () => {
  const { fair, note } = makeDeal({ mine: null, taken: false, opened: false });
  assert.deepEqual(listFaults({ fair, note }, null), []);
  assert.deepEqual(listFaults({ fair, note: { ...note, digest: null, list: null } }, null), []);
});

test("another server commitment than this browser saw fails", () => {
  assert.deepEqual(listFaults(makeDeal({ server: "00".repeat(32) })), ["own-server"]);
});

test("another list than this browser saw fails", () => {
  assert.deepEqual(listFaults(makeDeal({ digest: "00".repeat(32) })), ["own-list"]);
});

test("a list without the accepted commitment fails, unless its seat had failed", () => {
  const { fair, note } = makeDeal({ list: null, digest: null, taken: false });
  const without = (why) => ({ fair: { ...fair, list: { ...fair.list, deck: DECK, seats: [{ seat: 0, why }, ...fair.list.seats.slice(1)] } }, note });
  assert.deepEqual(listFaults(without("none")), ["own-left-out"]);
  assert.deepEqual(listFaults({ fair: { ...fair, list: { ...fair.list, seats: fair.list.seats.slice(1) } }, note }), ["own-left-out"]);
  assert.deepEqual(listFaults({ ...without("failed"), note: { ...note, taken: false } }), []);
});

test("another share than the one sent fails", () => {
  const { fair, note } = makeDeal();
  assert.deepEqual(listFaults({ fair: { ...fair, shares: { ...fair.shares, 0: "00".repeat(32) } }, note }), ["own-share"]);
});

test("a share accepted and later called late fails, but an unanswered one may be late", () => {
  const late = ({ fair, note }) => ({ fair: { ...fair, shares: { 1: fair.shares[1] } }, note });
  assert.deepEqual(listFaults(late(makeDeal())), ["own-late"]);
  assert.deepEqual(listFaults(late(makeDeal({ taken: false }))), []);
});

test("an attempt that this browser saw fails if the record lacks it, and void attempts are found", () => {
  const { fair, note } = makeDeal();
  assert.deepEqual(listFaults({ fair, note: { ...note, attempt: 2 } }), ["own-attempt"]);
  const later = new Attempt({ attempt: 2 });
  assert.deepEqual(listFaults({ fair: { list: later.list(), secret: "", shares: {}, void: [fair] }, note }), []);
});

test("a hand recorded as shuffled by the server alone fails if this browser saw its deal begin", () => {
  const { note } = makeDeal();
  assert.deepEqual(listFaults({ fair: null, note }), ["own-attempt"]);
  assert.deepEqual(ownFaults(null, [], () => null), []);
});

test("a commitment released with its seat, according to the record, is not reported as left out", () => {
  const { fair, note } = makeDeal({ list: null, digest: null, taken: false });
  const list = { ...fair.list, seats: [{ seat: 0, why: "bot" }, ...fair.list.seats.slice(1)] };
  assert.deepEqual(listFaults({ fair: { ...fair, list, let_go: [1] }, note }), ["own-left-out"]);
  assert.deepEqual(listFaults({ fair: { ...fair, list, let_go: [0] }, note }), []);
  const signed = { ...note, sent: [{ type: "commit", hex: note.mine, key: "ab", answer: "ack" }] };
  assert.deepEqual(listFaults({ fair: { ...fair, list, let_go: [0] }, note: signed }), []);
});

test("a sent signature missing from the record is reported, acknowledged or not", () => {
  const of = (answer) => makeDeal({ sent: [{ type: "commit", hex: makeDeal().note.mine, key: "ab", answer }] });
  for (const answer of ["ack", null]) {
    const { fair, note } = of(answer);
    note.sent[0].hex = note.mine;
    assert.deepEqual(listFaults({ fair, note }), ["own-unsigned"]);
    assert.deepEqual(listFaults({ fair: { ...fair, signed: { 0: { key: "ab", signature: "" } } }, note }), []);
  }
});

test("a hand seen in play is reported missing, even if it is the last one", () => {
  const hands = [{ number: 1, state: "open", record: null, attempts: [] }];
  const notes = [{ ...makeDeal().note, hand: 2, played: true }, { ...makeDeal().note, hand: 3 }];
  assert.deepEqual([missingHands(hands, notes), missingHands([], notes)], [[2], [2]]);
});

test("hands missing between others are reported once, and later ones may still follow", () => {
  const hands = [1, 4].map((number) => ({ number, state: "open", record: null, attempts: [] }));
  const notes = [1, 3, 3, 5].map((hand) => ({ ...makeDeal().note, hand }));
  assert.deepEqual([missingHands(hands, notes), missingHands([], notes)], [[3], []]);
});

// A contribution in the player's own seat

/** Return the fault codes for seat 0, whose contribution is in a deal with these signatures. */
function makeUnsigned(own, signed = {}) {
  const { fair } = makeDeal();
  return unsignedFaults({ ...fair, signed }, { notes: [], you: 0, signs: true, owned: false, ...own }).map(({ code }) => code);
}

test("an unsigned contribution in your own seat fails on a device that signs, with or without notes", () => {
  const { note } = makeDeal({ mine: "00".repeat(32) });
  assert.deepEqual([makeUnsigned({}), makeUnsigned({ notes: [note] })], [["own-not-signed"], ["own-not-signed"]]);
});

test("an unsigned contribution passes if this device does not sign, sent it, or the player named another device", () => {
  const { note } = makeDeal();
  const sent = { ...note, mine: null, sent: [{ type: "commit", hex: note.mine }] };
  for (const own of [{ signs: false }, { owned: true }, { notes: [sent] }, { notes: [note] }]) assert.deepEqual(makeUnsigned(own), []);
  assert.deepEqual([makeUnsigned({}, { 0: { key: "", signature: "" } }), makeUnsigned({ you: 2 }), makeUnsigned({ you: null })], [[], [], []]);
});

test("a hand that was never shown has no missing attempt", () => {
  const { fair, note } = makeDeal({ attempt: 0, server: "", mine: null, list: null, digest: null });
  assert.deepEqual(listFaults({ fair, note }, null), []);
});
