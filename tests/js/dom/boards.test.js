import assert from "node:assert/strict";
import { test } from "node:test";

import { stopTimers } from "../timers.js";
import { makePage } from "./page.js";

const timers = stopTimers();
const board = (name, top = "R1") => `<li id="live-${name}" data-top="${top}"><a href="/m/${name}/">${name}</a> <bdi>${top}</bdi></li>`;
const list = (...boards) => `<h2>In play</h2><ul>${boards.join("")}</ul>`;
const { window } = makePage(`<div id="boards" data-boards="/boards/?in=en" data-sheet="/boards.css">${list(board("a"), board("b"))}</div>`);
globalThis.DOMParser = window.DOMParser;
globalThis.CSS = /** @type {any} */ ({ escape: (text) => text });
const answers = [];
const asked = [];
globalThis.fetch = /** @type {any} */ (
  (address, { credentials }) => {
    asked.push([address, credentials]);
    const text = answers.shift();
    return text === null ? Promise.reject(new Error("away")) : Promise.resolve({ ok: true, text: () => Promise.resolve(text) });
  }
);
Object.defineProperty(document, "visibilityState", { value: "visible", writable: true });
const { follow } = await import("../../../static/js/pages/boards.js");
const place = document.getElementById("boards");
const shown = () => [...place.querySelectorAll("li")].map(({ id, dataset }) => `${id.slice(5)} ${dataset.top}`);

async function waitSeconds(seconds) {
  timers.tick(1000 * seconds);
  for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
}

test("only changed boards are replaced, and the focus is kept", async () => {
  follow();
  follow();
  const [first, second] = place.querySelectorAll("li");
  second.querySelector("a").focus();
  answers.push(list(board("a"), board("b", "G2")));
  await waitSeconds(3);
  assert.deepEqual(asked, [["/boards/?in=en", "omit"]]);
  assert.deepEqual(shown(), ["a R1", "b G2"]);
  assert.equal(place.querySelector("li"), first);
  assert.equal(document.activeElement.getAttribute("href"), "/m/b/");
  assert.deepEqual([...place.querySelectorAll(".played")].map(({ id }) => id), ["live-b"]);
});

test("the stylesheet of boards is added once", () => {
  assert.equal(document.querySelectorAll('link[href="/boards.css"]').length, 1);
});

test("boards are added, removed and kept in the server's order", async () => {
  answers.push(list(board("c"), board("b", "G2")));
  await waitSeconds(3);
  assert.deepEqual(shown(), ["c R1", "b G2"]);
});

test("a failed request is repeated later", async () => {
  answers.push(null, list(board("b", "Y3")));
  await waitSeconds(3);
  assert.deepEqual(shown(), ["c R1", "b G2"]);
  await waitSeconds(11);
  assert.deepEqual(shown(), ["b Y3"]);
});

test("nothing is requested while the page has no boards", async () => {
  answers.push("");
  await waitSeconds(3);
  const before = asked.length;
  await waitSeconds(60);
  assert.deepEqual([place.children.length, asked.length], [0, before]);
  answers.push(list(board("d")));
  follow();
  await waitSeconds(0);
  assert.deepEqual(shown(), ["d R1"]);
});

test("a hidden page requests nothing", async () => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", writable: true });
  const before = asked.length;
  await waitSeconds(60);
  assert.equal(asked.length, before);
});
