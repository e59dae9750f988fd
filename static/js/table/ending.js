// The end of a hand. Code that only the end needs is fetched shortly before.

import { cardFace } from "./cards.js";
import { h } from "./dom.js";
import { makeLater } from "./later.js";

// With this few cards, the next play may end the hand.
const NEAR = 2;

/** Return whether a hand is over, or may soon be. @param {Protocol.WindowView} view */
export function isNear({ seats, sheet }) {
  return sheet !== null || seats.some(({ playing, count }) => playing && count && count <= NEAR);
}

export class Ending {
  /** @param {HTMLElement} layer above the table @param {HTMLElement} table */
  constructor(layer, table) {
    this.layer = layer;
    this.table = table;
    this.load = makeLater(() => import("./last_card.js"));
    /** Ends the current animation, if there is one. @type {() => void} */
    this.cut = () => {};
  }

  /** Fetch the code for the end of a hand if this view is close to one. @param {Protocol.WindowView} view */
  look(view) {
    if (isNear(view)) this.#fetch().catch(() => {});
    if (!view.sheet) this.cut();
  }

  /** Show how the card that ended the hand moves to `to`, enlarged. The sheet waits for it.
   * @param {string} card @param {DOMRect} from @param {DOMRect} to @param {boolean} calm nothing moves */
  async show(card, from, to, calm) {
    const { landLarge } = await this.#fetch();
    /** @type {HTMLElement|null} */
    const sheet = this.table.querySelector(".sheet[data-fresh]");
    if (sheet) this.cut = landLarge({ layer: this.layer, sheet, face: cardFace(card), from, to, calm });
  }

  #fetch() {
    const { end } = this.table.dataset;
    if (end && !document.querySelector("link[data-end]"))
      document.head.append(h("link", { rel: "stylesheet", href: end, "data-end": "" }));
    return this.load();
  }
}
