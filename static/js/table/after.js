// What the end of a match leads on to in its event: the site says where you stand and what comes next and,
// when your next match has started, takes you there. Loaded when a match is over.

import { find } from "../elements.js";
import { h } from "./dom.js";
import { isPlayer } from "./store.js";
import { gettext } from "../text.js";

/** @import { Show } from "./store.js" */

const AGAIN_MS = 30_000;

/** Asked for when the match is over, and from then on again and again while the page is looked at.
 * @param {HTMLElement} element that says it
 * @param {object} how
 * @param {string|undefined} how.address of the site's words; none where the match belongs to no event
 * @param {string} how.style sheet of what leads to the next match
 * @param {(text: string) => void} how.say
 * @param {() => void} how.call to the next match: sounds, and shows the sheet
 * @returns {{show: Show}} */
export function makeAfter(element, { address, style, say, call }) {
  const place = h("div", { id: "own-match" });
  let asked = false;
  let told = "";

  /** @param {string} from */
  async function ask(from) {
    setTimeout(ask, AGAIN_MS, from);
    if (document.hidden || place.firstChild) return;
    const answer = await fetch(from).catch(() => null);
    // Who has been signed out is shown no form to sign in here.
    if (!answer?.ok || answer.redirected) return;
    const text = await answer.text();
    if (text === told) return;
    told = text;
    element.innerHTML = text;
    say(element.textContent.replace(/\s+/g, " ").trim());
  }

  /** The line that pages/summons.js counts down in. @param {Protocol.NextMatch} next */
  function lead({ address: to, text, here }) {
    if (place.dataset.to === to) return;
    if (!place.dataset.to) document.head.append(h("link", { rel: "stylesheet", href: style }));
    place.dataset.to = to;
    const go = h("a.button", { href: to }, gettext("Go now"));
    place.replaceChildren(h("p.own-match", { "data-table": to, "data-summons": here ? null : to }, h("strong", {}, text), go));
    element.hidden = true;
    say(text);
    if (!here) call();
  }

  /** At the head of the sheet, or of the table in words. */
  function put() {
    const words = find("words");
    const home = words.hidden ? document.querySelector(".sheet") : words;
    if (!home || place.parentNode === home) return;
    home.prepend(place);
    home.scrollTop = 0;
  }

  /** @type {Show} */
  const show = ({ view, desk }) => {
    if (!view.sheet?.over || !isPlayer(view)) return;
    if (desk?.next) {
      lead(desk.next);
      put();
      import("../pages/summons.js");
    }
    if (asked || !address) return;
    asked = true;
    ask(address);
  };
  return { show };
}
