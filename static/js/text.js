// Words for people: from the catalogue that the page has loaded, else in English as written here.
//
//   gettext("Your cards")
//   gettext("%(name)s’s cards", { name })
//   pgettext("of a clock", "Time")
//   ngettext("%(count)s card", "%(count)s cards", count)
//
// The texts are found by reading the code, so they stand in the call itself.

/** @typedef {Record<string, string|number>} Values for the %(names)s of a text */

/** @typedef {{catalog?: object, gettext: (text: string) => string, pgettext: (context: string, text: string) => string,
 *   ngettext: (one: string, many: string, count: number) => string}} Catalogue Django's */

/** @returns {Catalogue|null} null where the page has loaded none */
function catalogue() {
  const { django } = /** @type {{django?: Catalogue}} */ (globalThis);
  return django?.catalog ? django : null;
}

/** @param {string} text @param {Values} [values] */
export function gettext(text, values) {
  return filled(catalogue()?.gettext(text) ?? text, values);
}

/** A text that means something else elsewhere, or nothing by itself: `context` tells translators.
 * @param {string} context @param {string} text */
export function pgettext(context, text) {
  return catalogue()?.pgettext(context, text) ?? text;
}

/** The form of the text that the language has for this number, which it may name as %(count)s.
 * @param {string} one @param {string} many @param {number} count @param {Values} [values] */
export function ngettext(one, many, count, values) {
  const english = count === 1 ? one : many;
  return filled(catalogue()?.ngettext(one, many, count) ?? english, { count, ...values });
}

/** @param {string} text @param {Values} values */
function filled(text, values = {}) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}

/** The text as a whole sentence, with the language's full stop where it has no end yet.
 * @param {string} text */
export function sentence(text) {
  return /[.।!?…]$/u.test(text) ? text : gettext("%(text)s.", { text });
}

/** "a", "a and b", "a, b and c". @param {string[]} names */
export function all(names) {
  return names.length < 2 ? names.join("") : gettext("%(first)s and %(last)s", ends(names));
}

/** "a", "a or b", "a, b or c". @param {string[]} names */
export function either(names) {
  return names.length < 2 ? names.join("") : gettext("%(first)s or %(last)s", ends(names));
}

/** @param {string[]} names */
const ends = (names) => ({ first: names.slice(0, -1).join(", "), last: names.at(-1) ?? "" });
