// Exports this browser's notes of a match's deals as evidence.

import { h } from "../table/dom.js";
import { gettext } from "../text.js";

/** @import { Kept, Note } from "./kept.js" */

/** Return the notes: what the server has shown and signed, all complaints, and this browser's shares.
 * @param {Kept} kept @param {string} match @param {number} seat */
export function evidence(kept, match, seat) {
  const notes = kept.notes(match).filter((note) => note.seat === seat);
  /** @param {Note} note */
  const withShare = (note) => ({ ...note, share: note.mine && kept.share(note, seat, note.mine) });
  return { format: "lastcard-evidence/4", site: location.origin, match, seat, keys: kept.siteKeys(), deals: notes.map(withShare) };
}

/** @param {string} selector @param {{kept: Kept, match: string, seat: number}} of @returns {HTMLElement} */
export function evidenceButton(selector, { kept, match, seat }) {
  const save = () => download(evidence(kept, match, seat), `lastcard-evidence-${match}.json`);
  return h(selector, { type: "button", onclick: save }, gettext("Download the evidence"));
}

/** @param {object} data @param {string} name */
function download(data, name) {
  const file = new Blob([JSON.stringify(data, null, 1)], { type: "application/json" });
  const link = h("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
