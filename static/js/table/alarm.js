// Warns above the table about faults in a deal and offers the evidence for download. After the player closes the
// warning, a small mark stays until a new fault is found.

import { evidenceButton } from "../fair/evidence.js";
import { isProven } from "../fair/receipts.js";
import { complaintInWords } from "../fair/words.js";
import { h, onChange } from "./dom.js";
import { gettext, ngettext } from "../text.js";

/** @import { Shares } from "./shares.js" */
/** @import { Show, State } from "./store.js" */

/** Answers for the player to a complaint that can have an innocent explanation. */
const REASONS = {
  "not-yours": gettext("That was my other device"),
  "seat-hidden": gettext("I signed in or got this seat later"),
  "seat-denied": gettext("I signed out or gave up my seat"),
};

/** @param {HTMLElement} root @param {Shares} shares @returns {Show} */
export function makeAlarm(root, shares) {
  // Number of complaints when the warning was closed.
  let read = 0;
  /** @param {State} state */
  const show = ({ view }) => {
    // Another person may have played at this table in this browser.
    const own = shares.complaints.filter(({ note, complaint }) => (view.you === null ? complaint.code === "seat-denied" : note.seat === view.you));
    const closed = own.length > 0 && own.length === read;
    const again = () => show(/** @type {State} */ ({ view }));
    const turn = () => {
      read = closed ? 0 : own.length;
      again();
      root.querySelector("button")?.focus();
    };
    root.hidden = !own.length;
    root.classList.toggle("closed", closed);
    if (closed) root.replaceChildren(markButton(turn));
    else root.replaceChildren(...(own.length ? [...complaintParts(own, shares, view), ...ownButtons(own, shares, again), closeButton(turn)] : []));
  };
  return onChange(({ view }) => [shares.complaints, view.you], show);
}

/** @param {() => void} onclick */
function closeButton(onclick) {
  return h("button.banner-button", { type: "button", onclick }, gettext("Close"));
}

/** @param {() => void} onclick */
function markButton(onclick) {
  return h("button.alarm-mark", { type: "button", onclick, "aria-expanded": "false" }, gettext("A deal doesn’t check out"));
}

/** @param {Shares["complaints"]} complaints @param {Shares} shares @param {Protocol.WindowView} view */
function complaintParts(complaints, { kept }, { match, seats }) {
  const [{ note, complaint }, ...more] = complaints;
  const name = complaint.about === null ? "" : seats[complaint.about].name;
  const others = more.length ? ngettext("%(count)s more problem found.", "%(count)s more problems found.", more.length) : "";
  return [
    h("p", {}, h("b", {}, complaintInWords(complaint.code, { hand: note.hand, name })), ` ${others} `, advice(note, complaint)),
    evidenceButton("button.banner-button", { kept, match: match.id, seat: note.seat }),
  ];
}

/** @param {Shares["complaints"][0]["note"]} note @param {Shares["complaints"][0]["complaint"]} complaint */
function advice(note, complaint) {
  if (complaint.code === "seat-hidden") return gettext("Play continues. If you were signed in and had this seat all along, keep the evidence and show it to an organizer.");
  if (complaint.code === "seat-denied") return gettext("If you’re signed out, sign in. If you didn’t sign out or give up your seat, keep the evidence and show it to an organizer.");
  if (complaint.code === "not-yours") return gettext("Play continues. If the contribution didn’t come from another of your devices, keep the evidence and show it to an organizer.");
  if (isProven(note, complaint)) return gettext("Play continues. Keep the evidence and show it to an organizer: it contains the site’s own signatures, which prove the problem to anyone.");
  return gettext("Play continues. Keep the evidence and show it to an organizer.");
}

/** Create buttons with which the player can explain a complaint. An answered question is not asked again, because
 * only the player can know which devices are theirs and when they got their seat.
 * @param {Shares["complaints"]} complaints @param {Shares} shares @param {() => void} show */
function ownButtons(complaints, shares, show) {
  return Object.entries(REASONS).flatMap(([code, reason]) => {
    const found = complaints.find(({ complaint }) => complaint.code === code);
    if (!found) return [];
    const onclick = () => {
      shares.own(found.note.seat, code);
      show();
    };
    return [h("button.banner-button", { type: "button", onclick }, reason)];
  });
}
