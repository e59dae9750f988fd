import assert from "node:assert/strict";
import { test } from "node:test";

import { Outbox, randomId } from "../../static/js/table/socket.js";
import "./crypto.js";

const counting = () => {
  let n = 0;
  return () => `id${(n += 1)}`;
};

test("a message is repeated unchanged after 2.5 seconds without an answer", () => {
  const outbox = new Outbox(counting());
  const message = outbox.add({ type: "action", version: 7, action: { draw: true } }, 1000);
  assert.deepEqual(message, { type: "action", id: "id1", version: 7, action: { draw: true } });
  assert.deepEqual(outbox.due(3499), []);
  assert.deepEqual(outbox.due(3500), [message]);
  assert.deepEqual(outbox.due(3600), []);
  assert.deepEqual(outbox.due(6000), [message]);
});

test("an answered message is never repeated", () => {
  const outbox = new Outbox(counting());
  outbox.add({ type: "action" }, 0);
  assert.equal(outbox.settle("id1"), true);
  assert.equal(outbox.settle("id1"), false);
  assert.deepEqual(outbox.due(9000), []);
  assert.equal(outbox.empty, true);
});

test("a new socket gets every unanswered message once and in order", () => {
  const outbox = new Outbox(counting());
  const first = outbox.add({ type: "action" }, 0);
  const second = outbox.add({ type: "commit" }, 10);
  assert.deepEqual(outbox.all(1000), [first, second]);
  assert.deepEqual(outbox.due(3000), []);
});

test("IDs are 128 random bits", () => {
  const ids = new Set(Array.from({ length: 100 }, randomId));
  assert.equal(ids.size, 100);
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
});
