import assert from "node:assert/strict";
import { test } from "node:test";

import { find, makePage, textOf } from "./page.js";

const { window } = makePage(`<form data-number-of='{"top_k": "Seats that go through", "top_n": "Places that go through"}'>
<label><span>Rule</span> <select name="qualify_rule"><option value="top_k">a</option><option value="top_n">b</option><option value="all">c</option></select></label>
<label id="number"><span>Number</span> <input name="qualify_value"></label></form>`);
await import("../../../static/js/admin/qualify.js");

function choose(rule) {
  find("select").value = rule;
  find("select").dispatchEvent(new window.Event("change"));
}

test("the number is labelled after the current rule and after each chosen rule", () => {
  assert.equal(textOf("#number span"), "Seats that go through");
  choose("top_n");
  assert.equal(textOf("#number span"), "Places that go through");
});

test("a rule without a number hides it until another is chosen", () => {
  choose("all");
  assert.equal(find("#number").hidden, true);
  choose("top_k");
  assert.equal(find("#number").hidden, false);
});
