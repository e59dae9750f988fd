import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { replaceClock } from "../timers.js";
import { makePage } from "./page.js";

const { window } = makePage("<main></main>");
Object.assign(globalThis, { Event: window.Event, EventTarget: window.EventTarget });
const { PollSocket } = await import("../../../static/js/polling.js");

const ADVICE = { blocked: "blocked", slow: "slow" };
/** Unanswered requests, oldest first. */
let asked = [];
let socket = null;

globalThis.fetch = /** @type {any} */ ((address, { body, signal }) => new Promise((resolve, reject) => {
  const request = {
    address,
    body: body ? JSON.parse(body) : null,
    answer: (content) => resolve({ ok: true, json: async () => content }),
    refuse: () => resolve({ ok: false }),
    lose: () => reject(new TypeError("network")),
  };
  signal.addEventListener("abort", request.lose);
  asked.push(request);
}));

const soon = () => new Promise((done) => setImmediate(done));

async function next() {
  for (let i = 0; i < 2000 && asked.length === 0; i += 1) await new Promise((done) => setTimeout(done, 1));
  return asked.shift();
}

async function open(messages = []) {
  const heard = [];
  socket = new PollSocket("ws://site/ws/match/m/?protocol=2", ADVICE);
  socket.onopen = () => heard.push("open");
  socket.onmessage = ({ data }) => heard.push(JSON.parse(data));
  socket.onclose = ({ code, reason }) => heard.push([code, reason]);
  const first = await next();
  first.answer({ id: "a", from: 0, messages });
  return { heard, first, poll: await next() };
}

afterEach(async () => {
  socket.close();
  await soon();
  asked = [];
});

test("a socket opens with the first answer and passes on its messages", async () => {
  const { heard, first, poll } = await open([{ n: 1 }, { n: 2 }]);
  assert.deepEqual([first.address, first.body], ["http://site/ws/match/m/?protocol=2", { id: "", got: 0, wait: 25 }]);
  assert.deepEqual(heard, ["open", { n: 1 }, { n: 2 }]);
  assert.deepEqual(poll.body, { id: "a", got: 2, wait: 25 });
});

test("event listeners receive the same messages", async () => {
  const told = [];
  const { poll } = await open();
  socket.addEventListener("message", ({ data, target }) => told.push([data, target === socket]));
  poll.answer({ id: "a", from: 0, messages: [1] });
  await next();
  assert.deepEqual(told, [["1", true]]);
});

test("repeated messages are not passed on again", async () => {
  const { heard, poll } = await open([1, 2]);
  poll.answer({ id: "a", from: 1, messages: [2, 3] });
  await next();
  assert.deepEqual(heard, ["open", 1, 2, 3]);
});

test("messages are sent in order, one request at a time, separately from the poll", async () => {
  await open();
  for (const text of ["x", "y", "z"]) socket.send(text);
  const sent = await next();
  assert.deepEqual(sent.body, { id: "a", got: 0, sent: 0, messages: ["x"] });
  assert.deepEqual(asked, []);
  sent.answer({ id: "a", from: 0, messages: [] });
  assert.deepEqual((await next()).body, { id: "a", got: 0, sent: 1, messages: ["y", "z"] });
});

test("a request without an answer is repeated unchanged", async () => {
  await open();
  socket.send("x");
  const sent = await next();
  sent.lose();
  assert.deepEqual((await next()).body, sent.body);
});

for (const strange of [null, [], "ok", {}, { id: "a", from: 0 }, { id: "b", from: 0, messages: [1] }, { id: "a", from: 1, messages: [1] }, { id: "a", from: 0, messages: [], closed: {} }]) {
  test(`an answer that is not the server’s counts as none: ${JSON.stringify(strange)}`, async () => {
    const { heard, poll } = await open();
    poll.answer(strange);
    assert.deepEqual((await next()).body, poll.body);
    socket.send("x");
    const sent = await next();
    sent.answer(strange);
    assert.deepEqual((await next()).body, sent.body);
    assert.deepEqual(heard, ["open"]);
  });
}

test("a portal’s answer is no advice", async () => {
  const { loadAdvice } = await import("../../../static/js/polling.js");
  const advice = loadAdvice();
  (await next()).answer({ status: "log in first" });
  assert.equal(await advice, null);
});

test("the server’s close follows its last messages", async () => {
  const { heard, poll } = await open();
  poll.answer({ id: "a", from: 0, messages: [1], closed: { code: 4401, reason: "out" } });
  await soon();
  assert.deepEqual([heard, socket.readyState, asked], [["open", 1, [4401, "out"]], 3, []]);
});

test("the network is to blame if other requests pass", async () => {
  const heard = [];
  socket = new PollSocket("ws://site/ws/", ADVICE);
  socket.onclose = ({ code, reason }) => heard.push([code, reason]);
  (await next()).refuse();
  const advice = await next();
  assert.equal(advice.address, "/ws/advice/?again");
  advice.answer(ADVICE);
  await soon();
  assert.deepEqual(heard, [[1006, "blocked"]]);
});

test("the network is not to blame if no request passes", async () => {
  const heard = [];
  socket = new PollSocket("ws://site/ws/", ADVICE);
  socket.onclose = ({ code, reason }) => heard.push([code, reason]);
  (await next()).lose();
  (await next()).lose();
  await soon();
  assert.deepEqual(heard, [[1006, ""]]);
});

test("polls that a proxy cuts off become shorter", async () => {
  const { heard, poll } = await open();
  const later = performance.now() + 10_000;
  const putBack = replaceClock(() => later);
  poll.lose();
  const again = await next();
  putBack();
  assert.deepEqual([again.body.wait, heard], [12, ["open"]]);
});

test("closing a socket ends its request", async () => {
  const { heard } = await open();
  socket.close();
  await soon();
  assert.deepEqual([heard, socket.readyState], [["open", [1005, ""]], 3]);
});
