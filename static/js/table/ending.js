// Shows the end of a hand. The code for it loads shortly before.

import { cardFace } from "./cards.js";
import { h } from "./dom.js";
import { makeLater } from "./later.js";

// With this many cards or fewer, the hand may end soon.
const NEAR = 2;

/** Return whether a hand is over or may end soon. @param {Protocol.WindowView} view */
export function isNear({ seats, sheet }) {
  return sheet !== null || seats.some(({ playing, count }) => playing && count && count <= NEAR);
}

export class Ending {
  /** @param {HTMLElement} layer above the table @param {HTMLElement} table */
  constructor(layer, table) {
    this.layer = layer;
    this.table = table;
    this.load = makeLater(() => import("./last_card.js"));
    /** Stops the current animation, if any. @type {() => void} */
    this.cut = () => {};
  }

  /** Load the code for the end of the hand if the end is near. @param {Protocol.WindowView} view */
  look(view) {
    if (isNear(view)) this.#fetch().catch(() => {});
    if (!view.sheet) this.cut();
  }

  /** Animate the card that ended the hand, enlarged, from `from` to `to`. The score sheet appears afterwards.
   * @param {string} card @param {DOMRect} from @param {DOMRect} to @param {boolean} calm without
   * movement */
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
