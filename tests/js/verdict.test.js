import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { check } from "../../static/js/fair/check.js";
import { listDigest, shareCommitment } from "../../static/js/fair/deal.js";
import { ofChecked, ofUnused, summary } from "../../static/js/fair/verdict.js";
import { whyWithout } from "../../static/js/fair/without.js";
import { Attempt } from "./dealing.js";

const vectors = JSON.parse(readFileSync(new URL("fair_vectors.json", import.meta.url), "utf8"));
const NAMES = ["Asha", "Ben", "Cora", "Dev"];
const NOTHING = { notes: [], you: null, shareOf: () => null };

/** Return a record of Asha, Ben, Cora and Dev in seats 0, 2, 3 and 5. Ben failed twice. */
const record = () => ({ ...structuredClone(vectors.records.find(({ fair, reshuffles }) => fair.void.length && reshuffles.length)), names: NAMES });
const judgeRecord = (each, match, hand, own) => ofChecked(check(each, match, hand.number), each, hand, own);
const getVerdict = (each, own = NOTHING, state = "open") => judgeRecord(each, each.fair.list.match, { number: each.fair.list.hand, state, record: "/r", attempts: [] }, own);

test("the verdict on a valid hand names what was computed and who took part", () => {
  const { state, text, wrong } = getVerdict(record());
  assert.deepEqual([state, wrong], ["fits", []]);
  assert.match(text, /^108 cards, 2 reshuffles and \d+ X-Rays? match the recalculation\. Shuffled by the server, Asha, Cora and Dev\. Not included: Ben\. 2 earlier attempts were called off because no contribution arrived from Ben, Cora and Dev\.$/);
});

test("your own contribution is labelled, and marked if this browser has stored it", () => {
  const { fair } = record();
  const note = { ...fair.list, seat: 3, server: fair.list.server, mine: "c", list: null, digest: null, taken: true, complaints: [] };
  note.mine = fair.list.seats.find(({ seat }) => seat === 3).commitment;
  const { state, text, parts } = getVerdict(record(), { notes: [note], you: 3, shareOf: () => fair.shares[3] });
  assert.deepEqual([state, text.includes("the server, Asha, you and Dev")], ["fits", true]);
  assert.deepEqual(parts.map(({ name, own }) => [name, own]), [["Server", false], ["Asha, not signed", false], ["You, not signed", true], ["Dev, not signed", false]]);
  assert.equal(parts[2].bytes, fair.shares[3]);
});

test("a contribution that this browser has not stored is not marked", () => {
  const { parts } = getVerdict(record(), { ...NOTHING, you: 3 });
  assert.deepEqual(parts.filter(({ own }) => own), []);
});

test("each fault is a sentence that names player and place", () => {
  const each = record();
  [each.deck[0], each.deck[1]] = [each.deck[1], each.deck[0]];
  each.fair.shares[3] = "00".repeat(32);
  const { state, text, wrong } = getVerdict(each);
  assert.deepEqual([state, text, wrong[0]], ["wrong", "The hand doesn’t match what was fixed before the deal:", "Attempt 3: Cora’s contribution isn’t the one that was committed to."]);
  assert.equal(wrong[1], "From card 1 on, the deck differs from the one these contributions produce.");
});

test("a hand fails if this browser's notes differ or the table complained", () => {
  const { fair } = record();
  const note = { ...fair.list, seat: 3, server: "00", mine: null, digest: null, taken: false, complaints: [{ code: "share-wrong", about: 5, at: "", deal: {} }] };
  const { state, wrong } = getVerdict(record(), { notes: [note], you: 3, shareOf: () => null });
  assert.deepEqual([state, wrong], ["wrong", ["Attempt 3: your browser was shown a different server contribution."]]);
  const told = getVerdict(record(), { notes: [{ ...note, server: fair.list.server }], you: 3, shareOf: () => null });
  assert.deepEqual(told.wrong, [`Hand ${fair.list.hand} was dealt without Dev’s contribution, or with a different one in its place.`]);
});

test("players without names are called by their seats", () => {
  const { names, ...each } = record();
  each.fair.shares[3] = "00".repeat(32);
  assert.match(getVerdict(each).wrong[0], /seat 4’s contribution isn’t/);
  assert.equal(names.length, 4);
});

test("the verdict says that a hand does not count", () => {
  assert.match(getVerdict(record(), NOTHING, "void").text, /^This hand doesn’t count\. 108 cards/);
});

test("a hand without any player's share has no tick", () => {
  const { state, text } = getVerdict(vectors.records.find(({ fair }) => !fair.list.seats.some(({ commitment }) => commitment)));
  assert.deepEqual([state, text], ["alone", "52 cards match the recalculation. The server shuffled this hand alone."]);
});

test("an old hand without contributions has no tick, and is compared with its commitment", () => {
  const old = (commitment) => judgeRecord({ deck: ["R5"], nonce: "", commitment }, "m", { number: 1, state: "open", record: "/r", attempts: [] }, NOTHING);
  const { state, text, parts } = old(createHash("sha256").update("R5\n").digest("hex"));
  assert.deepEqual([state, text, parts], ["alone", "Shuffled by the server alone. The deck is the one it had fixed before the deal.", []]);
  assert.deepEqual(old("").wrong, ["The deck isn’t the one that was fixed before the deal."]);
});

test("an undealt hand opens its commitments, with and without a list", () => {
  const attempt = new Attempt();
  const { list, secret, shares } = attempt.opened();
  const hand = (each) => ({ number: 2, state: "unused", record: null, attempts: [{ attempt: 1, server: attempt.server, list, secret, shares, ...each }] });
  assert.equal(ofUnused("m", hand({}), NOTHING).state, "closed");
  assert.equal(ofUnused("m", hand({ list: null, shares: {} }), NOTHING).state, "closed");
  assert.deepEqual(ofUnused("m", hand({ secret: "00" }), NOTHING).wrong, ["Attempt 1: the server’s secret isn’t the one it had committed to."]);
  assert.equal(ofUnused("m", hand({ list: null, secret: "00" }), NOTHING).state, "wrong");
  const note = { attempt: 1, server: "00", complaints: [] };
  assert.deepEqual(ofUnused("m", hand({}), { ...NOTHING, notes: [note] }).wrong, ["Attempt 1: your browser was shown a different server contribution."]);
});

test("the summary of all hands is one sentence about the worst", () => {
  const of = (...states) => summary(states.map((state) => ({ state, text: "", wrong: [], parts: [], evidence: false })));
  assert.equal(of("fits", "wrong", "alone"), "1 hand doesn’t check out.");
  assert.equal(of("fits", "without", "alone"), "1 hand was dealt without your browser’s contribution.");
  assert.equal(of("fits", "fits", "closed", "alone"), "2 hands checked: all are correct.");
  assert.equal(of("fits"), "1 hand checked: it’s correct.");
  assert.equal(of("alone", "closed"), "The server shuffled these hands alone. No player’s device took part.");
  assert.equal(of("closed"), "No hand can be checked yet.");
  assert.equal(of(), "No hand can be checked yet.");
});

test("a record of the old kind fails if this browser saw the hand's deal begin", () => {
  const cards = ["R1", "R2"];
  const commitment = createHash("sha256").update(`${cards.join(" ")}\nab`).digest("hex");
  const old = { format: "hand-record/1", deck: cards, nonce: "ab", commitment, log: [] };
  const note = { match: "m", hand: 1, attempt: 1, seat: 0, at: "", server: "00", mine: null, list: null, digest: null, opened: false, taken: false, complaints: [] };
  const of = (notes) => judgeRecord(old, "m", { number: 1, state: "open", record: "/r", attempts: [] }, { ...NOTHING, notes });
  assert.deepEqual([of([]).state, of([note]).state], ["alone", "wrong"]);
  assert.deepEqual(of([note]).wrong, ["Your browser saw attempt 1, which isn’t in the record."]);
});

test("an unanswered share called late is mentioned, and is no fault", () => {
  const each = record();
  const seat = each.fair.list.seats.find((one) => one.why === "failed").seat;
  const { list } = each.fair.void[0];
  const note = { ...list, seat, mine: null, digest: null, opened: true, taken: false, complaints: [] };
  const { state, text } = getVerdict(each, { notes: [note], you: seat, shareOf: () => null });
  assert.equal(state, "without");
  assert.match(text, /although your browser had sent it\. A bad connection can cause that, and so can a dishonest server\./);
  assert.doesNotMatch(getVerdict(each, { notes: [{ ...note, opened: false }], you: seat, shareOf: () => null }).text, /had sent/);
});

/** Return the reason given to seat 2 for its missing share. `entry`: the seat's entry in the list; `changes`:
 * changes to its browser's note. */
function without(entry, changes = {}, you = 2) {
  const each = record();
  const seats = each.fair.list.seats.map((one) => (one.seat === you ? { seat: you, ...entry } : one));
  const { list } = each.fair;
  const note = { ...list, seat: you, at: "", mine: null, digest: null, opened: false, taken: false, complaints: [], ...changes };
  return whyWithout({ ...each.fair, list: { ...list, seats } }, { notes: [note], you });
}

test("a browser that had a seat without a contribution gets the reason for each hand", () => {
  const sent = (answer) => ({ sent: [{ type: "commit", answer }] });
  assert.match(without({ why: "none" }), /it sent nothing while contributions were being accepted\.$/);
  assert.match(without({ why: "none" }, sent(null)), /sent its contribution but got no answer\..*show your evidence to an organizer\.$/);
  assert.match(without({ why: "none" }, sent("closed")), /the server said it came too late\..*show your evidence to an organizer\.$/);
  assert.match(without({ why: "failed" }), /^According to the server, your contribution missed the opening deadline twice, so it was left out\.$/);
  assert.match(without({ why: "failed" }, { opened: true }), /Your browser had sent it\..*show your evidence to an organizer\.$/);
  assert.match(without({ why: "before" }), /^According to the server, your contribution missed the opening deadline in earlier hands/);
  assert.match(without({ commitment: "00" }), /^The contribution in your name didn’t come from this browser\.$/);
  assert.equal(without({ commitment: "00" }, { mine: "00" }), "");
});

test("a browser that played in the match never ignores a hand missing from its notes", () => {
  const { fair } = record();
  const list = { ...fair.list, seats: [{ seat: 0, why: "bot" }] };
  const own = { notes: [], sat: true };
  assert.match(whyWithout({ ...fair, list }, { ...own, you: 0 }), /^According to the site, a bot played this hand for you\./);
  assert.match(whyWithout({ ...fair, list }, { ...own, you: 1 }), /^According to the site, you weren’t in this hand\./);
});

test("viewers, and players whose seat a bot had, get no such reason", () => {
  const { fair } = record();
  for (const you of [9, null]) assert.equal(whyWithout(fair, { notes: [], you }), "");
  const list = { ...fair.list, seats: [{ seat: 0, why: "bot" }] };
  assert.equal(whyWithout({ ...fair, list }, { notes: [], you: 0 }), "");
});

test("an unknown contribution in your own seat prevents the tick", () => {
  const { fair } = record();
  const { seat } = fair.list.seats.find(({ commitment }) => commitment);
  assert.equal(whyWithout(fair, { notes: [], you: seat }), "This browser has no record of the contribution in your name.");
});

test("a hand that was never shown to this browser gets no tick", () => {
  const told = without({ why: "none" }, { attempt: 0 });
  assert.equal(told, "Your browser wasn’t shown this shuffle: when it connected, the hand was already being played.");
});

test("a valid hand without the contribution of a browser at the table gets no tick, but evidence", () => {
  const each = record();
  const { list } = each.fair;
  const { seat } = list.seats.find(({ why }) => why === "failed");
  const note = { ...list, seat, mine: null, digest: null, opened: false, taken: false, complaints: [], sent: [] };
  const told = getVerdict(each, { notes: [note], you: seat, shareOf: () => null });
  assert.deepEqual([told.state, told.evidence, told.wrong], ["without", true, []]);
  assert.match(told.text, /your contribution missed the opening deadline twice, so it was left out\.$/);
});

test("a device confirmed by the player is not held against the hand", () => {
  const { fair } = record();
  const note = { ...fair.list, seat: 3, mine: null, digest: null, taken: false, complaints: [{ code: "not-yours", about: 3, at: "", deal: {} }] };
  const of = (each) => getVerdict(record(), { notes: [each], you: 3, shareOf: () => null });
  assert.equal(of(note).state, "wrong");
  assert.match(of(note).wrong[0], /there’s a contribution to the shuffle in your name that this browser didn’t send\.$/);
  assert.equal(of({ ...note, complaints: [{ ...note.complaints[0], owned: "now" }] }).state, "without");
});

test("no player is excluded from the first or second hand", () => {
  const each = record();
  const { list } = each.fair;
  each.fair.void = [];
  Object.assign(list, { hand: 2, attempt: 1 });
  list.seats.find(({ why }) => why === "failed").why = "before";
  assert.ok(getVerdict(each).wrong.includes("Attempt 1: Ben had to sit out without having held up enough hands for that."));
  list.hand = 3;
  assert.ok(!getVerdict(each).wrong.some((fault) => /sits out/.test(fault)));
});

const UNUSED = { number: 2, state: "unused", record: null };

/** Return the verdict on a hand that was never dealt, with this browser's notes about it. */
function makeUnused({ shares, let_go = [], note = {} } = {}) {
  const attempt = new Attempt();
  attempt.shares[0] = "5a".repeat(32);
  attempt.commitments[0] = shareCommitment(attempt.draw, 0, attempt.shares[0]);
  const list = attempt.list();
  const kept = { ...attempt.draw, seat: 0, server: attempt.server, mine: attempt.commitments[0], list, digest: listDigest(list), taken: true, complaints: [], ...note };
  const { secret, server } = attempt;
  const hand = { ...UNUSED, attempts: [{ attempt: 1, server, list, secret, shares: shares ?? { 0: attempt.shares[0] }, let_go }] };
  return ofUnused("m", hand, { notes: [kept], you: 0, shareOf: ({ mine }) => (mine === attempt.commitments[0] ? attempt.shares[0] : null) });
}

test("a hand recorded as undealt passes if it agrees with this browser's notes and no one played it", () => {
  assert.deepEqual(makeUnused().state, "closed");
  assert.deepEqual(makeUnused({ note: { played: true } }).wrong, ["Your browser saw this hand being played."]);
  assert.deepEqual(makeUnused({ note: { mine: "c", list: null, digest: null, taken: false } }).wrong, ["Attempt 1: your contribution is missing although the server had accepted it."]);
  assert.deepEqual(makeUnused({ note: { mine: "c", list: null, digest: null, taken: false }, let_go: [0] }).state, "closed");
  assert.deepEqual(makeUnused({ note: { digest: "00" } }).wrong, ["Attempt 1: your browser was shown a different list of participants."]);
  assert.deepEqual(makeUnused({ shares: {} }).wrong, ["Attempt 1: according to the record, your contribution came too late, although the server had accepted it."]);
  const gone = { code: "deal-gone", about: 0, at: "", deal: {} };
  assert.deepEqual(makeUnused({ note: { complaints: [gone] } }).wrong, ["Hand 2: the server had accepted your contribution to the shuffle, but is playing the hand without ever asking for it."]);
});

test("a released contribution is amber for a browser that saw it accepted", () => {
  const each = record();
  each.fair.let_go = [2];
  const note = { ...each.fair.list, seat: 2, server: each.fair.list.server, mine: "c", list: null, digest: null, taken: false, complaints: [] };
  const { state, text, evidence } = getVerdict({ ...each, fair: { ...each.fair } }, { notes: [note], you: 2, shareOf: () => null });
  assert.deepEqual([state, evidence], ["without", true]);
  assert.match(text, /According to the site, another player took over your seat, so your contribution was dropped before the list was made\./);
});
