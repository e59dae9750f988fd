// Describes the result of checking a hand. Pure.

import { all, gettext, ngettext } from "../text.js";
import { isShown } from "./belonging.js";
import { listed, secretCommitment } from "./deal.js";
import { openingFaults } from "./check.js";
import { keyFaults, ownFaults, unsignedFaults, unusedFaults } from "./own.js";
import { keyOf } from "./signed.js";
import { complaintInWords, faultInWords } from "./words.js";
import { whyWithout } from "./without.js";

/** @import { Checked, Fair, FairRecord, Fault, OldRecord } from "./check.js" */
/** @import { Note } from "./kept.js" */
/** @typedef {{notes: Note[], you: number|null, shareOf: (note: Note) => string|null, keys?: string[],
 *   signs?: boolean, owned?: boolean, sat?: boolean}} Own what this browser has kept of the hand; `keys`: those that the site publishes;
 *   `signs`: whether this device does; `owned`: whether the player has said that they had another device;
 *   `sat`: whether this browser took part in any deal of the match at this seat */
/** @typedef {{name: string, bytes: string, own: boolean}} Part of the shuffle, in hex */
/** @typedef {Map<number, string|undefined>} Names by seat */
/** @typedef {{state: "fits"|"without"|"alone"|"wrong"|"closed", text: string, wrong: string[], parts: Part[], evidence: boolean}} Verdict
 *   "without": it fits, but this browser sat there and has no part in it; `evidence`: whether the text speaks of it */

/** @param {Verdict["state"]} state @param {string} text @param {Partial<Verdict>} [more] @returns {Verdict} */
const verdict = (state, text, more = {}) => ({ state, text, wrong: [], parts: [], evidence: state === "wrong", ...more });

export const HIDDEN = verdict("closed", gettext("This hand’s cards aren’t public, so the hand can’t be checked. The reason is given above."));
export const LOST = verdict("closed", gettext("The hand’s record couldn’t be loaded. Reload this page."));
export const BROKEN = verdict("wrong", gettext("The server sent an error instead of the hand’s record. Reload this page. If that doesn’t help, some of the hand’s data is missing or has been changed."));
export const MISSING = verdict("wrong", gettext("Your browser took part in a hand with this number, but the server no longer shows it."));

/** Return the verdict on a hand whose record has been checked.
 * @param {Checked} checked @param {OldRecord|FairRecord} record @param {Protocol.FairHand} hand @param {Own} own @returns {Verdict} */
export function ofChecked(checked, record, { state }, own) {
  const { fair } = checked;
  const names = namesOf(record, fair);
  const mine = checked.faults.length ? [] : [...ownFaults(fair, own.notes, own.shareOf), ...keyFaults(own.notes, own.keys)];
  const found = [...checked.faults, ...unsignedFaults(fair, own), ...mine].map((fault) => inWords(fault, names));
  // Faults of the record describe the same attempts, so complaints about these are left out.
  const wrong = [...found, ...complaints(own.notes.filter((note) => !mine.length || !isShown(note)), names)];
  const counts = state === "void" ? `${gettext("This hand doesn’t count.")} ` : "";
  if (wrong.length) return verdict("wrong", counts + gettext("The hand doesn’t match what was fixed before the deal:"), { wrong, parts: parts(fair, names, own) });
  const why = fair ? whyWithout(fair, own) : "";
  const text = [counts + describeFit(checked, names, own), why].filter(Boolean).join(" ");
  const evidence = why !== "" || (fair !== null && sentTooLate(fair, own) !== "");
  return verdict(why ? "without" : byPlayers(fair) ? "fits" : "alone", text, { parts: parts(fair, names, own), evidence });
}

/** Return the verdict on a hand that had not been dealt when the match ended. Its secret and shares are public.
 * @param {string} match @param {Protocol.FairHand} hand @param {Own} own @param {boolean} [later] whether a later hand was dealt @returns {Verdict} */
export function ofUnused(match, { number: hand, attempts }, { notes, shareOf }, later = false) {
  const faults = [...(later ? [{ code: "skipped" }] : []), ...attempts.flatMap((each) => closedFaults(each, match, hand)), ...unusedFaults(attempts, notes, shareOf)];
  const wrong = [...faults.map((fault) => inWords(fault, new Map())), ...complaints(notes, new Map())];
  const text = gettext("Not dealt: the match ended first.");
  if (!wrong.length) return verdict("closed", `${text} ${gettext("Everything fixed in advance for this hand checks out.")}`);
  return verdict("wrong", text, { wrong });
}

/** Return the verdict on a hand whose record is not public.
 * @param {boolean} later whether a later hand is @returns {Verdict} */
export const ofHidden = (later) => (later ? verdict("wrong", HIDDEN.text, { wrong: [faultInWords("kept-closed", { name: "", number: 0 })] }) : HIDDEN);

/** @param {Protocol.OpenAttempt} each @param {string} match @param {number} hand @returns {Fault[]} */
function closedFaults({ attempt, server, list, secret, shares }, match, hand) {
  if (list) return openingFaults({ list, secret, shares }, attempt);
  return secretCommitment({ match, hand, attempt }, secret) === server ? [] : [{ code: "secret", number: attempt }];
}

/** Return a sentence about the results of all hands. @param {Verdict[]} verdicts */
export function summary(verdicts) {
  /** @param {Verdict["state"]} state */
  const count = (state) => verdicts.filter((each) => each.state === state).length;
  const [wrong, without, fits, alone] = [count("wrong"), count("without"), count("fits"), count("alone")];
  if (wrong) return ngettext("%(count)s hand doesn’t check out.", "%(count)s hands don’t check out.", wrong);
  if (without) return ngettext("%(count)s hand was dealt without your browser’s contribution.", "%(count)s hands were dealt without your browser’s contribution.", without);
  if (fits) return ngettext("%(count)s hand checked: it’s correct.", "%(count)s hands checked: all are correct.", fits);
  return alone ? gettext("The server shuffled these hands alone. No player’s device took part.") : gettext("No hand can be checked yet.");
}

// Parts of the sentences

/** @param {OldRecord|FairRecord} record @param {Fair|null} fair @returns {Names} */
function namesOf(record, fair) {
  return new Map((fair?.list.seats ?? []).map(({ seat }, player) => [seat, record.names?.[player]]));
}

/** Return the seat's name, or "" without a seat. @param {Names} names @param {number|null} [seat] */
const nameIn = (names, seat) => (typeof seat !== "number" ? "" : names.get(seat) ?? gettext("seat %(number)s", { number: seat + 1 }));

/** @param {Fault} fault @param {Names} names */
function inWords({ code, about, number }, names) {
  return faultInWords(code, { name: nameIn(names, about), number: number ?? 0 });
}

/** Describe the complaints in this browser's notes. @param {Note[]} notes @param {Names} names */
function complaints(notes, names) {
  return notes.flatMap((note) => note.complaints.filter(({ owned }) => !owned).map(({ code, about }) => complaintInWords(code, { hand: note.hand, name: nameIn(names, about) })));
}

/** @param {Fair|null} fair */
const byPlayers = (fair) => Boolean(fair?.list.seats.some(({ commitment }) => commitment));

/** @param {Checked} checked @param {Names} names @param {Own} own */
function describeFit({ fair, cards, shuffles, choices }, names, own) {
  if (!fair) return gettext("Shuffled by the server alone. The deck is the one it had fixed before the deal.");
  const what = all([
    ngettext("%(count)s card", "%(count)s cards", cards),
    ...(shuffles ? [ngettext("%(count)s reshuffle", "%(count)s reshuffles", shuffles)] : []),
    ...(choices ? [ngettext("%(count)s X-Ray", "%(count)s X-Rays", choices)] : []),
  ]);
  return [gettext("%(what)s match the recalculation.", { what }), whoTookPart(fair, names, own), describeVoid(fair, names, own), sentTooLate(fair, own)].filter(Boolean).join(" ");
}

/** @param {Fair} fair @param {Names} names @param {Own} own */
function whoTookPart({ list }, names, { you }) {
  /** @param {Protocol.ListedSeat} each */
  const nameOrYou = ({ seat }) => (seat === you ? gettext("you") : nameIn(names, seat));
  const took = list.seats.filter(({ commitment }) => commitment).map(nameOrYou);
  const not = list.seats.filter(({ why }) => why && why !== "bot").map(nameOrYou);
  const without = not.length ? gettext("Not included: %(names)s.", { names: all(not) }) : "";
  if (!took.length) return [gettext("The server shuffled this hand alone."), without].filter(Boolean).join(" ");
  return [gettext("Shuffled by %(names)s.", { names: all([gettext("the server"), ...took]) }), without].filter(Boolean).join(" ");
}

/** @param {Fair} fair @param {Names} names @param {Own} own */
function describeVoid({ void: gone }, names, { you }) {
  const late = new Set(gone.flatMap(({ list, shares }) => listed(list).map(({ seat }) => seat).filter((seat) => shares[seat] === undefined)));
  const who = all([...late].map((seat) => (seat === you ? gettext("you") : nameIn(names, seat))));
  return gone.length ? ngettext("%(count)s earlier attempt was called off because no contribution arrived from %(names)s.", "%(count)s earlier attempts were called off because no contribution arrived from %(names)s.", gone.length, { names: who }) : "";
}

/** Describe a share that this browser sent but that was missing in a void attempt.
 * @param {Fair} fair @param {Own} own */
function sentTooLate({ void: gone }, { notes }) {
  const late = notes.some(({ attempt, opened, seat }) => opened && gone.some(({ list, shares }) => list.attempt === attempt && shares[seat] === undefined));
  return late ? gettext("Your contribution was reported missing although your browser had sent it. A bad connection can cause that, and so can a dishonest server. If it keeps happening on a good connection, show your evidence to an organizer.") : "";
}

/** @param {Fair|null} fair @param {Names} names @param {Own} own @returns {Part[]} */
function parts(fair, names, { notes, you, shareOf }) {
  if (!fair) return [];
  const kept = notes.find(({ attempt, seat }) => attempt === fair.list.attempt && seat === you);
  const share = kept ? shareOf(kept) : null;
  const shown = fair.list.seats.filter(({ seat }) => fair.shares[seat] !== undefined);
  return [
    { name: gettext("Server"), bytes: fair.secret, own: false },
    ...shown.map(({ seat }) => ({ name: signedBy(seat === you ? gettext("You") : nameIn(names, seat), keyOf(fair, seat)), bytes: fair.shares[seat], own: seat === you && fair.shares[seat] === share })),
  ];
}

/** @param {string} name @param {string} key what the device's key is called, "" where none signed */
function signedBy(name, key) {
  return key ? gettext("%(name)s, signed by the device with key %(key)s", { name, key }) : gettext("%(name)s, not signed", { name });
}
