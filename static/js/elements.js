// Elements that a page always has: where one is missing, the error names it.

/** @template {Element} [E=HTMLElement] @param {ParentNode} root @param {string} selector @returns {E} */
export function part(root, selector) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`Missing: ${selector}`);
  return /** @type {E} */ (found);
}

/** @template {Element} [E=HTMLElement] @param {string} id @returns {E} */
export const find = (id) => part(document, `#${id}`);
