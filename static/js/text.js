// Translates texts with the catalogue that the page has loaded. Without a catalogue, they stay in English.
//
//   gettext("Your cards")
//   gettext("%(name)s’s cards", { name })
//   pgettext("of a clock", "Time")
//   ngettext("%(count)s card", "%(count)s cards", count)
//
// Texts are extracted from the code, so each one must be a literal in its call.

/** @typedef {Record<string, string|number>} Values for the %(names)s of a text */

/** @typedef {{catalog?: object, gettext: (text: string) => string, pgettext: (context: string, text: string) => string,
 *   ngettext: (one: string, many: string, count: number) => string}} Catalogue Django's */

/** @returns {Catalogue|null} null if the page has not loaded one */
function catalogue() {
  const { django } = /** @type {{django?: Catalogue}} */ (globalThis);
  return django?.catalog ? django : null;
}

/** @param {string} text @param {Values} [values] */
export function gettext(text, values) {
  return filled(catalogue()?.gettext(text) ?? text, values);
}

/** Translate an ambiguous text. Translators see the `context`.
 * @param {string} context @param {string} text */
export function pgettext(context, text) {
  return catalogue()?.pgettext(context, text) ?? text;
}

/** Translate a text in the singular or plural form for a number, which the text may contain as %(count)s.
 * @param {string} one @param {string} many @param {number} count @param {Values} [values] */
export function ngettext(one, many, count, values) {
  const english = count === 1 ? one : many;
  return filled(catalogue()?.ngettext(one, many, count) ?? english, { count, ...values });
}

/** @param {string} text @param {Values} values */
function filled(text, values = {}) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}

/** Return the text with the language's full stop, unless it already ends with punctuation.
 * @param {string} text */
export function sentence(text) {
  return /[.।!?…]$/u.test(text) ? text : gettext("%(text)s.", { text });
}

/** Join names: "a", "a and b", "a, b and c". @param {string[]} names */
export function all(names) {
  return names.length < 2 ? names.join("") : gettext("%(first)s and %(last)s", ends(names));
}

/** Join choices: "a", "a or b", "a, b or c". @param {string[]} names */
export function either(names) {
  return names.length < 2 ? names.join("") : gettext("%(first)s or %(last)s", ends(names));
}

/** @param {string[]} names */
const ends = (names) => ({ first: names.slice(0, -1).join(", "), last: names.at(-1) ?? "" });
