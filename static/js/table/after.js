// Shows the player's place and the next step after a match, and takes the player to the next match once it has
// started. Loads when a match is over.

import { find } from "../elements.js";
import { h } from "./dom.js";
import { isPlayer } from "./store.js";
import { gettext } from "../text.js";

/** @import { Show } from "./store.js" */

const AGAIN_MS = 30_000;

/** Fetch the text about the player's place and next step once the match is over, and refresh it
 * while the page is visible.
 * @param {HTMLElement} element for the text
 * @param {object} options
 * @param {string|undefined} options.address of the text; undefined if the match belongs to no event
 * @param {string} options.style stylesheet of the notice of the next match
 * @param {(text: string) => void} options.say
 * @param {() => void} options.call plays the sound and shows the sheet
 * @returns {{show: Show}} */
export function makeAfter(element, { address, style, say, call }) {
  const place = h("div", { id: "own-match" });
  let requested = false;
  let shown = "";

  /** @param {string} from */
  async function refresh(from) {
    setTimeout(refresh, AGAIN_MS, from);
    if (document.hidden || place.firstChild) return;
    const answer = await fetch(from).catch(() => null);
    // A redirect means that the response is the sign-in form.
    if (!answer?.ok || answer.redirected) return;
    const text = await answer.text();
    if (text === shown) return;
    shown = text;
    element.innerHTML = text;
    say(element.textContent.replace(/\s+/g, " ").trim());
  }

  /** Show the notice of the next match. pages/summons.js counts down inside it. @param {Protocol.NextMatch} next */
  function showNextMatch({ address: to, text, here }) {
    if (place.dataset.to === to) return;
    if (!place.dataset.to) document.head.append(h("link", { rel: "stylesheet", href: style }));
    place.dataset.to = to;
    const go = h("a.button", { href: to }, gettext("Go now"));
    place.replaceChildren(h("p.own-match", { "data-table": to, "data-summons": here ? null : to }, h("strong", {}, text), go));
    element.hidden = true;
    say(text);
    if (!here) call();
  }

  /** Put the notice at the top of the score sheet or of text mode. */
  function placeNotice() {
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
      showNextMatch(desk.next);
      placeNotice();
      if (place.isConnected) import("../pages/summons.js").catch(() => {});
    }
    if (requested || !address) return;
    requested = true;
    refresh(address);
  };
  return { show };
}
