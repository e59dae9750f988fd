import assert from "node:assert/strict";
import { test } from "node:test";

import { all, find, makePage, textOf } from "./page.js";

const OPTIONS = ["", "wins", "hands", "lots"].map((key) => `<option value="${key}">${key || "—"}</option>`).join("");
const SELECT = `<select>${OPTIONS}</select>`;
const { window } = makePage(`<div data-order>${SELECT.repeat(3)}</div>`);
const selects = all("select");

function choose(...keys) {
  keys.forEach((key, at) => {
    selects[at].value = key;
  });
  window.dispatchEvent(new window.Event("pageshow"));
}

choose("wins", "hands", "");
const { Order } = await import("../../../static/js/admin/order.js");

const sent = () => selects.map(({ value }) => value);
const rows = (list) => all(`[data-order] > ${list} li span`).map((span) => span.textContent);
const press = (go, key) => find(`[data-go="${go}"][data-key="${key}"]`).click();

test("the selects become a list, with the unchosen criteria below", () => {
  assert.deepEqual(rows("ol"), ["wins", "hands"]);
  assert.deepEqual(rows("div > ul"), ["lots"]);
  assert.ok(selects.every(({ hidden }) => hidden));
});

test("a moved row is submitted, announced and keeps the focus", () => {
  press("down", "wins");
  assert.deepEqual(sent(), ["hands", "wins", ""]);
  assert.deepEqual(rows("ol"), ["hands", "wins"]);
  assert.equal(textOf("[role=status]"), "wins is now number 2 of 2.");
  assert.equal(document.activeElement.getAttribute("aria-label"), "Move down: wins");
  press("up", "wins");
  assert.deepEqual(sent(), ["wins", "hands", ""]);
});

test("the first row cannot move up, nor the last one down", () => {
  assert.equal(find('[data-go="up"][data-key="wins"]').getAttribute("aria-disabled"), "true");
  press("up", "wins");
  press("down", "hands");
  assert.deepEqual(sent(), ["wins", "hands", ""]);
});

test("a criterion can be removed and added again at the end", () => {
  press("turn", "wins");
  assert.deepEqual(sent(), ["hands", "", ""]);
  assert.equal(textOf("[role=status]"), "wins has been left out.");
  assert.equal(document.activeElement.textContent, "Add back");
  press("turn", "wins");
  assert.deepEqual(sent(), ["hands", "wins", ""]);
  assert.equal(document.activeElement.textContent, "Leave out");
});

test("an empty list names the default order, and a full list has nothing left to add", () => {
  choose("", "", "");
  assert.equal(find("[data-order] > p:not([role])").hidden, false);
  choose("wins", "hands", "lots");
  assert.equal(find("[data-order] > p:not([role])").hidden, true);
  assert.equal(find("[data-order] > div").hidden, true);
});

test("a criterion that was chosen twice is listed once", () => {
  assert.deepEqual(new Order(["wins", "wins", ""], ["wins", "lots"]).chosen, ["wins"]);
});
