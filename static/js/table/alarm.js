// What is wrong with a deal stands over the table, with the evidence to take away.

import { evidenceButton } from "../fair/evidence.js";
import { complaintInWords } from "../fair/words.js";
import { h, onChange } from "./dom.js";
import { gettext, ngettext } from "../text.js";

/** @import { Shares } from "./shares.js" */
/** @import { Show, State } from "./store.js" */

/** @param {HTMLElement} root @param {Shares} shares @returns {Show} */
export function makeAlarm(root, shares) {
  return onChange(() => [shares.complaints, shares.elsewhere], ({ view }) => {
    // Somebody else may have played at this table in this browser.
    const own = shares.complaints.filter(({ note }) => note.seat === view.you);
    root.hidden = !own.length && !shares.elsewhere;
    root.replaceChildren(...(own.length ? complaintParts(own, shares, view) : elsewhereParts(shares)));
  });
}

/** @param {Shares["complaints"]} complaints @param {Shares} shares @param {Protocol.WindowView} view */
function complaintParts(complaints, { kept }, { match, seats, you }) {
  const [{ note, complaint }, ...more] = complaints;
  const name = complaint.about === null ? "" : seats[complaint.about].name;
  const others = more.length ? ngettext("%(count)s more thing does not fit.", "%(count)s more things do not fit.", more.length) : "";
  return [
    h("p", {}, h("b", {}, complaintInWords(complaint.code, { hand: note.hand, name })), ` ${others} `,
      gettext("Play goes on. Keep the evidence and show it to an organizer.")),
    evidenceButton("button.banner-button", { kept, match: match.id, seat: you }),
  ];
}

/** Another window's share is nothing wrong, but its player should know of that window.
 * @param {Shares} shares */
function elsewhereParts({ elsewhere }) {
  const text = gettext("Your part of this shuffle comes from another window or device. If you have none open, tell an organizer.");
  return elsewhere ? [h("p", {}, text)] : [];
}
