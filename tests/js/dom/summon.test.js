import assert from "node:assert/strict";
import { test } from "node:test";

import { find, makePage, stateWith } from "./page.js";

test("whoever is being taught is asked afterwards", async () => {
  makePage();
  const { makeQuestion } = await import("../../../static/js/table/summon.js");
  const root = document.createElement("div");
  find("#stage").append(root);
  const prefs = { asked: false, taught: false };
  const show = makeQuestion(root, { prefs: () => /** @type {any} */ (prefs), answer: () => {} });
  const hidden = (coach) => {
    show(/** @type {any} */ (stateWith({ coach })));
    return root.hidden;
  };
  const steps = [{ key: "fits", due: false, title: "What fits", text: "", hint: "" }];
  assert.deepEqual([hidden([]), hidden(steps)], [false, true]);
  prefs.taught = true;
  assert.equal(hidden(steps), false);
  prefs.asked = true;
  assert.equal(hidden(steps), true);
});
