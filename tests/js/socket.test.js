import assert from "node:assert/strict";
import { test } from "node:test";

import { backoff, Connection, WATCH_MS } from "../../static/js/table/socket.js";

class FakeSocket {
  readyState = 0;
  sent = [];

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  accept() {
    this.readyState = 1;
    this.onopen();
    this.hear({ type: "notice", code: "welcome", message: "" });
  }

  hear(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

/** Create a connection with a fake clock. `pass(ms)` advances it and ticks like the page. */
function connect({ version = () => 5, beat, onblocked } = {}) {
  const world = { time: 0, sockets: [], statuses: [], messages: [] };
  world.connection = new Connection({
    open: () => world.sockets[world.sockets.push(new FakeSocket()) - 1],
    version,
    onmessage: (message) => world.messages.push(message),
    onstatus: (status) => world.statuses.push(status.name),
    beat,
    onblocked,
    now: () => world.time,
    random: () => 1,
    newId: () => "a",
  });
  world.connection.start();
  world.pass = (ms) => {
    for (const end = world.time + ms; world.time < end; ) {
      world.time += 500;
      world.connection.tick();
    }
  };
  world.last = () => world.sockets.at(-1);
  return world;
}

test("it pings every 2.5 seconds with its version", () => {
  const world = connect();
  world.last().accept();
  for (let i = 0; i < 4; i += 1) {
    world.pass(2500);
    world.last().hear({ type: "pong", version: 5, now: 0 });
  }
  assert.deepEqual(world.last().sent, Array(4).fill({ type: "ping", version: 5 }));
  assert.deepEqual(world.statuses, ["connecting", "live"]);
});

test("viewers ping less often and wait longer for an answer", () => {
  const world = connect({ beat: () => WATCH_MS });
  world.last().accept();
  world.pass(10_000);
  assert.deepEqual(world.last().sent, [{ type: "ping", version: 5 }]);
  world.pass(4000);
  assert.equal(world.statuses.at(-1), "live");
  world.pass(500);
  assert.equal(world.statuses.at(-1), "waiting");
});

test("a silent socket is replaced within 9 seconds", () => {
  const world = connect();
  world.last().accept();
  world.pass(7000);
  assert.equal(world.statuses.at(-1), "waiting");
  assert.equal(world.sockets[0].readyState, 3);
  world.pass(500);
  assert.equal(world.sockets.length, 2);
  assert.equal(world.statuses.at(-1), "connecting");
});

test("a socket that opens and stays silent is not live, and is replaced too", () => {
  const world = connect();
  world.last().readyState = 1;
  world.last().onopen();
  world.pass(8000);
  assert.deepEqual(world.statuses.slice(0, 2), ["connecting", "waiting"]);
});

test("an action without an answer is sent again, also over a new socket", () => {
  const world = connect();
  world.last().accept();
  const action = { type: "action", id: "a", version: 5, action: { draw: true } };
  assert.equal(world.connection.act({ draw: true }), "a");
  world.pass(2500);
  world.last().onclose({ code: 1006 });
  world.pass(500);
  world.last().accept();
  assert.deepEqual(world.sockets[0].sent.filter(({ type }) => type === "action"), [action, action]);
  assert.deepEqual(world.last().sent, [action]);
  world.last().hear({ type: "ack", id: "a", version: 6 });
  world.pass(5000);
  assert.deepEqual(world.last().sent.filter(({ type }) => type === "action"), [action]);
});

test("an action that the server cannot save stays in the outbox", () => {
  const world = connect();
  world.last().accept();
  world.connection.act({ draw: true });
  world.last().hear({ type: "refused", id: "a", code: "unavailable", message: "", version: 5 });
  world.pass(2500);
  assert.equal(world.last().sent.filter(({ type }) => type === "action").length, 2);
});

test("an action without a socket waits for the next one", () => {
  const world = connect();
  world.connection.act({ draw: true });
  world.last().accept();
  assert.equal(world.last().sent[0].id, "a");
});

test("a pong with a newer version requests the view", () => {
  const world = connect();
  world.last().accept();
  world.last().hear({ type: "pong", version: 6, now: 0 });
  assert.deepEqual(world.last().sent, [{ type: "sync" }]);
});

test("a probe is answered immediately and not passed to the page", () => {
  const world = connect();
  world.last().accept();
  world.last().hear({ type: "probe", n: 3 });
  assert.deepEqual(world.last().sent, [{ type: "echo", n: 3 }]);
  assert.deepEqual(world.messages.map(({ type }) => type), ["notice"]);
});

test("waking up replaces even a socket that looks alive, again and again", () => {
  const world = connect();
  for (let i = 1; i <= 3; i += 1) {
    world.last().accept();
    world.connection.wake();
    assert.equal(world.sockets.length, i + 1);
    assert.equal(world.sockets[i - 1].readyState, 3);
  }
});

test("messages of a replaced socket are ignored", () => {
  const world = connect();
  const old = world.last();
  old.accept();
  world.connection.wake();
  old.hear({ type: "notice", code: "other_tab", message: "" });
  old.onclose({ code: 4404 });
  assert.deepEqual(world.messages.map(({ code }) => code), ["welcome"]);
  assert.equal(world.statuses.at(-1), "connecting");
});

test("signed-out and unknown connections are final", () => {
  for (const [code, name] of [[4403, "seat-lost"], [4404, "unknown"]]) {
    const world = connect();
    world.last().accept();
    world.last().onclose({ code });
    world.connection.wake();
    world.pass(20000);
    assert.equal(world.statuses.at(-1), name);
    assert.equal(world.sockets.length, 1);
  }
});

test("an ended session is checked once more, because the browser may have a new one", () => {
  const world = connect();
  world.last().accept();
  world.last().onclose({ code: 4401 });
  assert.equal(world.statuses.at(-1), "waiting");
  world.pass(2000);
  world.last().accept();
  assert.equal(world.statuses.at(-1), "live");
  // Then it ends permanently, because only the old session could see the table.
  for (const code of [4401, 4404]) {
    const again = connect();
    again.last().accept();
    again.last().onclose({ code: 4401 });
    again.pass(2000);
    again.last().onclose({ code });
    again.connection.wake();
    again.pass(20000);
    assert.equal(again.statuses.at(-1), "signed-out");
    assert.equal(again.sockets.length, 2);
  }
});

test("a page that learns from its view that it is signed out opens no more sockets", () => {
  const world = connect();
  world.last().accept();
  world.connection.signOut();
  world.connection.wake();
  world.pass(20000);
  assert.deepEqual([world.statuses.at(-1), world.sockets.length], ["signed-out", 1]);
});

/** Tick once, `ms` after the last tick, as in a hidden page. */
function tickLate(world, ms) {
  world.time += ms;
  world.connection.tick();
}

test("a late tick sends a ping and does not end a live socket", () => {
  const world = connect();
  world.last().accept();
  for (let minute = 0; minute < 10; minute += 1) {
    tickLate(world, 60_000);
    assert.deepEqual(world.last().sent.at(-1), { type: "ping", version: 5 });
    world.last().hear({ type: "pong", version: 5, now: 0 });
  }
  assert.deepEqual([world.statuses.at(-1), world.sockets.length], ["live", 1]);
});

test("a socket that is silent after a late tick is replaced at the next tick, or within 9 seconds", () => {
  for (const wait of [(world) => tickLate(world, 60_000), (world) => world.pass(9000)]) {
    const world = connect();
    world.last().accept();
    tickLate(world, 60_000);
    assert.equal(world.statuses.at(-1), "live");
    wait(world);
    assert.notEqual(world.statuses.at(-1), "live");
  }
});

test("a restarting server is named, and tried again", () => {
  const world = connect();
  world.last().accept();
  world.last().onclose({ code: 1012 });
  assert.equal(world.statuses.at(-1), "restarting");
  world.pass(500);
  assert.equal(world.statuses.at(-1), "connecting");
});

test("delays double up to eight seconds, and up to half of each is removed at random", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((n) => backoff(n, () => 1)), [500, 1000, 2000, 4000, 8000, 8000]);
  assert.deepEqual([0, 5].map((n) => backoff(n, () => 0)), [250, 4000]);
});

test("a full server is retried after a minute, and its reason is shown", () => {
  const world = connect();
  world.last().onclose({ code: 1013, reason: "Many people are watching." });
  assert.equal(world.connection.status.reason, "Many people are watching.");
  world.pass(59_500);
  assert.equal(world.sockets.length, 1);
  world.pass(500);
  assert.equal(world.sockets.length, 2);
});

test("too many windows or messages are reported in the server's words, and retried sooner", () => {
  const world = connect();
  world.last().onclose({ code: 1008, reason: "You can have at most 20 windows open at once with one account." });
  assert.equal(world.connection.status.reason, "You can have at most 20 windows open at once with one account.");
  world.pass(8000);
  assert.equal(world.sockets.length, 2);
});

test("technical reasons are not shown", () => {
  const world = connect();
  world.last().onclose({ code: 1011, reason: "anything" });
  assert.deepEqual([world.connection.status.name, world.connection.status.reason], ["waiting", ""]);
});

test("the status of a polling socket contains the reasons for polling and for its loss", () => {
  const world = connect();
  world.last().reason = "slow";
  world.last().accept();
  assert.deepEqual([world.connection.status.name, world.connection.status.reason], ["live", "slow"]);
  world.last().onclose({ code: 1006, reason: "blocked" });
  assert.deepEqual([world.connection.status.name, world.connection.status.reason], ["waiting", "blocked"]);
});

test("every third consecutive socket that breaks or stays silent counts as possibly blocked", () => {
  let blocked = 0;
  const world = connect({ onblocked: () => (blocked += 1) });
  world.last().onclose({ code: 1006, reason: "" });
  world.pass(1000);
  world.last().readyState = 1;
  world.last().onopen();
  world.pass(8000);
  assert.equal(blocked, 0);
  world.pass(1500);
  assert.equal(world.sockets.length, 3);
  world.last().onclose({ code: 1005, reason: "" });
  assert.equal(blocked, 1);
  for (let i = 0; i < 3; i += 1) {
    world.pass(9000);
    world.last().onclose?.({ code: 1006, reason: "" });
  }
  assert.equal(blocked, 2);
});

test("sockets that answered, or that the server or the page closed, do not count as blocked", () => {
  let blocked = 0;
  const world = connect({ onblocked: () => (blocked += 1) });
  for (const code of [1012, 1013, 1008, 4409]) {
    world.last().onclose({ code, reason: "" });
    world.connection.wake();
  }
  for (let i = 0; i < 4; i += 1) {
    world.connection.wake();
    world.connection.offline();
    world.connection.wake();
    world.last().accept();
    world.last().onclose({ code: 1006, reason: "" });
    world.pass(1000);
  }
  assert.equal(blocked, 0);
});

test("a message has arrived once a later ping on the same socket is answered", () => {
  const world = connect();
  world.last().accept();
  const id = world.connection.askAndPing({ type: "commit" });
  assert.deepEqual(world.last().sent.map(({ type }) => type), ["commit", "ping"]);
  assert.equal(world.connection.reached(id), false);
  world.last().hear({ type: "pong", version: 5, now: 0 });
  assert.deepEqual([world.connection.reached(id), world.connection.reached("b")], [true, false]);
});

test("a pong to an earlier ping proves nothing, and a new socket starts over", () => {
  const world = connect();
  world.last().accept();
  world.pass(2500);
  const id = world.connection.askAndPing({ type: "commit" });
  world.last().hear({ type: "pong", version: 5, now: 0 });
  assert.equal(world.connection.reached(id), false);
  world.connection.wake();
  world.last().accept();
  assert.equal(world.connection.reached(id), false);
  world.pass(2500);
  world.last().hear({ type: "pong", version: 5, now: 0 });
  assert.equal(world.connection.reached(id), true);
});

const CHANGES = { type: "changes", version: 6, since: 5, view: { top: "R7" }, seats: {}, log: [], own_lines: {}, events: [] };
const WHOLE = { type: "view", version: 5, view: { top: "R5", seats: [], log: [], own_lines: {} }, events: [] };

test("changes reach the page as a complete view", () => {
  const world = connect();
  world.last().accept();
  world.last().hear(WHOLE);
  world.last().hear(CHANGES);
  const [, first, second] = world.messages;
  assert.deepEqual([first.type, second.type, second.version], ["view", "view", 6]);
  assert.equal(second.view.top, "R7");
});

test("changes to an unknown view are not shown, and the view is requested", () => {
  const world = connect();
  world.last().accept();
  world.last().hear({ ...CHANGES, since: 4 });
  assert.deepEqual(world.last().sent.at(-1), { type: "sync" });
  world.last().hear(WHOLE);
  world.connection.wake();
  world.last().accept();
  world.last().hear(CHANGES);
  assert.deepEqual(world.last().sent.at(-1), { type: "sync" });
  assert.deepEqual(world.messages.filter(({ type }) => type !== "notice").map(({ version }) => version), [5]);
});
