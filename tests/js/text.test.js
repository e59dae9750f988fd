import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { all, either, gettext, ngettext, pgettext, sentence } from "../../static/js/text.js";

/** @type {any} */
const page = globalThis;
afterEach(() => delete page.django);

/** Install a catalogue like Django's script. */
function loadText() {
  page.django = {
    catalog: {},
    gettext: (text) => `[${text}]`,
    pgettext: (context, text) => `[${text}: ${context}]`,
    ngettext: (one, many, count) => `[${count === 2 ? "two" : many}]`,
  };
}

test("texts stay in English without a catalogue", () => {
  assert.equal(gettext("Draw"), "Draw");
  const told = (count) => ngettext("%(count)s card of %(name)s", "%(count)s cards of %(name)s", count, { name: "Ben" });
  assert.deepEqual([0, 1, 2].map(told), ["0 cards of Ben", "1 card of Ben", "2 cards of Ben"]);
});

test("a text is looked up by context and by plural form", () => {
  assert.equal(pgettext("of a clock", "Time"), "Time");
  loadText();
  assert.equal(pgettext("of a clock", "Time"), "[Time: of a clock]");
  assert.equal(gettext("Draw"), "[Draw]");
  assert.deepEqual([1, 2].map((count) => ngettext("card", "cards", count)), ["[cards]", "[two]"]);
});

test("placeholders have names and may be in any order", () => {
  assert.equal(gettext("%(b)s after %(a)s, %(b)s", { a: 1, b: "Ben" }), "Ben after 1, Ben");
  assert.equal(gettext("100 % of it"), "100 % of it");
});

test("the value of a placeholder is never treated as a placeholder", () => {
  assert.equal(gettext("%(name)s wins", { name: "%(name)s $&" }), "%(name)s $& wins");
});

test("a list has a conjunction before its last name", () => {
  assert.deepEqual([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(all), ["", "a", "a and b", "a, b and c"]);
  assert.deepEqual([["a"], ["a", "b", "c"]].map(either), ["a", "a, b or c"]);
});

test("a sentence ends with the language's full stop, and only once", () => {
  assert.deepEqual(["Red 7", "Asha wins!", "Your turn.", "আপনার পালা।"].map(sentence), ["Red 7.", "Asha wins!", "Your turn.", "আপনার পালা।"]);
  loadText();
  page.django.gettext = (text) => (text === "%(text)s." ? "%(text)s।" : text);
  assert.deepEqual(["লাল 7", "Your turn."].map(sentence), ["লাল 7।", "Your turn."]);
});
