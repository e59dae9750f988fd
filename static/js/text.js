// Words for people: from the catalogue that the page has loaded, else in English as written here.
//
//   gettext("Your cards")
//   interpolate(gettext("%(name)s holds"), { name })
//   interpolate(ngettext("%(count)s card", "%(count)s cards", count), { count })

const catalogue = () => globalThis.django?.catalog && globalThis.django;

/** @param {string} text */
export function gettext(text) {
  return catalogue()?.gettext(text) ?? text;
}

/** The form of the text that the language has for this number.
 * @param {string} one @param {string} many @param {number} count */
export function ngettext(one, many, count) {
  return catalogue()?.ngettext(one, many, count) ?? (count === 1 ? one : many);
}

/** A text whose English alone does not tell what it means.
 * @param {string} context @param {string} text */
export function pgettext(context, text) {
  return catalogue()?.pgettext(context, text) ?? text;
}

/** The text with its %(name)s filled in.
 * @param {string} text @param {Record<string, string|number>} values */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}
