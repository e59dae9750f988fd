import assert from "node:assert/strict";
import { test } from "node:test";

import { stopTimers } from "../timers.js";
import { find, makePage } from "./page.js";

const timers = stopTimers();
const line = (summons = "") => `<p data-table="/m/1/"${summons}>Your match is under way.</p>`;
const said = [];
/** @type {any} */
let tabs;

/** Create the page with this notice and a fake clock. `tick` runs the countdown's interval. */
async function open(name, summons = ' data-summons="/m/1/"') {
  const page = makePage(`<div id="own-match">${line(summons)}</div>`);
  said.length = 0;
  page.window.BroadcastChannel = class {
    constructor() {
      tabs = this;
    }
    postMessage(message) {
      said.push(message);
    }
  };
  globalThis.BroadcastChannel = page.window.BroadcastChannel;
  globalThis.MutationObserver = page.window.MutationObserver;
  globalThis.sessionStorage = page.window.sessionStorage;
  page.window.setInterval = () => 1;
  await import(`../../../static/js/pages/summons.js?${name}`);
  return page;
}

const isCounting = () => Boolean(find("#own-match button"));

test("a tab counts down if no other tab answers", async () => {
  await open("alone");
  assert.deepEqual(said, [{ asked: "/m/1/" }]);
  assert.equal(isCounting(), false);
  timers.tick(1000);
  assert.equal(isCounting(), true);
  assert.equal(find("#own-match p").hidden, false);
});

test("a tab does not call while another one shows the table", async () => {
  await open("beside");
  tabs.onmessage({ data: { open: "/m/1/" } });
  timers.tick(1000);
  assert.deepEqual([isCounting(), find("#own-match p").hidden], [false, true]);
  tabs.onmessage({ data: { closed: "/m/1/" } });
  assert.deepEqual([isCounting(), find("#own-match p").hidden], [false, false]);
});

test("there is no countdown if the server knows that the player is at the table", async () => {
  await open("elsewhere", "");
  timers.tick(1000);
  assert.deepEqual([isCounting(), find("#own-match p").hidden], [false, false]);
});

test("a match that begins while the page is open changes the title and plays a sound until the player stays", async () => {
  const page = await open("begins", "");
  await import("../../../static/js/pages/call.js");
  const place = find("#own-match");
  document.title = "Rules";
  place.dataset.worker = "/worker.js";
  place.innerHTML = '<p data-table="/m/3/" data-summons="/m/3/"><strong>Your match is under way.</strong></p>';
  await new Promise((done) => setImmediate(done));
  timers.tick(1000);
  for (let i = 0; i < 50 && document.title === "Rules"; i += 1) await new Promise((done) => setImmediate(done));
  assert.equal(document.title, "(1) Your match is on – Lastcard");
  assert.equal(isCounting(), true);
  find("#own-match button").click();
  assert.equal(document.title, "Rules");
  assert.equal(page.window.sessionStorage.getItem("went /m/3/"), "");
});
