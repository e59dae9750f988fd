import assert from "node:assert/strict";
import { test } from "node:test";

import { listDigest, shareCommitment } from "../../static/js/fair/deal.js";
import { Kept } from "../../static/js/fair/kept.js";
import { Shares } from "../../static/js/table/shares.js";
import { Attempt, DECK, Store } from "./dealing.js";

/** A window of seat 0, with what it sends; `store` may be another window's. `line.reached`: whether
 * what it sends comes to the server; `pass` lets that many seconds go by. */
function openWindow(store = new Store()) {
  const sent = [];
  const line = { reached: true, socket: 1 };
  let seconds = 0;
  const shares = new Shares({
    match: "m",
    kept: new Kept(store),
    ask: (message) => `id${sent.push(message)}`,
    line: { status: () => "live", reached: () => line.reached, socket: () => line.socket },
    now: () => `2026-11-21T10:00:${String(seconds).padStart(2, "0")}Z`,
  });
  const pass = (more) => {
    for (let i = 0; i < more; i += 1) {
      seconds += 1;
      shares.watch();
    }
  };
  const answer = (type, more = {}) => shares.answered({ type, id: `id${sent.length}`, ...more });
  /** The server takes the last message, and says so. */
  const taken = (attempt) => {
    attempt.take(sent.at(-1));
    answer("ack");
  };
  return { shares, sent, store, line, pass, answer, taken, codes: () => shares.complaints.map(({ complaint }) => complaint.code) };
}

/** A window whose commitment stands. */
function committed(attempt = new Attempt(), window = openWindow()) {
  window.shares.hear(attempt.view("commit"));
  window.taken(attempt);
  return { attempt, ...window };
}

/** One whose share is opened too. */
function opened() {
  const { attempt, ...window } = committed();
  window.shares.hear(attempt.view("open"));
  window.taken(attempt);
  return { attempt, ...window };
}

test("it commits once, to 32 bytes that it has kept before it sends", () => {
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

test("viewers, who is out, and a table without a deal send nothing", () => {
  const { shares, sent } = openWindow();
  const view = new Attempt().view("commit");
  shares.hear({ ...view, you: null });
  shares.hear({ ...view, seats: [{ ...view.seats[0], out: true }] });
  shares.hear({ ...view, deal: null });
  assert.deepEqual(sent, []);
});

test("it opens its share once, to the digest that it computed, and keeps the list first", () => {
  const { attempt, shares, sent, store } = committed();
  shares.hear(attempt.view("open"));
  shares.hear(attempt.view("open"));
  const kept = new Kept(store);
  const share = kept.share(attempt.draw, 0, attempt.commitments[0]);
  assert.deepEqual(sent.slice(1), [{ type: "open", hand: 2, attempt: 1, list: listDigest(attempt.list()), share }]);
  assert.deepEqual(kept.note(attempt.draw, 0).list, attempt.list());
});

test("a deal with everybody's share is as it should be", () => {
  const { attempt, shares, sent, codes } = opened();
  shares.hear(attempt.view("dealt"));
  assert.deepEqual([codes(), sent.length], [[], 2]);
});

test("a window loaded anew goes on with what the other had kept", () => {
  const { attempt, store } = committed();
  const { shares, sent, codes } = openWindow(store);
  shares.hear(attempt.view("commit"));
  shares.hear(attempt.view("open"));
  assert.deepEqual([sent.map(({ type }) => type), codes()], [["open"], []]);
});

test("two windows that draw at the same moment can both open what stands", () => {
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

test("a share that this browser did not send is a complaint, once, until its player says that it is theirs", () => {
  const { attempt } = committed();
  const { shares, sent, store, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  shares.hear(attempt.view("open"));
  assert.deepEqual([sent, codes()], [[], ["not-yours"]]);
  shares.own(0);
  shares.hear(attempt.view("open"));
  assert.deepEqual([codes(), openWindow(store).codes()], [[], []]);
  const later = new Attempt({ hand: 3 });
  later.commitments[0] = attempt.commitments[0];
  shares.hear(later.view("commit"));
  assert.deepEqual(codes(), []);
});

test("where nothing can be stored the page's memory does, and says that it does not last", () => {
  const store = new Store();
  store.full = true;
  const { attempt, shares, sent } = committed(new Attempt(), openWindow(store));
  shares.hear(attempt.view("open"));
  assert.deepEqual([sent.map(({ type }) => type), shares.kept.lasting], [["commit", "open"], false]);
});

test("answers to others are not taken for its own, and what cannot be saved now waits", () => {
  const { shares, sent, answer } = openWindow();
  shares.hear(new Attempt().view("commit"));
  assert.equal(shares.answered({ type: "ack", id: "action" }), false);
  assert.equal(answer("refused", { code: "unavailable" }), true);
  assert.equal(answer("ack"), true);
  assert.equal(answer("ack"), false);
  assert.equal(sent.length, 1);
});

// A hostile server

/** What a window says, and whether it opens its share, when the list comes like this. */
function atList(changes) {
  const { attempt, shares, sent, codes } = committed();
  shares.hear(attempt.view("open", typeof changes === "function" ? changes(attempt) : changes));
  return [codes(), sent.length > 1];
}

test("a list without the share that was accepted raises an alarm", () => {
  const without = (attempt) => ({ list: attempt.list({ seats: [{ seat: 0, why: "none" }, ...attempt.list().seats.slice(1)] }) });
  assert.deepEqual(atList(without), [["left-out"], false]);
  assert.deepEqual(atList((attempt) => ({ list: attempt.list({ seats: attempt.list().seats.slice(1) }) })), [["left-out"], false]);
});

test("a list that calls a share failed which never failed raises an alarm", () => {
  const failed = (attempt) => ({ list: attempt.list({ seats: [{ seat: 0, why: "failed" }, ...attempt.list().seats.slice(1)] }) });
  assert.deepEqual(atList(failed), [["left-out"], false]);
});

test("a list with another commitment for this seat raises an alarm", () => {
  const other = (attempt) => ({ list: attempt.list({ seats: [{ seat: 0, commitment: "00".repeat(32) }, ...attempt.list().seats.slice(1)] }) });
  assert.deepEqual(atList(other), [["left-out"], false]);
});

test("a list with another commitment of the server raises an alarm", () => {
  assert.deepEqual(atList((attempt) => ({ list: attempt.list({ server: "00".repeat(32) }) })), [["wrong-list"], false]);
});

test("a commitment of the server that changes before the list raises an alarm", () => {
  const { attempt, shares, sent, codes } = committed();
  attempt.server = "00".repeat(32);
  shares.hear(attempt.view("open"));
  assert.deepEqual([codes(), sent.length], [["other-server", "wrong-list"], 1]);
});

test("a list of another match, hand or attempt raises an alarm", () => {
  for (const draw of [{ match: "n" }, { hand: 1 }, { attempt: 2 }])
    assert.deepEqual(atList((attempt) => ({ list: attempt.list(draw) })), [["wrong-list"], false]);
});

test("a list that has another digest than the server says, or is no list, raises an alarm", () => {
  assert.deepEqual(atList({ digest: "00".repeat(32) }), [["wrong-list"], false]);
  assert.deepEqual(atList({ list: { deck: 7 } }), [["wrong-list"], false]);
  assert.deepEqual(atList({ list: null }), [["wrong-list"], false]);
});

test("a second list for the same attempt raises an alarm, also in a window loaded later", () => {
  const { attempt, store, codes } = opened();
  const { shares, sent, codes: later } = openWindow(store);
  shares.hear(attempt.view("open", { list: attempt.list({ deck: [...DECK].reverse() }), opened: [] }));
  assert.deepEqual([later(), sent, codes()], [["second-list"], [], []]);
  assert.deepEqual(new Kept(store).note(attempt.draw, 0).list, attempt.list());
});

test("a share left out of the deal, or changed, raises an alarm that names the seat", () => {
  const { attempt, shares } = opened();
  shares.hear(attempt.view("dealt", { shares: { 1: attempt.shares[1] } }));
  assert.deepEqual(shares.complaints.map(({ complaint: { code, about } }) => [code, about]), [["share-wrong", 0]]);
  shares.hear(attempt.view("dealt", { shares: { ...attempt.shares, 1: "00".repeat(32) } }));
  assert.deepEqual(shares.complaints.map(({ complaint: { about } }) => about), [0, 1]);
});

test("a deal that was dealt before this share was opened raises an alarm", () => {
  const { attempt, shares, codes } = committed();
  shares.hear(attempt.view("dealt"));
  assert.deepEqual(codes(), ["share-wrong"]);
});

test("a share that fits and is refused raises an alarm; one that came too late does not", () => {
  for (const [code, expected] of [["wrong-share", ["refused"]], ["other-list", ["refused"]], ["not-listed", ["refused"]], ["closed", []], ["other-deal", []]]) {
    const { attempt, shares, answer, codes } = committed();
    shares.hear(attempt.view("open"));
    answer("refused", { code });
    assert.deepEqual(codes(), expected, code);
  }
});

// Attempts that came to nothing

/** A window in the second attempt of a hand, of whose first `gone` is shown. */
function after(first, window, gone) {
  window.shares.hear(new Attempt({ attempt: 2, gone }).view("commit"));
  return window.codes();
}

test("an attempt that is void for somebody else's share is nothing wrong, and the next is committed to", () => {
  const { attempt, ...window } = opened();
  assert.deepEqual(after(attempt, window, [attempt.opened({ 0: attempt.shares[0] })]), []);
  assert.deepEqual([window.sent.at(-1).type, window.sent.at(-1).attempt], ["commit", 2]);
});

test("a share that was accepted in time and is called late raises an alarm", () => {
  const { attempt, ...window } = opened();
  assert.deepEqual(after(attempt, window, [attempt.opened({ 1: attempt.shares[1] })]), ["called-late"]);
});

test("who was called late once opens the next share all the same: to stay away would leave the deal to the server", () => {
  const { attempt, ...window } = opened();
  const second = new Attempt({ attempt: 2, gone: [attempt.opened({ 1: attempt.shares[1] })] });
  window.shares.hear(second.view("commit"));
  window.taken(second);
  window.shares.hear(second.view("open"));
  assert.deepEqual(window.sent.map(({ type, attempt: number }) => [type, number]), [["commit", 1], ["open", 1], ["commit", 2], ["open", 2]]);
  assert.deepEqual(window.codes(), ["called-late"]);
});

test("a share that nobody has acknowledged may have come too late", () => {
  const { attempt, ...window } = committed();
  window.shares.hear(attempt.view("open"));
  assert.deepEqual(after(attempt, window, [attempt.opened({ 1: attempt.shares[1] })]), []);
});

test("an attempt that does not show any more raises an alarm, whoever saw it", () => {
  const { attempt, ...window } = opened();
  assert.deepEqual(after(attempt, window, []), ["attempt-hidden"]);
  assert.deepEqual(after(attempt, openWindow(), []), ["attempt-hidden"]);
});

test("a void attempt with another secret, list or share than it was begun with raises an alarm", () => {
  const changes = [{ secret: "cd".repeat(96) }, { shares: { 0: "00".repeat(32) } }, { list: (attempt) => attempt.list({ deck: [...DECK].reverse() }) }];
  for (const change of changes) {
    const { attempt, ...window } = opened();
    const list = change.list ? change.list(attempt) : attempt.list();
    assert.deepEqual(after(attempt, window, [{ ...attempt.opened(), ...change, list }]), ["void-wrong"]);
  }
  const { attempt, ...window } = opened();
  assert.deepEqual(after(attempt, window, [{ ...attempt.opened(), list: {} }]), ["void-wrong"]);
});

test("a void attempt with another commitment of the server than was seen raises an alarm", () => {
  const { attempt, ...window } = openWindow();
  window.shares.hear(new Attempt().view("commit", { server: "00".repeat(32) }));
  assert.deepEqual(after(attempt, window, [new Attempt().opened()]), ["void-wrong"]);
});

test("who was listed twice and did not open is rightly left out, and opens nothing", () => {
  const gone = [1, 2].map((attempt) => {
    const each = new Attempt({ attempt });
    each.commitments[0] = "11".repeat(32);
    return each.opened();
  });
  const third = new Attempt({ attempt: 3, gone });
  const { shares, sent, codes } = committed(third);
  shares.hear(third.view("open", { list: third.list({ seats: [{ seat: 0, why: "failed" }, ...third.list().seats.slice(1)] }) }));
  assert.deepEqual([codes(), sent.length], [[], 1]);
});

test("what was wrong stays, once, also when the table is loaded anew", () => {
  const { attempt, shares, store, codes } = committed();
  const without = { list: attempt.list({ seats: attempt.list().seats.slice(1) }) };
  shares.hear(attempt.view("open", without));
  shares.hear(attempt.view("open", without));
  assert.deepEqual([codes(), openWindow(store).codes()], [["left-out"], ["left-out"]]);
});

// Commitments that are refused, or not answered

/** What hand 2's note says of what was sent. */
const sentIn = (store, attempt = new Attempt()) => new Kept(store).note(attempt.draw, 0).sent;

test("what is sent is kept before it is sent: what, when, over which line, and later the answer", () => {
  const store = new Store();
  const seen = [];
  const shares = new Shares({ match: "m", kept: new Kept(store), now: () => "2026-11-21T10:00:00Z", ask: (message) => `id${seen.push([message, sentIn(store)])}` });
  shares.hear(new Attempt().view("commit"));
  const [[message, kept]] = seen;
  assert.deepEqual(kept, [{ type: "commit", hex: message.commitment, at: "2026-11-21T10:00:00Z", line: "live", reached: null, answer: null, answered: null }]);
  shares.answered({ type: "ack", id: "id1" });
  assert.deepEqual(sentIn(store).map(({ answer, answered }) => [answer, answered]), [["ack", "2026-11-21T10:00:00Z"]]);
});

test("a commitment that is refused while the server goes on taking them raises an alarm", () => {
  for (const code of ["closed", "other-deal", "other-share", "busy"]) {
    const { shares, pass, answer, codes } = openWindow();
    shares.hear(new Attempt().view("commit"));
    answer("refused", { code });
    pass(1);
    assert.deepEqual(codes(), [], code);
    pass(2);
    assert.deepEqual(codes(), ["commit-refused"], code);
    pass(5);
    assert.equal(codes().length, 1);
  }
});

test("a commitment that comes as the list is closed is refused rightly", () => {
  const attempt = new Attempt();
  const { shares, pass, answer, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  answer("refused", { code: "closed" });
  shares.hear(attempt.view("open"));
  pass(9);
  assert.deepEqual(codes(), []);
});

test("a commitment is never malformed, and nobody sits out without having held anything up", () => {
  for (const [code, hand] of [["malformed", 2], ["not-in-hand", 2], ["not-listed", 1], ["not-listed", 2]]) {
    const { shares, answer, codes } = openWindow();
    shares.hear(new Attempt({ hand }).view("commit"));
    answer("refused", { code });
    assert.deepEqual(codes(), ["commit-refused"], code);
  }
});

test("who may have held up hands that this browser did not see is refused rightly, for all it knows", () => {
  const { shares, answer, pass, codes } = openWindow();
  shares.hear(new Attempt({ hand: 3 }).view("commit"));
  answer("refused", { code: "not-listed" });
  assert.deepEqual(codes(), []);
  assert.deepEqual(pass(1), undefined);
});

test("a list that says before or failed of who was neither raises an alarm", () => {
  for (const why of ["before", "failed"]) {
    const attempt = new Attempt();
    const { shares, codes } = openWindow();
    shares.hear(attempt.view("commit"));
    shares.hear(attempt.view("open", { list: attempt.list({ seats: [{ seat: 0, why }, ...attempt.list().seats.slice(1)] }) }));
    assert.deepEqual(codes(), ["sent-away"], why);
  }
});

test("a commitment that came and was not answered is told once the deal goes on without it", () => {
  const attempt = new Attempt();
  const { shares, pass, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  pass(9);
  assert.deepEqual(codes(), []);
  shares.hear(attempt.view("open"));
  assert.deepEqual(codes(), ["commit-unanswered"]);
});

test("a hand that is simply played while a commitment waits for its answer is gone on with as well", () => {
  const attempt = new Attempt();
  const { shares, pass, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  pass(1);
  shares.hear({ ...attempt.view("commit"), deal: null });
  assert.deepEqual(codes(), []);
  pass(3);
  assert.deepEqual(codes(), ["commit-unanswered"]);
});

test("what never came to the server, or came too late to be answered, is nobody's fault", () => {
  const attempt = new Attempt();
  const { shares, line, pass, answer, codes } = openWindow();
  line.reached = false;
  shares.hear(attempt.view("commit"));
  pass(9);
  shares.hear(attempt.view("open"));
  pass(9);
  line.reached = true;
  pass(1);
  answer("refused", { code: "closed" });
  pass(9);
  assert.deepEqual(codes(), []);
});

test("a commitment without an answer that stands in the list all the same is in", () => {
  const attempt = new Attempt();
  const { shares, sent, pass, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  attempt.take(sent[0]);
  shares.hear(attempt.view("open"));
  pass(9);
  assert.deepEqual([codes(), sent.map(({ type }) => type)], [[], ["commit", "open"]]);
});

test("a share that is refused as late while the server goes on waiting for it raises an alarm", () => {
  const { attempt, shares, pass, answer, codes } = committed();
  shares.hear(attempt.view("open"));
  answer("refused", { code: "other-deal" });
  pass(3);
  assert.deepEqual(codes(), ["refused"]);
});

test("a share that came, and was not answered, raises an alarm when its attempt is called off", () => {
  const { attempt, ...window } = committed();
  window.shares.hear(attempt.view("open"));
  window.pass(4);
  assert.deepEqual(after(attempt, window, [attempt.opened({ 1: attempt.shares[1] })]), ["open-unanswered"]);
});

// Deals that are shown no more, or found wrong afterwards

/** The view of a hand in play, of which no deal is shown. */
const inPlay = (attempt) => ({ ...attempt.view("commit"), deal: null, match: { id: attempt.draw.match, phase: "playing" } });

test("a hand that is played without having asked for the part that was accepted raises an alarm", () => {
  const { attempt, shares, codes, store } = committed();
  shares.hear(inPlay(attempt));
  shares.hear(inPlay(attempt));
  assert.deepEqual([codes(), openWindow(store).codes()], [["deal-gone"], ["deal-gone"]]);
});

test("who was away meanwhile, had opened, or saw the match end has nothing to say about that", () => {
  const away = committed();
  away.line.socket = 2;
  away.shares.hear(inPlay(away.attempt));
  const asked = opened();
  asked.shares.hear(inPlay(asked.attempt));
  const ended = committed();
  ended.shares.hear({ ...inPlay(ended.attempt), match: { id: "m", phase: "over" } });
  assert.deepEqual([away.codes(), asked.codes(), ended.codes()], [[], [], []]);
});

test("hands found wrong afterwards are told once each, and never twice for one hand", () => {
  const { shares, codes, store } = committed();
  shares.found([2, 5], 0);
  shares.found([2, 5], 0);
  assert.deepEqual([codes(), openWindow(store).codes()], [["record-wrong", "record-wrong"], []]);
  shares.found([5], null);
  assert.equal(codes().length, 2);
});

/** A view of a hand being played, without its deal. */
const playing = (attempt, more = {}) => ({
  ...attempt.view("dealt"), deal: null, match: { id: "m", phase: "playing", hand: attempt.draw.hand }, ...more,
});

test("a hand that was played already, and is dealt again under its number, raises an alarm", () => {
  const { attempt, shares, codes } = opened();
  shares.hear(attempt.view("dealt"));
  shares.hear(playing(attempt));
  const again = new Attempt({ attempt: 2, gone: [attempt.opened({ 0: attempt.shares[0] })] });
  shares.hear(again.view("commit"));
  assert.deepEqual(codes(), ["dealt-again"]);
  const { attempt: next, shares: other, codes: none } = opened();
  other.hear(next.view("dealt"));
  other.hear(playing(next));
  other.hear(new Attempt({ hand: 3 }).view("commit"));
  assert.deepEqual(none(), []);
});

test("an attempt that was dealt is no void one, whatever is left out of it", () => {
  const { attempt, shares, codes } = opened();
  shares.hear(attempt.view("dealt"));
  shares.hear(new Attempt({ attempt: 2, gone: [attempt.opened({ 0: attempt.shares[0] })] }).view("commit"));
  assert.deepEqual(codes(), ["dealt-again"]);
});

test("a hand that is skipped for the next one, with this part accepted, raises an alarm", () => {
  const { shares, codes } = committed();
  shares.hear(new Attempt({ hand: 3 }).view("commit"));
  assert.deepEqual(codes(), ["deal-gone"]);
  const { shares: away, line, codes: none } = committed();
  line.socket += 1;
  away.hear(new Attempt({ hand: 3 }).view("commit"));
  assert.deepEqual(none(), []);
});

test("a part that was let go with its seat is sent again, the same, when its player is back", () => {
  const { attempt, shares, sent, store, codes } = committed();
  shares.hear(attempt.view("commit"));
  const [{ commitment }] = sent;
  shares.hear({ ...attempt.view("commit"), you: null });
  delete attempt.commitments[0];
  shares.hear(attempt.view("commit"));
  shares.hear(attempt.view("commit"));
  assert.deepEqual(sent.map((each) => each.commitment), [commitment, commitment]);
  const later = openWindow(store);
  later.shares.hear(attempt.view("commit"));
  assert.deepEqual(later.sent.map((each) => each.commitment), [commitment]);
  assert.deepEqual([...codes(), ...later.codes()], []);
});
