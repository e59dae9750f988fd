import assert from "node:assert/strict";
import { test } from "node:test";

import { all, find, makePage } from "./page.js";

const option = (name, value, kind, letter) => `<div><input type="radio" name="${name}" value="${value}"><label><span class="face ${kind}">${letter}</span></label></div>`;
const { window } = makePage(`<form class="look"><div class="look-preview"><b class="face tone-3">A</b></div>
  ${option("color", "", "tone-3", "A")}${option("color", "petrol", "tone-2", "A")}
  ${option("sign", "", "tone-3", "A")}${option("sign", "owl", "tone-3 sign-owl", "")}</form>`);
all("input[value='']").forEach((input) => {
  input.checked = true;
});
await import("../../../static/js/pages/look.js");

const choose = (value) => find(`input[value="${value}"]`).click();
const faces = (where) => all(`${where} .face`).map((face) => [face.className, face.textContent]);

test("a chosen sign is previewed immediately, also on all colours", () => {
  choose("owl");
  assert.deepEqual(faces(".look-preview"), [["face tone-3 sign-owl", ""]]);
  assert.deepEqual(faces("[name=color] + label"), [["face tone-3 sign-owl", ""], ["face tone-2 sign-owl", ""]]);
});

test("a chosen colour is previewed immediately, also on all signs", () => {
  choose("petrol");
  assert.deepEqual(faces(".look-preview"), [["face tone-2 sign-owl", ""]]);
  assert.deepEqual(faces("[name=sign] + label"), [["face tone-2", "A"], ["face tone-2 sign-owl", ""]]);
});

test("form values restored by the browser are previewed", () => {
  all("input[value='']").forEach((input) => {
    input.checked = true;
  });
  window.dispatchEvent(new window.Event("pageshow"));
  assert.deepEqual(faces(".look-preview"), [["face tone-3", "A"]]);
});
