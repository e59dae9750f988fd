import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { stopTimers } from "../timers.js";
import { makePage, stateWith } from "./page.js";

makePage();
const { makeAfter } = await import("../../../static/js/table/after.js");

let timers = stopTimers();
let answer;
let asked;
let said;

beforeEach(() => {
  timers.reset();
  timers = stopTimers();
  [asked, said] = [[], []];
  answer = { ok: true, redirected: false, text: async () => "<p>You are <b>number 3 of 40</b>.</p>\n<p>Wait here.</p>" };
  globalThis.fetch = /** @type {any} */ (async (address) => {
    asked.push(address);
    if (!answer) throw new TypeError("no network");
    return answer;
  });
});

const made = (address = "/e/x/my-table/after/") => makeAfter(address, (text) => said.push(text));
const over = (more = {}) => stateWith({ sheet: { over: true }, ...more });
const settled = async () => {
  for (let i = 0; i < 8; i += 1) await Promise.resolve();
};

test("U60: when the match is over the site says once where you stand, and what comes next", async () => {
  const { element, show } = made();
  show(stateWith(), 0);
  assert.deepEqual(asked, []);
  show(over(), 0);
  show(over(), 10);
  await settled();
  assert.deepEqual(asked, ["/e/x/my-table/after/"]);
  assert.equal(element.querySelector("b").textContent, "number 3 of 40");
  assert.deepEqual(said, ["You are number 3 of 40. Wait here."]);
});

test("what changes is told; what stays is not told again", async () => {
  const { show } = made();
  show(over(), 0);
  await settled();
  timers.tick(30_000);
  await settled();
  answer = { ...answer, text: async () => "<p>Table 4.</p>" };
  timers.tick(30_000);
  await settled();
  assert.deepEqual([asked.length, said], [3, ["You are number 3 of 40. Wait here.", "Table 4."]]);
});

test("without a network, or signed out, what stands there stays", async () => {
  const { element, show } = made();
  show(over(), 0);
  await settled();
  for (const bad of [null, { ...answer, ok: false }, { ...answer, redirected: true, text: async () => "Sign in" }]) {
    answer = bad;
    timers.tick(30_000);
    await settled();
  }
  assert.deepEqual([asked.length, said.length], [4, 1]);
  assert.match(element.textContent, /number 3/);
});

test("viewers, and matches without an event, ask nothing", async () => {
  made().show(over({ you: null }), 0);
  made("").show(over(), 0);
  await settled();
  assert.deepEqual(asked, []);
});
