import assert from "node:assert/strict";
import { test } from "node:test";

import { listDigest, shareCommitment } from "../../static/js/fair/deal.js";
import { Kept } from "../../static/js/fair/kept.js";
import { Attempt, DECK, Store } from "./dealing.js";
import { reopenAfter, commitInWindow, opened, openWindow } from "./sharing.js";

test("it commits once, to 32 bytes that it stores before sending", () => {
  const { shares, sent, store } = openWindow();
  const attempt = new Attempt();
  shares.hear(attempt.view("commit"));
  shares.hear(attempt.view("commit"));
  const [{ commitment, ...rest }] = sent;
  assert.deepEqual([sent.length, rest], [1, { type: "commit", hand: 2, attempt: 1 }]);
  const share = new Kept(store).share(attempt.draw, 0, commitment);
  assert.match(share, /^[0-9a-f]{64}$/);
  assert.equal(commitment, shareCommitment(attempt.draw, 0, share));
});

test("nothing is sent by viewers, eliminated players or at a table without a deal", () => {
  const { shares, sent } = openWindow();
  const view = new Attempt().view("commit");
  shares.hear({ ...view, you: null });
  shares.hear({ ...view, seats: [{ ...view.seats[0], out: true }] });
  shares.hear({ ...view, deal: null });
  assert.deepEqual(sent, []);
});

test("it opens its share once, for the digest that it computed, after storing the list", () => {
  const { attempt, shares, sent, store } = commitInWindow();
  shares.hear(attempt.view("open"));
  shares.hear(attempt.view("open"));
  const kept = new Kept(store);
  const share = kept.share(attempt.draw, 0, attempt.commitments[0]);
  assert.deepEqual(sent.slice(1), [{ type: "open", hand: 2, attempt: 1, list: listDigest(attempt.list()), share }]);
  assert.deepEqual(kept.note(attempt.draw, 0).list, attempt.list());
});

test("a deal with every player's share passes", () => {
  const { attempt, shares, sent, codes } = opened();
  shares.hear(attempt.view("dealt"));
  assert.deepEqual([codes(), sent.length], [[], 2]);
});

test("a reloaded window continues with the stored share", () => {
  const { attempt, store } = commitInWindow();
  const { shares, sent, codes } = openWindow(store);
  shares.hear(attempt.view("commit"));
  shares.hear(attempt.view("open"));
  assert.deepEqual([sent.map(({ type }) => type), codes()], [["open"], []]);
});

test("two windows that commit at the same time can both open the listed share", () => {
  const store = new Store();
  const [one, other] = [openWindow(store), openWindow(store)];
  const attempt = new Attempt();
  one.shares.hear(attempt.view("commit"));
  other.shares.hear(attempt.view("commit"));
  one.taken(attempt);
  assert.equal(other.answer("refused", { code: "other-share" }), true);
  for (const window of [one, other]) window.shares.hear(attempt.view("open"));
  assert.deepEqual(one.sent[1], other.sent[1]);
  assert.deepEqual([one.codes(), other.codes()], [[], []]);
});

test("a share that this browser did not send causes one complaint, until the player confirms it", () => {
  const { attempt } = commitInWindow();
  const { shares, sent, store, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  shares.hear(attempt.view("open"));
  assert.deepEqual([sent, codes()], [[], ["not-yours"]]);
  shares.own(0, "not-yours");
  shares.hear(attempt.view("open"));
  assert.deepEqual([codes(), openWindow(store).codes()], [[], []]);
  const later = new Attempt({ hand: 3 });
  later.commitments[0] = attempt.commitments[0];
  shares.hear(later.view("commit"));
  assert.deepEqual(codes(), []);
});

test("without storage, shares stay in the page's memory, and `lasting` is false", () => {
  const store = new Store();
  store.full = true;
  const { attempt, shares, sent } = commitInWindow(new Attempt(), openWindow(store));
  shares.hear(attempt.view("open"));
  assert.deepEqual([sent.map(({ type }) => type), shares.kept.lasting], [["commit", "open"], false]);
});

test("answers to other messages are ignored, and a refused save is retried", () => {
  const { shares, sent, answer } = openWindow();
  shares.hear(new Attempt().view("commit"));
  assert.equal(shares.answered({ type: "ack", id: "action" }), false);
  assert.equal(answer("refused", { code: "unavailable" }), true);
  assert.equal(answer("ack"), true);
  assert.equal(answer("ack"), false);
  assert.equal(sent.length, 1);
});

// A hostile server

/** Return a window's complaints about this list, and whether it opens its share. */
function viewAtList(changes) {
  const { attempt, shares, sent, codes } = commitInWindow();
  shares.hear(attempt.view("open", typeof changes === "function" ? changes(attempt) : changes));
  return [codes(), sent.length > 1];
}

test("a list without the accepted commitment raises an alarm", () => {
  const without = (attempt) => ({ list: attempt.list({ seats: [{ seat: 0, why: "none" }, ...attempt.list().seats.slice(1)] }) });
  assert.deepEqual(viewAtList(without), [["left-out"], false]);
  assert.deepEqual(viewAtList((attempt) => ({ list: attempt.list({ seats: attempt.list().seats.slice(1) }) })), [["left-out"], false]);
});

test("a list that falsely calls a share failed raises an alarm", () => {
  const failed = (attempt) => ({ list: attempt.list({ seats: [{ seat: 0, why: "failed" }, ...attempt.list().seats.slice(1)] }) });
  assert.deepEqual(viewAtList(failed), [["left-out"], false]);
});

test("a list with another commitment for this seat raises an alarm", () => {
  const other = (attempt) => ({ list: attempt.list({ seats: [{ seat: 0, commitment: "00".repeat(32) }, ...attempt.list().seats.slice(1)] }) });
  assert.deepEqual(viewAtList(other), [["left-out"], false]);
});

test("a list with another commitment of the server raises an alarm", () => {
  assert.deepEqual(viewAtList((attempt) => ({ list: attempt.list({ server: "00".repeat(32) }) })), [["wrong-list"], false]);
});

test("a server commitment that changes before the list raises an alarm", () => {
  const { attempt, shares, sent, codes } = commitInWindow();
  attempt.server = "00".repeat(32);
  shares.hear(attempt.view("open"));
  assert.deepEqual([codes(), sent.length], [["other-server", "wrong-list"], 1]);
});

test("a list of another match, hand or attempt raises an alarm", () => {
  for (const draw of [{ match: "n" }, { hand: 1 }, { attempt: 2 }])
    assert.deepEqual(viewAtList((attempt) => ({ list: attempt.list(draw) })), [["wrong-list"], false]);
});

test("a malformed list, or one with another digest than the server's, raises an alarm", () => {
  assert.deepEqual(viewAtList({ digest: "00".repeat(32) }), [["wrong-list"], false]);
  assert.deepEqual(viewAtList({ list: { deck: 7 } }), [["wrong-list"], false]);
  assert.deepEqual(viewAtList({ list: null }), [["wrong-list"], false]);
});

test("a second list for the same attempt raises an alarm, also in a reloaded window", () => {
  const { attempt, store, codes } = opened();
  const { shares, sent, codes: later } = openWindow(store);
  shares.hear(attempt.view("open", { list: attempt.list({ deck: [...DECK].reverse() }), opened: [] }));
  assert.deepEqual([later(), sent, codes()], [["second-list"], [], []]);
  assert.deepEqual(new Kept(store).note(attempt.draw, 0).list, attempt.list());
});

test("a share omitted from the deal or changed raises an alarm that names the seat", () => {
  const { attempt, shares } = opened();
  shares.hear(attempt.view("dealt", { shares: { 1: attempt.shares[1] } }));
  assert.deepEqual(shares.complaints.map(({ complaint: { code, about } }) => [code, about]), [["share-wrong", 0]]);
  shares.hear(attempt.view("dealt", { shares: { ...attempt.shares, 1: "00".repeat(32) } }));
  assert.deepEqual(shares.complaints.map(({ complaint: { about } }) => about), [0, 1]);
});

test("a deal dealt before this share was opened raises an alarm", () => {
  const { attempt, shares, codes } = commitInWindow();
  shares.hear(attempt.view("dealt"));
  assert.deepEqual(codes(), ["share-wrong"]);
});

test("a refused valid share raises an alarm, but a late one does not", () => {
  for (const [code, expected] of [["wrong-share", ["refused"]], ["other-list", ["refused"]], ["not-listed", ["refused"]], ["closed", []], ["other-deal", []]]) {
    const { attempt, shares, answer, codes } = commitInWindow();
    shares.hear(attempt.view("open"));
    answer("refused", { code });
    assert.deepEqual(codes(), expected, code);
  }
});

// Failed attempts

test("an attempt that fails for another player's share is no fault, and the next one is committed to", () => {
  const { attempt, ...window } = opened();
  assert.deepEqual(reopenAfter(attempt, window, [attempt.opened({ 0: attempt.shares[0] })]), []);
  assert.deepEqual([window.sent.at(-1).type, window.sent.at(-1).attempt], ["commit", 2]);
});

test("a share accepted in time but called late raises an alarm", () => {
  const { attempt, ...window } = opened();
  assert.deepEqual(reopenAfter(attempt, window, [attempt.opened({ 1: attempt.shares[1] })]), ["called-late"]);
});

test("a share called late once does not keep this browser out of the next attempt", () => {
  const { attempt, ...window } = opened();
  const second = new Attempt({ attempt: 2, gone: [attempt.opened({ 1: attempt.shares[1] })] });
  window.shares.hear(second.view("commit"));
  window.taken(second);
  window.shares.hear(second.view("open"));
  assert.deepEqual(window.sent.map(({ type, attempt: number }) => [type, number]), [["commit", 1], ["open", 1], ["commit", 2], ["open", 2]]);
  assert.deepEqual(window.codes(), ["called-late"]);
});

test("an unacknowledged share may have been late", () => {
  const { attempt, ...window } = commitInWindow();
  window.shares.hear(attempt.view("open"));
  assert.deepEqual(reopenAfter(attempt, window, [attempt.opened({ 1: attempt.shares[1] })]), []);
});

test("an attempt that is no longer shown raises an alarm in every window that saw it", () => {
  const { attempt, ...window } = opened();
  assert.deepEqual(reopenAfter(attempt, window, []), ["attempt-hidden"]);
  assert.deepEqual(reopenAfter(attempt, openWindow(), []), ["attempt-hidden"]);
});

test("a void attempt with another secret, list or share than before raises an alarm", () => {
  const changes = [{ secret: "cd".repeat(96) }, { shares: { 0: "00".repeat(32) } }, { list: (attempt) => attempt.list({ deck: [...DECK].reverse() }) }];
  for (const change of changes) {
    const { attempt, ...window } = opened();
    const list = change.list ? change.list(attempt) : attempt.list();
    assert.deepEqual(reopenAfter(attempt, window, [{ ...attempt.opened(), ...change, list }]), ["void-wrong"]);
  }
  const { attempt, ...window } = opened();
  assert.deepEqual(reopenAfter(attempt, window, [{ ...attempt.opened(), list: {} }]), ["void-wrong"]);
});

test("a void attempt with another server commitment than before raises an alarm", () => {
  const { attempt, ...window } = openWindow();
  window.shares.hear(new Attempt().view("commit", { server: "00".repeat(32) }));
  assert.deepEqual(reopenAfter(attempt, window, [new Attempt().opened()]), ["void-wrong"]);
});

test("a player who failed twice is rightly excluded and opens nothing", () => {
  const gone = [1, 2].map((attempt) => {
    const each = new Attempt({ attempt });
    each.commitments[0] = "11".repeat(32);
    return each.opened();
  });
  const third = new Attempt({ attempt: 3, gone });
  const { shares, sent, codes } = commitInWindow(third);
  shares.hear(third.view("open", { list: third.list({ seats: [{ seat: 0, why: "failed" }, ...third.list().seats.slice(1)] }) }));
  assert.deepEqual([codes(), sent.length], [[], 1]);
});

test("complaints stay after a reload, without duplicates", () => {
  const { attempt, shares, store, codes } = commitInWindow();
  const without = { list: attempt.list({ seats: attempt.list().seats.slice(1) }) };
  shares.hear(attempt.view("open", without));
  shares.hear(attempt.view("open", without));
  assert.deepEqual([codes(), openWindow(store).codes()], [["left-out"], ["left-out"]]);
});
