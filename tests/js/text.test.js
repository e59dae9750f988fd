import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { gettext, interpolate, ngettext, pgettext } from "../../static/js/text.js";

afterEach(() => delete globalThis.django);

/** As Django's own catalogue puts itself on the page. */
function load() {
  globalThis.django = {
    catalog: {},
    gettext: (text) => `[${text}]`,
    ngettext: (one, many, count) => `[${count === 2 ? "two" : many}]`,
    pgettext: (context, text) => `[${context}: ${text}]`,
  };
}

test("without a catalogue texts are as they are written", () => {
  assert.equal(gettext("Draw"), "Draw");
  assert.equal(pgettext("of a clock", "Time"), "Time");
  assert.deepEqual([0, 1, 2].map((count) => ngettext("card", "cards", count)), ["cards", "card", "cards"]);
});

test("a loaded catalogue is asked for the text and its form", () => {
  load();
  assert.equal(gettext("Draw"), "[Draw]");
  assert.equal(pgettext("of a clock", "Time"), "[of a clock: Time]");
  assert.deepEqual([1, 2].map((count) => ngettext("card", "cards", count)), ["[cards]", "[two]"]);
});

test("placeholders have names and may stand in any order", () => {
  assert.equal(interpolate("%(b)s after %(a)s, %(b)s", { a: 1, b: "Ben" }), "Ben after 1, Ben");
  assert.equal(interpolate("100 % of it", {}), "100 % of it");
});

test("what a name holds is never taken for a placeholder", () => {
  assert.equal(interpolate("%(name)s wins", { name: "%(name)s $&" }), "%(name)s $& wins");
});
