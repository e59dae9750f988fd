import assert from "node:assert/strict";
import { test } from "node:test";

import { Kept } from "../../../static/js/fair/kept.js";
import { ANY_RECEIPT, Attempt } from "../dealing.js";
import { all, find, makePage, textOf } from "./page.js";

const { window } = makePage();
const { makeAlarm } = await import("../../../static/js/table/alarm.js");
const { Shares } = await import("../../../static/js/table/shares.js");

/** Create seat 0's window with an alarm. `hear` delivers a view, and `answer` acknowledges its messages. */
function openTable() {
  localStorage.clear();
  const sent = [];
  const shares = new Shares({ match: "m", kept: new Kept(), receipts: ANY_RECEIPT, ask: (message) => `id${sent.push(message)}` });
  const show = makeAlarm(find("#alarm"), shares);
  const hear = (view) => {
    shares.hear(view);
    show({ view }, 0);
  };
  const accept = (attempt) => {
    attempt.take(sent.at(-1));
    shares.answered({ type: "ack", id: `id${sent.length}` });
  };
  return { hear, accept };
}

/** Return a view whose list lacks this seat's share, although the server had accepted it. */
function omitShare({ hear, accept }) {
  const attempt = new Attempt();
  hear(attempt.view("commit"));
  accept(attempt);
  hear(attempt.view("open", { list: attempt.list({ seats: attempt.list().seats.slice(1) }) }));
  return attempt;
}

test("the alarm is hidden while no fault is known", () => {
  const { hear, accept } = openTable();
  const attempt = new Attempt();
  hear(attempt.view("commit"));
  accept(attempt);
  hear(attempt.view("open"));
  accept(attempt);
  hear(attempt.view("dealt"));
  hear({ ...attempt.view("dealt"), deal: null });
  assert.deepEqual([find("#alarm").hidden, find("#alarm").childElementCount], [true, 0]);
});

test("a fault is shown and stays after the deal", () => {
  const { hear, accept } = openTable();
  const attempt = omitShare({ hear, accept });
  hear({ ...attempt.view("open"), deal: null });
  assert.equal(find("#alarm").hidden, false);
  assert.match(textOf("#alarm p"), /^Hand 2: your contribution was left out of the shuffle although the server had accepted it\./);
  assert.match(textOf("#alarm p"), /Play continues\. Keep the evidence and show it to an organizer\.$/);
});

test("complaints of another player in the same browser are not shown", () => {
  const attempt = omitShare(openTable());
  const other = new Shares({ match: "m", kept: new Kept(), receipts: ANY_RECEIPT, ask: () => "" });
  const show = makeAlarm(find("#alarm"), other);
  show({ view: { ...attempt.view("commit"), you: 1 } }, 0);
  assert.deepEqual([find("#alarm").hidden, other.complaints.length], [true, 1]);
});

test("several faults are counted, and another player's seat is named", () => {
  const { hear, accept } = openTable();
  const attempt = omitShare({ hear, accept });
  const later = new Attempt({ hand: 3 });
  hear(later.view("commit"));
  accept(later);
  hear(later.view("open"));
  accept(later);
  hear(later.view("dealt", { shares: { 0: later.shares[0], 1: "00".repeat(32) } }));
  assert.match(textOf("#alarm p"), /1 more problem found\./);
  assert.equal(attempt.draw.hand, 2);
  const other = openTable();
  const single = new Attempt();
  other.hear(single.view("dealt", { shares: { 1: "00".repeat(32) } }));
  assert.match(textOf("#alarm p"), /^Hand 2 was dealt without Ben’s contribution, or with a different one in its place\./);
});

test("a closed alarm leaves a mark that opens it again", () => {
  const attempt = omitShare(openTable());
  all("#alarm button")[1].click();
  assert.deepEqual([find("#alarm").hidden, textOf("#alarm"), all("#alarm p")], [false, "A deal doesn’t check out", []]);
  assert.equal(document.activeElement, find("#alarm button"));
  find("#alarm button").click();
  assert.match(textOf("#alarm p"), /^Hand 2: your contribution was left out/);
  assert.equal(attempt.draw.hand, 2);
});

test("a new fault opens a closed alarm again", () => {
  const { hear, accept } = openTable();
  omitShare({ hear, accept });
  all("#alarm button")[1].click();
  const later = new Attempt({ hand: 3 });
  hear(later.view("dealt", { shares: { 1: "00".repeat(32) } }));
  assert.match(textOf("#alarm p"), /1 more problem found\./);
});

test("the evidence file contains everything that the browser stored", async () => {
  const saved = [];
  URL.createObjectURL = (blob) => `blob:${saved.push(blob)}`;
  URL.revokeObjectURL = () => {};
  const links = [];
  window.HTMLAnchorElement.prototype.click = function click() {
    links.push(this.download);
  };
  const attempt = omitShare(openTable());
  find("#alarm button").click();
  const evidence = JSON.parse(await saved[0].text());
  const { format, match, seat, keys, deals: [deal] } = evidence;
  assert.deepEqual([format, match, seat, keys, links], ["lastcard-evidence/4", "m", 0, [], ["lastcard-evidence-m.json"]]);
  assert.deepEqual([deal.mine, deal.server, deal.complaints[0].code], [attempt.commitments[0], attempt.server, "left-out"]);
  assert.match(deal.share, /^[0-9a-f]{64}$/);
  assert.deepEqual(deal.complaints[0].deal.list.seats.map((each) => each.seat), [1, 2]);
});

test("a share from another device is shown with evidence until the player confirms the device", () => {
  const { hear } = openTable();
  const attempt = new Attempt();
  attempt.commitments[0] = "11".repeat(32);
  hear(attempt.view("commit"));
  assert.match(textOf("#alarm"), /^Hand 2: there’s a contribution to the shuffle in your name that this browser didn’t send\./);
  assert.deepEqual(all("#alarm button").map((each) => each.textContent), ["Download the evidence", "That was my other device", "Close"]);
  all("#alarm button")[1].click();
  assert.equal(find("#alarm").hidden, true);
  const later = new Attempt({ hand: 3 });
  later.commitments[0] = "22".repeat(32);
  hear(later.view("commit"));
  assert.equal(find("#alarm").hidden, true);
});

test("a viewer sees only the complaint that this browser took part in the hand", () => {
  localStorage.clear();
  const { hear, accept } = openTable();
  const attempt = omitShare({ hear, accept });
  const watching = { ...attempt.view("dealt"), you: null, deal: null };
  hear({ ...watching, match: { ...watching.match, hand: 9 } });
  assert.equal(find("#alarm").hidden, true);
  hear(watching);
  assert.match(textOf("#alarm p"), /^Hand 2: the site says that you’re only watching, but this browser took part in the hand\. +If you’re signed out, sign in\./);
  assert.deepEqual(all("#alarm button").map((each) => each.textContent), ["Download the evidence", "I signed out or gave up my seat", "Close"]);
  all("#alarm button")[1].click();
  assert.equal(find("#alarm").hidden, true);
});
