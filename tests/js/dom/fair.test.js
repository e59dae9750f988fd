import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Attempt } from "../dealing.js";
import { all, find, makePage, textOf } from "./page.js";

const vectors = JSON.parse(readFileSync(new URL("../fair_vectors.json", import.meta.url), "utf8"));
const NAMES = ["Asha", "Ben", "Cora", "Dev"];
const MATCH = "table-7";
const [WITH_VOID] = vectors.records;
const [WITH, WITH_BOT, ALONE] = [0, 1, 2];
const hands = vectors.records.map(({ fair }) => fair.list.hand);
let runs = 0;

/** Load the page with these hands and return its text. `records`: records by address; `keep`: fills the browser's
 * store. */
async function runPage(shown, { match = MATCH, at = match, records = {}, you = null, keep = () => {} } = {}) {
  makePage(`<!doctype html><body><div id="fair"></div><p class="fair-evidence"></p><script id="fair-data" type="application/json"></script>`, { path: `/m/${at}/fair/` });
  const filled = shown.map((hand) => ({ record: null, attempts: [], ...hand }));
  find("#fair-data").textContent = JSON.stringify({ match, you, hands: filled });
  keep(localStorage);
  globalThis.fetch = /** @type {any} */ (async (address) => {
    if (!(address in records)) throw new TypeError("Failed to fetch");
    if (typeof records[address] === "number") return { ok: false, status: records[address] };
    return { ok: records[address] !== null, status: records[address] === null ? 503 : 200, json: async () => structuredClone(records[address]) };
  });
  const { done } = await import(`../../../static/js/fair/page.js?${(runs += 1)}`);
  await done;
}

const open = (record) => ({ number: hands[record], state: "open", record: `/${record}.json` });
const listStates = () => all(".fair-hand").map((item) => [item.dataset.state, item.querySelector(".fair-mark").textContent]);
const named = Object.fromEntries(vectors.records.map((record, i) => [`/${i}.json`, { ...record, names: NAMES.slice(0, record.seats) }]));

test("each hand shows a tick or the reason for having none", async () => {
  await runPage([open(WITH), { number: 900, state: "hidden" }], { records: named });
  assert.deepEqual(listStates(), [["fits", "✓"], ["closed", "·"]]);
  assert.deepEqual([textOf(".fair-status"), find(".fair-head").dataset.state, find("progress")], ["1 hand checked: it’s correct.", "fits", null]);
  assert.match(textOf(".fair-hand:last-child p"), /^This hand’s cards aren’t public, so the hand can’t be checked/);
  assert.equal(textOf(".fair-hand h2"), `Hand ${hands[WITH]} checks out`);
  assert.equal(find(".fair-links a").getAttribute("href"), `/${WITH}.json`);
});

test("a hand shuffled by the server alone has no tick", async () => {
  await runPage([open(ALONE)], { match: vectors.records[ALONE].fair.list.match, records: named });
  assert.deepEqual([listStates(), find(".fair-head").dataset.state], [[["alone", "–"]], undefined]);
});

test("hands are checked one after another, and the page shows the progress", async () => {
  const said = [];
  const watch = () => {
    const { MutationObserver } = globalThis.window;
    new MutationObserver(() => said.push(textOf(".fair-status"))).observe(find("#fair"), { childList: true, subtree: true, characterData: true });
  };
  await runPage([open(WITH), open(WITH_BOT)], { records: named, keep: watch });
  assert.ok(said.includes("Checking hand 1 of 2 …") && said.includes("Checking hand 2 of 2 …"), said.join());
  assert.equal(textOf(".fair-status"), "2 hands checked: all are correct.");
});

test("a failed hand shows its fault, and the summary shows the worst result", async () => {
  const stacked = structuredClone(WITH_VOID);
  stacked.deck.reverse();
  await runPage([open(WITH), open(WITH_BOT)], { records: { ...named, [`/${WITH}.json`]: stacked } });
  assert.deepEqual(listStates(), [["wrong", "✗"], ["fits", "✓"]]);
  assert.deepEqual([textOf(".fair-wrong li"), textOf(".fair-status")], ["From card 1 on, the deck differs from the one these contributions produce.", "1 hand doesn’t check out."]);
  assert.equal(find(".fair-head button"), null);
});

test("an unavailable record counts as neither right nor wrong", async () => {
  await runPage([open(WITH), open(WITH_BOT)], { records: { [`/${WITH}.json`]: null } });
  assert.deepEqual(listStates(), [["closed", "·"], ["closed", "·"]]);
  assert.match(textOf(".fair-hand p"), /^The hand’s record couldn’t be loaded/);
});

/** Return the data that seat 3's browser stored about the deal, with `changes` to its note. */
const keeping = (changes = {}) => (store) => {
  const { list, shares } = WITH_VOID.fair;
  const { commitment } = list.seats.find(({ seat }) => seat === 3);
  const where = `${list.match} ${list.hand} ${list.attempt} 3`;
  const note = { ...list, seat: 3, at: "", mine: commitment, list, digest: null, opened: true, taken: true, complaints: [], ...changes };
  store.setItem(`lastcard-share ${where} ${commitment}`, shares[3]);
  store.setItem(`lastcard-deal ${where}`, JSON.stringify(note));
};

test("contributions that this browser stored are marked as yours", async () => {
  await runPage([open(WITH)], { records: named, you: 3, keep: keeping() });
  assert.equal(textOf(".fair-own"), "Your contribution is included, byte for byte as this browser stored it.");
  assert.equal(textOf("[data-own]"), WITH_VOID.fair.shares[3]);
  assert.deepEqual(all(".fair-bytes dt").map((name) => name.textContent), ["Server", "Asha, not signed", "You, not signed", "Dev, not signed"]);
});

test("a difference from this browser's notes fails, with the evidence for download", async () => {
  await runPage([open(WITH)], { records: named, you: 3, keep: keeping({ digest: "00" }) });
  assert.equal(textOf(".fair-wrong li"), `Attempt ${WITH_VOID.fair.list.attempt}: your browser was shown a different list of participants.`);
  assert.equal(textOf(".fair-head button"), "Download the evidence");
});

test("a hand that was never dealt reveals its commitments", async () => {
  const attempt = new Attempt({ match: MATCH, hand: 3 });
  const { server, secret } = attempt;
  await runPage([{ number: 3, state: "unused", attempts: [{ attempt: 1, server, list: null, secret, shares: {} }] }]);
  assert.deepEqual([listStates(), textOf(".fair-hand p")], [[["closed", "·"]], "Not dealt: the match ended first. Everything fixed in advance for this hand checks out."]);
});

test("the page reports a match without hands", async () => {
  await runPage([]);
  assert.deepEqual([listStates(), textOf(".fair-status")], [[], "No hand can be checked yet."]);
});

test("a server error fails a hand, but an unreachable server does not", async () => {
  await runPage([open(WITH)], { records: { [`/${WITH}.json`]: 500 } });
  assert.deepEqual(listStates(), [["wrong", "✗"]]);
  assert.match(textOf(".fair-hand p"), /^The server sent an error instead of the hand’s record\./);
  await runPage([open(WITH)], { records: { [`/${WITH}.json`]: 503 } });
  assert.deepEqual(listStates(), [["closed", "·"]]);
});

test("a hand in this browser's notes that the server omits is reported missing", async () => {
  const note = new Attempt({ match: MATCH, hand: hands[WITH] - 1 });
  const keep = (store) => store.setItem(`lastcard-deal ${MATCH} ${note.draw.hand} 1 0`, JSON.stringify({ ...note.draw, seat: 0, at: "", complaints: [] }));
  await runPage([open(WITH)], { records: named, you: 0, keep });
  assert.deepEqual(listStates(), [["without", "!"], ["wrong", "✗"]]);
  assert.equal(textOf(".fair-hand:last-child p"), "Your browser took part in a hand with this number, but the server no longer shows it.");
});

test("a hand dealt without the share of a browser at the table is amber and has evidence", async () => {
  const { list } = WITH_VOID.fair;
  const note = { ...list, seat: 3, at: "", mine: null, list: null, digest: null, opened: false, taken: false, complaints: [], sent: [] };
  const keep = (store) => store.setItem(`lastcard-deal ${list.match} ${list.hand} ${list.attempt} 3`, JSON.stringify(note));
  await runPage([open(WITH)], { records: named, you: 3, keep });
  assert.deepEqual([listStates(), find(".fair-head").dataset.state], [[["without", "!"]], "without"]);
  assert.deepEqual([textOf(".fair-status"), textOf(".fair-head button")], ["1 hand was dealt without your browser’s contribution.", "Download the evidence"]);
});

test("the evidence button is present if this browser has evidence", async () => {
  await runPage([open(WITH)], { records: named, you: 3, keep: keeping() });
  assert.equal(textOf(".fair-evidence button"), "Download the evidence");
  assert.equal(find(".fair-head button"), null);
  await runPage([open(WITH)], { records: named, you: 3 });
  assert.equal(find(".fair-evidence button"), null);
});

test("a missing or malformed record fails the hand", async () => {
  for (const answer of [404, 403, 410]) {
    await runPage([open(WITH)], { records: { [`/${WITH}.json`]: answer } });
    assert.deepEqual(listStates(), [["wrong", "✗"]]);
  }
  for (const answer of [0, 429, 502, 504]) {
    await runPage([open(WITH)], { records: { [`/${WITH}.json`]: answer } });
    assert.deepEqual(listStates(), [["closed", "·"]]);
  }
  await runPage([open(WITH)], { records: named });
  globalThis.fetch = /** @type {any} */ (async () => ({ ok: true, status: 200, json: async () => JSON.parse("<html>") }));
  const { done } = await import(`../../../static/js/fair/page.js?${(runs += 1)}`);
  await done;
  assert.deepEqual(listStates(), [["wrong", "✗"]]);
});

test("this browser's notes count even if the page treats its visitor as a stranger or another player", async () => {
  for (const you of [null, 0]) {
    await runPage([open(WITH)], { records: named, you, keep: keeping({ digest: "00" }) });
    assert.equal(textOf(".fair-wrong li"), `Attempt ${WITH_VOID.fair.list.attempt}: your browser was shown a different list of participants.`);
    assert.equal(textOf(".fair-head button"), "Download the evidence");
  }
});

test("an undealt hand fails if a later hand was dealt", async () => {
  const attempt = new Attempt({ match: MATCH, hand: hands[WITH] - 1 });
  const { server, secret } = attempt;
  const unused = { number: hands[WITH] - 1, state: "unused", attempts: [{ attempt: 1, server, list: null, secret, shares: {} }] };
  await runPage([unused, open(WITH)], { records: named });
  assert.deepEqual(listStates(), [["wrong", "✗"], ["fits", "✓"]]);
  assert.equal(textOf(".fair-wrong li"), "This hand was never dealt, although a later one was.");
});

test("hands of another match than the one in the address prove nothing", async () => {
  const { list } = vectors.records[WITH].fair;
  const other = { ...vectors.records[WITH], fair: { ...vectors.records[WITH].fair, list: { ...list, match: "table-8" } } };
  await runPage([open(WITH)], { match: "table-8", at: MATCH, records: { "/0.json": other } });
  assert.deepEqual(listStates(), [["wrong", "✗"]]);
  assert.match(textOf(".fair-wrong"), /belongs to another match or hand/);
});
