// What is wrong with a deal stands over the table, with the evidence to take away.

import { complaintInWords } from "../fair/words.js";
import { h, onChange } from "./dom.js";
import { gettext, ngettext } from "../text.js";

/** @import { Shares } from "./shares.js" */
/** @import { Show, State } from "./store.js" */

/** @param {HTMLElement} root @param {Shares} shares @returns {Show} */
export function makeAlarm(root, shares) {
  return onChange(() => [shares.complaints, shares.elsewhere], ({ view }) => {
    root.hidden = !shares.complaints.length && !shares.elsewhere;
    if (root.hidden) root.replaceChildren();
    else root.replaceChildren(...(shares.complaints.length ? complaintParts(shares, view) : elsewhereParts()));
  });
}

/** @param {Shares} shares @param {Protocol.WindowView} view */
function complaintParts({ complaints, kept }, view) {
  const [{ note, complaint }, ...more] = complaints;
  const name = complaint.about === null ? "" : view.seats[complaint.about].name;
  const others = more.length ? ngettext("One more thing does not fit.", "%(count)s more things do not fit.", more.length) : "";
  const save = () => download(evidence({ complaints, kept }, view));
  return [
    h("p", {}, h("b", {}, complaintInWords(complaint.code, { hand: note.hand, name })), " ", others, " ",
      gettext("Play goes on. Keep the evidence and show it to an organizer.")),
    h("button.banner-button", { type: "button", onclick: save }, gettext("Download the evidence")),
  ];
}

/** Another window's share is nothing wrong, but its player should know of that window. */
function elsewhereParts() {
  return [h("p", {}, gettext("Your part of this shuffle comes from another window or device. If you have none open, tell an organizer."))];
}

/** All that this browser has kept of the match, to be judged by somebody else.
 * @param {Pick<Shares, "complaints"|"kept">} shares @param {Protocol.WindowView} view */
export function evidence({ complaints, kept }, { match, you }) {
  const notes = kept.notes(match.id).filter(({ seat }) => seat === you);
  return {
    format: "lastcard-evidence/1",
    site: location.origin,
    match: match.id,
    seat: you,
    complaints: complaints.map(({ note: { hand, attempt }, complaint }) => ({ hand, attempt, ...complaint })),
    kept: notes.map((note) => ({ ...note, share: note.mine && kept.share(note, note.seat, note.mine) })),
  };
}

/** @param {{match: string}} data */
function download(data) {
  const text = new Blob([JSON.stringify(data, null, 1)], { type: "application/json" });
  const link = h("a", { href: URL.createObjectURL(text), download: `lastcard-evidence-${data.match}.json` });
  link.click();
  URL.revokeObjectURL(link.href);
}
