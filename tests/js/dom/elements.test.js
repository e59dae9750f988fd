import assert from "node:assert/strict";
import { test } from "node:test";

import { makePage } from "./page.js";

makePage('<ul id="names"><li class="first">Ana</li></ul>');
const { find, part } = await import("../../../static/js/elements.js");

test("an element is found by its ID, and a part of it by a selector", () => {
  assert.equal(part(find("names"), ".first").textContent, "Ana");
});

test("a missing element is named in the error", () => {
  assert.throws(() => find("places"), new Error("Missing: #places"));
  assert.throws(() => part(find("names"), ".last"), new Error("Missing: .last"));
});
