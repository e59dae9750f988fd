import assert from "node:assert/strict";
import { test } from "node:test";

import { find, makePage } from "./page.js";

makePage('<div id="table"><button id="menu-button"></button><button class="action-draw"></button></div>');
const { listenToKeys } = await import("../../../static/js/table/keys.js");
const pressed = [];
for (const selector of ["#menu-button", ".action-draw"]) find(selector).addEventListener("click", () => pressed.push(selector));
listenToKeys(() => true);

/** Press the key with this name and position, and return the buttons that it presses. */
function press(key, code) {
  pressed.length = 0;
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true }));
  return pressed.join();
}

test("letters press their buttons on keyboards of every script", () => {
  assert.equal(press("m", "KeyM"), "#menu-button");
  assert.equal(press("M", "KeyM"), "#menu-button");
  for (const letter of ["\u09ae", "\u0938"]) assert.equal(press(letter, "KeyM"), "#menu-button");
  assert.equal(press("\u0921", "KeyD"), ".action-draw");
});

test("a Latin letter counts wherever its key is, and other keys press nothing", () => {
  assert.equal(press("d", "KeyH"), ".action-draw");
  assert.equal(press("h", "KeyD"), "");
  assert.equal(press("Dead", "KeyD"), "");
  assert.equal(press("\u00f7", "NumpadDivide"), "");
});
