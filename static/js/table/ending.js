// The end of a hand: what only it needs is fetched as it comes near.

import { cardFace } from "./cards.js";
import { h } from "./dom.js";
import { makeLater } from "./later.js";

// So few cards, and the hand may be over with the next play.
const NEAR = 2;

/** Whether a hand is over, or may soon be. @param {Protocol.WindowView} view */
export function isNear({ seats, sheet }) {
  return sheet !== null || seats.some(({ playing, count }) => playing && count && count <= NEAR);
}

export class Ending {
  /** @param {HTMLElement} layer above the table @param {HTMLElement} table */
  constructor(layer, table) {
    this.layer = layer;
    this.table = table;
    this.load = makeLater(() => import("./last_card.js"));
    /** Ends what is shown; nothing while nothing is.
     * @type {() => void} */
    this.cut = () => {};
  }

  /** Fetch what an end needs where this view is near one.
   * @param {Protocol.WindowView} view */
  look(view) {
    if (isNear(view)) this.#fetch().catch(() => {});
    if (!view.sheet) this.cut();
  }

  /** The card that ended the hand comes to `to`, large; the sheet waits for it.
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
