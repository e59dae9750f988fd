// Why a browser that sat at a hand has no part in it, in words: never a hand that simply fits. Pure.

import { gettext } from "../text.js";

/** @import { Fair } from "./check.js" */
/** @import { Note } from "./kept.js" */
/** @import { Sent } from "./sent.js" */

/** "" where it has one, or did not sit there.
 * @param {Fair} fair @param {{notes: Note[], you: number|null}} own */
export function whyWithout({ list, let_go: gone = [] }, { notes, you }) {
  const entry = list.seats.find(({ seat }) => seat === you);
  const mine = notes.filter(({ seat }) => seat === you);
  if (!entry || !mine.length) return "";
  const note = mine.find(({ attempt }) => attempt === list.attempt);
  if (note?.mine && note.mine !== entry.commitment && gone.includes(note.seat)) return gettext("Your part was let go before the list was made, since your seat changed hands, as the site says. If you sat there all the time, show your evidence.");
  if (entry.commitment) return note?.mine === entry.commitment ? "" : gettext("The part in your name is not this browser’s.");
  if (entry.why === "failed") return gettext("Your part was left out, since twice it was not opened in time.");
  if (entry.why === "before") return gettext("You had no part in it, for hands before in which your part was not opened in time.");
  return notSent(note?.sent?.findLast(({ type }) => type === "commit"));
}

/** @param {Sent|undefined} sent */
function notSent(sent) {
  if (!sent) return gettext("Your browser had no part in it: it sent none while parts were taken.");
  if (sent.answer === null) return gettext("Your browser had sent its part and got no answer: a bad line does that, or a dishonest server. If it happens again and again on a good line, show your evidence.");
  return gettext("Your browser had sent its part, and the server said that it came too late: a bad line does that, or a dishonest server. If it happens again and again on a good line, show your evidence.");
}
