import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { stopTimers } from "../timers.js";
import { find, makePage, stateWith } from "./page.js";

const page = makePage();
globalThis.MutationObserver = page.window.MutationObserver;
globalThis.sessionStorage = page.window.sessionStorage;
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

/** Create the part for an address. `element` shows the text, and `calls` counts the calls to the next match. */
function makeMatchPage(address = "/e/x/my-table/after/") {
  const after = { element: document.createElement("div"), calls: 0 };
  const call = () => {
    after.calls += 1;
  };
  return Object.assign(after, makeAfter(after.element, { address, style: "/called.css", say: (text) => said.push(text), call }));
}
const over = (more = {}) => stateWith({ sheet: { over: true }, ...more });
const waitUntilSettled = async () => {
  for (let i = 0; i < 8; i += 1) await Promise.resolve();
};

test("U60: after a match, the player's place and the next step are announced once", async () => {
  const { element, show } = makeMatchPage();
  show(stateWith(), 0);
  assert.deepEqual(asked, []);
  show(over(), 0);
  show(over(), 10);
  await waitUntilSettled();
  assert.deepEqual(asked, ["/e/x/my-table/after/"]);
  assert.equal(element.querySelector("b").textContent, "number 3 of 40");
  assert.deepEqual(said, ["You are number 3 of 40. Wait here."]);
});

test("only changed texts are announced again", async () => {
  const { show } = makeMatchPage();
  show(over(), 0);
  await waitUntilSettled();
  timers.tick(30_000);
  await waitUntilSettled();
  answer = { ...answer, text: async () => "<p>Table 4.</p>" };
  timers.tick(30_000);
  await waitUntilSettled();
  assert.deepEqual([asked.length, said], [3, ["You are number 3 of 40. Wait here.", "Table 4."]]);
});

test("the text stays when the network is lost or the player is signed out", async () => {
  const { element, show } = makeMatchPage();
  show(over(), 0);
  await waitUntilSettled();
  for (const bad of [null, { ...answer, ok: false }, { ...answer, redirected: true, text: async () => "Sign in" }]) {
    answer = bad;
    timers.tick(30_000);
    await waitUntilSettled();
  }
  assert.deepEqual([asked.length, said.length], [4, 1]);
  assert.match(element.textContent, /number 3/);
});

test("viewers and matches without an event request nothing", async () => {
  makeMatchPage().show(over({ you: null }), 0);
  makeMatchPage("").show(over(), 0);
  await waitUntilSettled();
  assert.deepEqual(asked, []);
});

const next = (more = {}) => ({ desk: { type: "desk", may_call: true, may_react: true, calls: [], messages: [], next: { address: "/m/2/", text: "Round 2 has started.", here: false, ...more } } });
const sheet = () => {
  const root = document.createElement("section");
  root.className = "sheet";
  root.innerHTML = "<h2>Asha wins</h2>";
  document.body.append(root);
  return root;
};

test("the next match appears at the top of the sheet once, with sound", async () => {
  const root = sheet();
  find("#words").hidden = true;
  const after = makeMatchPage();
  const state = { ...over(), ...next() };
  after.show(state, 0);
  after.show(state, 10);
  await waitUntilSettled();
  const [line] = root.querySelectorAll(".own-match");
  assert.equal(root.firstElementChild, line.parentNode);
  assert.deepEqual([line.dataset.table, line.dataset.summons, line.querySelector("a").getAttribute("href")], ["/m/2/", "/m/2/", "/m/2/"]);
  assert.deepEqual([after.calls, said[0]], [1, "Round 2 has started."]);
  assert.equal(after.element.hidden, true);
  root.remove();
});

test("a rebuilt sheet and text mode keep the link to the next match", async () => {
  const root = sheet();
  const after = makeMatchPage("");
  const state = { ...over(), ...next() };
  after.show(state, 0);
  root.replaceChildren();
  after.show(state, 0);
  assert.equal(root.querySelectorAll(".own-match").length, 1);
  find("#words").hidden = false;
  after.show(state, 0);
  assert.equal(find("#words .own-match a").textContent, "Go now");
  find("#words").hidden = true;
  root.remove();
});

test("a player who already has the next table open is not called", async () => {
  const root = sheet();
  const after = makeMatchPage("");
  after.show({ ...over(), ...next({ here: true }) }, 0);
  const line = root.querySelector(".own-match");
  assert.deepEqual([after.calls, line.dataset.summons], [0, undefined]);
  root.remove();
});
