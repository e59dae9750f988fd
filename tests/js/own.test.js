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

test("what is as this browser had kept it fits", () => {
  assert.deepEqual(listFaults(makeDeal()), []);
});

test("a browser that saw but did not take part has nothing to compare but list and server", () => {
  const { fair, note } = makeDeal({ mine: null, taken: false, opened: false });
  assert.deepEqual(listFaults({ fair, note }, null), []);
  assert.deepEqual(listFaults({ fair, note: { ...note, digest: null, list: null } }, null), []);
});

test("another commitment of the server than this browser saw does not fit", () => {
  assert.deepEqual(listFaults(makeDeal({ server: "00".repeat(32) })), ["own-server"]);
});

test("another list than this browser saw does not fit", () => {
  assert.deepEqual(listFaults(makeDeal({ digest: "00".repeat(32) })), ["own-list"]);
});

test("a list without the commitment that was accepted does not fit, unless its seat had failed", () => {
  const { fair, note } = makeDeal({ list: null, digest: null, taken: false });
  const without = (why) => ({ fair: { ...fair, list: { ...fair.list, deck: DECK, seats: [{ seat: 0, why }, ...fair.list.seats.slice(1)] } }, note });
  assert.deepEqual(listFaults(without("none")), ["own-left-out"]);
  assert.deepEqual(listFaults({ fair: { ...fair, list: { ...fair.list, seats: fair.list.seats.slice(1) } }, note }), ["own-left-out"]);
  assert.deepEqual(listFaults({ ...without("failed"), note: { ...note, taken: false } }), []);
});

test("a share that is another than the one sent does not fit", () => {
  const { fair, note } = makeDeal();
  assert.deepEqual(listFaults({ fair: { ...fair, shares: { ...fair.shares, 0: "00".repeat(32) } }, note }), ["own-share"]);
});

test("a share that the server had taken and then called late does not fit; one not answered may be late", () => {
  const late = ({ fair, note }) => ({ fair: { ...fair, shares: { 1: fair.shares[1] } }, note });
  assert.deepEqual(listFaults(late(makeDeal())), ["own-late"]);
  assert.deepEqual(listFaults(late(makeDeal({ taken: false }))), []);
});

test("an attempt that this browser saw and the record has not does not fit; void ones are found", () => {
  const { fair, note } = makeDeal();
  assert.deepEqual(listFaults({ fair, note: { ...note, attempt: 2 } }), ["own-attempt"]);
  const later = new Attempt({ attempt: 2 });
  assert.deepEqual(listFaults({ fair: { list: later.list(), secret: "", shares: {}, void: [fair] }, note }), []);
});

test("a hand that is said to be shuffled by the server alone, after this browser saw its deal begin, does not fit", () => {
  const { note } = makeDeal();
  assert.deepEqual(listFaults({ fair: null, note }), ["own-attempt"]);
  assert.deepEqual(ownFaults(null, [], () => null), []);
});

test("a part that was let go with its seat, as the record says, is not left out of the list", () => {
  const { fair, note } = makeDeal({ list: null, digest: null, taken: false });
  const list = { ...fair.list, seats: [{ seat: 0, why: "bot" }, ...fair.list.seats.slice(1)] };
  assert.deepEqual(listFaults({ fair: { ...fair, list, let_go: [1] }, note }), ["own-left-out"]);
  assert.deepEqual(listFaults({ fair: { ...fair, list, let_go: [0] }, note }), []);
  const signed = { ...note, sent: [{ type: "commit", hex: note.mine, key: "ab", answer: "ack" }] };
  assert.deepEqual(listFaults({ fair: { ...fair, list, let_go: [0] }, note: signed }), []);
});

test("a signature that went out with the part that stands is missed, acknowledged or not", () => {
  const of = (answer) => makeDeal({ sent: [{ type: "commit", hex: makeDeal().note.mine, key: "ab", answer }] });
  for (const answer of ["ack", null]) {
    const { fair, note } = of(answer);
    note.sent[0].hex = note.mine;
    assert.deepEqual(listFaults({ fair, note }), ["own-unsigned"]);
    assert.deepEqual(listFaults({ fair: { ...fair, signed: { 0: { key: "ab", signature: "" } } }, note }), []);
  }
});

test("a hand that was seen in play is missed, though it be the last", () => {
  const hands = [{ number: 1, state: "open", record: null, attempts: [] }];
  const notes = [{ ...makeDeal().note, hand: 2, played: true }, { ...makeDeal().note, hand: 3 }];
  assert.deepEqual([missingHands(hands, notes), missingHands([], notes)], [[2], [2]]);
});

test("hands between those that are shown are missed once, later ones are still to come", () => {
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

test("a part in one's own seat that nobody signed does not fit on a device that signs, notes or none", () => {
  const { note } = makeDeal({ mine: "00".repeat(32) });
  assert.deepEqual([makeUnsigned({}), makeUnsigned({ notes: [note] })], [["own-not-signed"], ["own-not-signed"]]);
});

test("an unsigned part is right where this device signs nothing, sent it, or was another that the player named", () => {
  const { note } = makeDeal();
  const sent = { ...note, mine: null, sent: [{ type: "commit", hex: note.mine }] };
  for (const own of [{ signs: false }, { owned: true }, { notes: [sent] }, { notes: [note] }]) assert.deepEqual(makeUnsigned(own), []);
  assert.deepEqual([makeUnsigned({}, { 0: { key: "", signature: "" } }), makeUnsigned({ you: 2 }), makeUnsigned({ you: null })], [[], [], []]);
});

test("a hand of which nothing was shown has no attempt to miss", () => {
  const { fair, note } = makeDeal({ attempt: 0, server: "", mine: null, list: null, digest: null });
  assert.deepEqual(listFaults({ fair, note }, null), []);
});
