import assert from "node:assert/strict";
import { test } from "node:test";

import { ahead, here } from "../../static/js/pages/times.js";

const MINUTE = 60_000;

test("what is to come is told in minutes, then hours, then days", () => {
  assert.equal(ahead(1), "in 1 min");
  assert.equal(ahead(59 * MINUTE), "in 59 min");
  assert.equal(ahead(130 * MINUTE), "in 2 h 10 min");
  assert.equal(ahead(47 * 60 * MINUTE), "in 47 h 0 min");
  assert.equal(ahead(72 * 60 * MINUTE), "in 3 days");
});

test("what has come is not told", () => {
  assert.equal(ahead(0), "");
  assert.equal(ahead(-MINUTE), "");
});

test("a reader in the same zone is told no other time", () => {
  assert.equal(here("2026-11-28T15:00:00+05:30", "en", "Asia/Kolkata"), "");
});

test("a reader elsewhere is told their own time", () => {
  assert.equal(here("2026-11-28T15:00:00+05:30", "en-GB", "Europe/London"), "Sat 09:30 your time");
});
