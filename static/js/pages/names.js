// Keeps names unchanged when a browser translates the page.

/** @param {ParentNode} root */
export function keepNames(root) {
  for (const name of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("bdi"))) name.translate = false;
}
