import assert from "node:assert/strict";
import { test } from "node:test";

import { listDigest } from "../../static/js/fair/deal.js";
import { Kept } from "../../static/js/fair/kept.js";
import { keyFaults } from "../../static/js/fair/own.js";
import { commitmentTaken, isProven, listClosed, Receipts, shareTaken } from "../../static/js/fair/receipts.js";
import { Shares } from "../../static/js/table/shares.js";
import { Attempt, Store } from "./dealing.js";
import { broken, Site } from "./site.js";

const NOW = "2026-11-21T10:00:00Z";
const TEXT = new TextEncoder().encode("what was acknowledged");

/** Return the verdicts on these receipts, which one browser checks in order. */
async function listDoubts(receipts, { key = "", kept = new Kept(new Store()) } = {}) {
  const judge = new Receipts(kept, key);
  const said = [];
  for (const each of receipts) said.push(await judge.doubt(each, TEXT, NOW));
  return said;
}

test("a valid receipt passes, and the first key is stored with its time", async () => {
  const [site, kept] = [await Site.open(), new Kept(new Store())];
  const made = await site.receipt(TEXT);
  assert.deepEqual(await listDoubts([made, made], { kept }), [null, null]);
  assert.deepEqual(kept.siteKeys(), [{ key: site.key, at: NOW }]);
});

test("a receipt of something else is wrong, and its key is not stored", async () => {
  const [site, kept] = [await Site.open(), new Kept(new Store())];
  const made = await site.receipt(TEXT);
  const wrong = [broken(made), await site.receipt(TEXT.slice(1)), 5, {}, { key: 7, signature: [] }, { key: "04", signature: "" }];
  assert.deepEqual(await listDoubts(wrong, { kept }), wrong.map(() => "receipt-wrong"));
  assert.deepEqual(kept.siteKeys(), []);
});

test("another key than the first one is reported each time, and the page's key counts as the first", async () => {
  const sites = [await Site.open(), await Site.open(), await Site.open()];
  const made = await Promise.all(sites.map((site) => site.receipt(TEXT)));
  assert.deepEqual(await listDoubts([made[0], made[1], made[1], made[0]]), [null, "site-key-changed", null, null]);
  assert.deepEqual(await listDoubts([made[1], made[2]], { key: sites[0].key }), ["site-key-changed", "site-key-changed"]);
});

test("each receipt that never arrives is missing, whatever is known about the site's key", async () => {
  const site = await Site.open();
  assert.deepEqual(await listDoubts([undefined]), ["receipt-missing"]);
  assert.deepEqual(await listDoubts([undefined], { key: site.key }), ["receipt-missing"]);
  assert.deepEqual(await listDoubts([await site.receipt(TEXT), null]), [null, "receipt-missing"]);
});

test("where signatures cannot be checked, as on plain HTTP, receipts are stored for later", async (t) => {
  const site = await Site.open();
  const made = await site.receipt(TEXT);
  t.mock.getter(crypto, "subtle", () => undefined);
  assert.deepEqual(await listDoubts([broken(made)]), [null]);
});

// At the table

/** Create seat 0's window on a site that signs. `sign` changes or removes receipts. */
async function takeSeat(sign = (receipt) => receipt) {
  const [site, store, attempt, sent] = [await Site.open(), new Store(), new Attempt(), []];
  let seconds = 0;
  const shares = new Shares({
    match: "m", kept: new Kept(store), site: site.key,
    ask: (message) => `id${sent.push(message)}`,
    now: () => `2026-11-21T10:00:${String(seconds).padStart(2, "0")}Z`,
  });
  const note = () => new Kept(store).note(attempt.draw, 0);
  // Wait for the checks of the signatures, however long they take.
  const checks = [];
  const doubt = shares.receipts.doubt.bind(shares.receipts);
  shares.receipts.doubt = (...receipt) => checks[checks.push(doubt(...receipt)) - 1];
  const settled = () => Promise.all(checks);
  /** Let the server accept the last message and sign this text. */
  const taken = async (text) => {
    attempt.take(sent.at(-1));
    const receipt = sign(await site.receipt(text));
    shares.answered({ type: "ack", id: `id${sent.length}`, ...(receipt && { receipt }) });
    await settled();
  };
  const show = async (step, changes = {}) => {
    const list = changes.list ?? (step === "commit" ? null : attempt.list());
    const receipt = list && sign(await site.receipt(listClosed(attempt.draw, listDigest(list))));
    shares.hear(attempt.view(step, { ...changes, receipt }));
    await settled();
  };
  const pass = (more) => {
    seconds += more;
    shares.watch();
  };
  const codes = () => shares.complaints.map(({ complaint: { code, about } }) => [code, about]);
  return { site, store, attempt, sent, shares, note, taken, show, pass, codes, settled };
}

/** Create a window whose commitment has been accepted. */
async function commitShare(sign) {
  const window = await takeSeat(sign);
  await window.show("commit");
  await window.taken(commitmentTaken(window.note(), window.sent[0].commitment));
  return window;
}

test("each receipt is stored with the sent message or the list", async () => {
  const window = await commitShare();
  await window.show("open");
  await window.taken(shareTaken(window.note(), window.sent[1].list, window.sent[1].share));
  assert.deepEqual(window.codes(), []);
  const { sent, receipt } = window.note();
  assert.deepEqual([...sent.map((each) => each.receipt.key), receipt.key], Array(3).fill(window.site.key));
});

test("a commitment, list or share acknowledged without a valid receipt is reported", async () => {
  for (const [code, sign] of [["receipt-missing", () => null], ["receipt-wrong", broken]]) {
    const window = await commitShare(sign);
    assert.deepEqual(window.codes(), [[code, 0]]);
    await window.show("open");
    assert.deepEqual(window.codes(), [[code, 0], [code, null]]);
    assert.equal(window.sent.at(-1).type, "open", "to stay away would leave the deal to the server");
    await window.taken(TEXT);
    assert.equal(window.codes().length, 2);
  }
});

test("a receipt for something else does not count", async () => {
  const window = await takeSeat();
  await window.show("commit");
  await window.taken(commitmentTaken({ ...window.note(), seat: 1 }, window.sent[0].commitment));
  assert.deepEqual(window.codes(), [["receipt-wrong", 0]]);
});

test("a commitment shown by the server but never acknowledged has no receipt", async () => {
  const window = await takeSeat();
  await window.show("commit");
  window.attempt.take(window.sent[0]);
  await window.show("commit");
  window.pass(1);
  assert.deepEqual(window.codes(), []);
  window.pass(3);
  assert.deepEqual(window.codes(), [["receipt-missing", 0]]);
});

test("with both receipts, an accepted but omitted contribution is proven", async () => {
  const leftOut = async (sign) => {
    const window = await commitShare(sign);
    const { attempt } = window;
    await window.show("open", { list: attempt.list({ seats: [{ seat: 0, why: "none" }, ...attempt.list().seats.slice(1)] }) });
    const { note, complaint } = window.shares.complaints.find((each) => each.complaint.code === "left-out");
    return isProven(note, complaint);
  };
  assert.deepEqual([await leftOut(), await leftOut(() => null)], [true, false]);
  assert.equal(isProven({ hand: 1, seat: 0 }, { code: "left-out", about: 0, at: NOW, deal: {} }), false);
});

test("the page of the shuffle lists receipts whose key the site does not publish", () => {
  const receipt = { key: "04aa", signature: "" };
  const notes = [{ attempt: 1, receipt }, { attempt: 2, receipt: null, sent: [{ receipt }] }, { attempt: 3 }];
  assert.deepEqual(keyFaults(notes, ["04bb"]), [1, 2].map((number) => ({ code: "own-key", number })));
  assert.deepEqual([keyFaults(notes, ["04bb", "04aa"]), keyFaults(notes, []), keyFaults(notes)], [[], [], []]);
});
