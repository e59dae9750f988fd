import assert from "node:assert/strict";
import { test } from "node:test";

import { localTime, timeUntil } from "../../static/js/pages/times.js";

const MINUTE = 60_000;

const START = "2026-12-05T22:00:00+01:00";
const startsIn = (/** @type {number} */ ms) => timeUntil(START, Date.parse(START) - ms);

test("the remaining time is in minutes, then hours, then days", () => {
  assert.equal(startsIn(1), "in 1 min");
  assert.equal(startsIn(59 * MINUTE), "in 59 min");
  assert.equal(startsIn(130 * MINUTE), "in 2 h 10 min");
  assert.equal(startsIn(47 * 60 * MINUTE), "in 47 h 0 min");
  assert.equal(startsIn(72 * 60 * MINUTE), "in 3 days");
});

test("days follow the calendar of the event's time zone", () => {
  assert.equal(timeUntil(START, Date.parse("2026-11-26T23:59:00+01:00")), "in 9 days");
  assert.equal(timeUntil(START, Date.parse("2026-11-27T00:01:00+01:00")), "in 8 days");
  // In India, it is already the 27th.
  assert.equal(timeUntil(START, Date.parse("2026-11-27T02:00:00+05:30")), "in 9 days");
  assert.equal(timeUntil("2026-12-05T01:00:00-05:00", Date.parse("2026-12-01T04:00:00Z")), "in 5 days");
});

test("a past time is not shown", () => {
  assert.equal(startsIn(0), "");
  assert.equal(startsIn(-MINUTE), "");
});

test("a reader in the same zone sees no local time", () => {
  assert.equal(localTime("2026-11-28T15:00:00+05:30", "en", "Asia/Kolkata"), "");
});

test("a reader in another zone sees their local time", () => {
  assert.equal(localTime("2026-11-28T15:00:00+05:30", "en-GB", "Europe/London"), "Sat 09:30 your time");
});

test("times use the 24-hour clock in every language", () => {
  assert.equal(localTime("2026-11-28T22:00:00+01:00", "en-US", "Asia/Kolkata"), "Sun 02:30 your time");
  assert.equal(localTime("2026-11-28T22:00:00+01:00", "hi", "America/New_York"), "शनि 16:00 your time");
});
