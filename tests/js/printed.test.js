import assert from "node:assert/strict";
import { test } from "node:test";

import { momentText } from "../../static/js/pages/printed.js";

const NIGHT = new Date("2026-11-27T18:35:00Z");

test("the time of printing is formatted like the server's times, in the event's zone", () => {
  const told = "Fri 27 November 2026, 23:58 IST";
  assert.equal(momentText(NIGHT, told, "Asia/Kolkata", "en"), "Sat 28 November 2026, 00:05 IST");
  assert.equal(momentText(NIGHT, "… UTC+05:45", "Asia/Kathmandu", "en"), "Sat 28 November 2026, 00:20 UTC+05:45");
});

test("translations keep the digits of the rest of the page", () => {
  assert.match(momentText(NIGHT, "… IST", "Asia/Kolkata", "hi"), /^शनि 28 नवंबर 2026, 00:05 IST$/);
  assert.match(momentText(NIGHT, "… IST", "Asia/Kolkata", "bn"), /^শনি 28 নভেম্বর 2026, 00:05 IST$/);
});
