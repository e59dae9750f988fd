// What the end of a match leads on to in its event: the site says where you stand, and what comes next.

import { h } from "./dom.js";
import { isPlayer } from "./store.js";

/** @import { Show } from "./store.js" */

const AGAIN_MS = 30_000;

/** Asked for when the match is over, and from then on again and again while the page is looked at.
 * @param {string|undefined} address of the site's words; none where the match belongs to no event
 * @param {(text: string) => void} say
 * @returns {{element: HTMLElement, show: Show}} */
export function makeAfter(address, say) {
  const element = h("div.sheet-after");
  let asked = false;
  let told = "";

  /** @param {string} from */
  async function ask(from) {
    setTimeout(ask, AGAIN_MS, from);
    if (document.hidden) return;
    const answer = await fetch(from).catch(() => null);
    // Who has been signed out is shown no form to sign in here.
    if (!answer?.ok || answer.redirected) return;
    const text = await answer.text();
    if (text === told) return;
    told = text;
    element.innerHTML = text;
    say(element.textContent.replace(/\s+/g, " ").trim());
  }

  /** @type {Show} */
  const show = ({ view }) => {
    if (asked || !address || !view.sheet?.over || !isPlayer(view)) return;
    asked = true;
    ask(address);
  };
  return { element, show };
}
