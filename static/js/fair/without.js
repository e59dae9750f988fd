// Explains why a player's own share is missing in a hand. Pure.

import { gettext } from "../text.js";
import { isShown } from "./belonging.js";

/** @import { Fair } from "./check.js" */
/** @import { Note } from "./kept.js" */
/** @import { Sent } from "./sent.js" */

/** Return the explanation, or "" if this browser's share is included or no share was expected.
 * @param {Fair} fair
 * @param {{notes: Note[], you: number|null, sat?: boolean}} own `notes` of this hand; `sat`: whether this browser took
 *   part in any deal of the match at this seat */
export function whyWithout({ list, let_go: gone = [] }, { notes, you, sat = false }) {
  const entry = list.seats.find(({ seat }) => seat === you);
  const mine = notes.filter(({ seat }) => seat === you);
  // A server that shows a wrong hand number to the table can say this of a hand that was played here.
  if (!entry) return sat ? gettext("According to the site, you weren’t in this hand. If you played it, show your evidence to an organizer.") : "";
  if (!mine.length && entry.why === "bot") return sat ? gettext("According to the site, a bot played this hand for you. If you played it yourself, show your evidence to an organizer.") : "";
  const note = mine.find(({ attempt }) => attempt === list.attempt);
  if (note?.mine && note.mine !== entry.commitment && gone.includes(note.seat)) return gettext("According to the site, another player took over your seat, so your contribution was dropped before the list was made. If you had the seat all along, show your evidence to an organizer.");
  if (entry.commitment && note?.mine === entry.commitment) return "";
  if (entry.commitment) return mine.length ? gettext("The contribution in your name didn’t come from this browser.") : gettext("This browser has no record of the contribution in your name.");
  if (entry.why === "failed") return describeMissed(mine.some(({ opened }) => opened));
  if (entry.why === "before") return gettext("According to the server, your contribution missed the opening deadline in earlier hands, so you were left out of this shuffle.");
  if (mine.length && !mine.some(isShown) && mine.some(({ barred }) => barred)) return gettext("Your browser wasn’t shown this shuffle: the site said that you weren’t playing.");
  if (mine.length && !mine.some(isShown)) return gettext("Your browser wasn’t shown this shuffle: when it connected, the hand was already being played.");
  return describeNotSent(note?.sent?.findLast(({ type }) => type === "commit"));
}

/** @param {boolean} sent whether this browser had opened its share in any attempt */
function describeMissed(sent) {
  if (!sent) return gettext("According to the server, your contribution missed the opening deadline twice, so it was left out.");
  return gettext("According to the server, your contribution missed the opening deadline twice, so it was left out. Your browser had sent it. A bad connection can cause that, and so can a dishonest server. If it keeps happening on a good connection, show your evidence to an organizer.");
}

/** @param {Sent|undefined} sent */
function describeNotSent(sent) {
  if (!sent) return gettext("Your browser took no part in this shuffle: it sent nothing while contributions were being accepted.");
  if (sent.answer === null) return gettext("Your browser sent its contribution but got no answer. A bad connection can cause that, and so can a dishonest server. If it keeps happening on a good connection, show your evidence to an organizer.");
  return gettext("Your browser sent its contribution, but the server said it came too late. A bad connection can cause that, and so can a dishonest server. If it keeps happening on a good connection, show your evidence to an organizer.");
}
