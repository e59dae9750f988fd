// Compares a hand's record with this browser's notes. Pure.

import { isShown } from "./belonging.js";
import { digestOf } from "./doubts.js";

/** @import { Fault, Fair } from "./check.js" */
/** @import { Note } from "./kept.js" */

/** Return the differences between a deal and this browser's notes and shares.
 * @param {Fair|null} fair null of a hand that the server says it shuffled alone @param {Note[]} notes of this hand and seat
 * @param {(note: Note) => string|null} shareOf the share that was acknowledged @returns {Fault[]} */
export function ownFaults(fair, notes, shareOf) {
  const attempts = fair ? [...fair.void, fair] : [];
  return notes.filter(isShown).flatMap((note) => {
    const opened = attempts.find(({ list }) => list.attempt === note.attempt);
    return opened ? noteFaults(opened, note, shareOf(note)) : [{ code: "own-attempt", number: note.attempt }];
  });
}

/** Return the attempts in which the player's commitment is not signed although this device signs,
 * and comes neither from this browser nor from a confirmed other device.
 * @param {Fair|null} fair @param {{notes: Note[], you: number|null, signs?: boolean, owned?: boolean}} own @returns {Fault[]}
 */
export function unsignedFaults(fair, { notes, you, signs, owned }) {
  if (!fair || you === null || !signs || owned) return [];
  const ours = notes.flatMap(({ sent = [], mine }) => [mine, ...sent.map(({ hex }) => hex)]);
  return [...fair.void, fair].flatMap(({ list, signed = {} }) => {
    const entry = list.seats.find(({ seat }) => seat === you);
    const strange = entry?.commitment && !signed[you] && !ours.includes(entry.commitment);
    return strange ? [{ code: "own-not-signed", number: list.attempt }] : [];
  });
}

/** Return the attempts with receipts by keys that the site does not publish. Older pages publish no keys.
 * @param {Note[]} notes of this hand and seat @param {string[]} [keys] @returns {Fault[]} */
export function keyFaults(notes, keys = []) {
  const strange = notes.filter((note) => keys.length && receiptsOf(note).some(({ key }) => !keys.includes(key)));
  return strange.map(({ attempt }) => ({ code: "own-key", number: attempt }));
}

/** @param {Note} note */
function receiptsOf({ receipt, sent = [] }) {
  return [receipt, ...sent.map((each) => each.receipt)].flatMap((each) => each || []);
}

/** Check a hand that was not dealt according to the server. Its data contains no signatures.
 * @param {Protocol.OpenAttempt[]} attempts @param {Note[]} notes of this hand @param {(note: Note) => string|null} shareOf @returns {Fault[]} */
export function unusedFaults(attempts, notes, shareOf) {
  const played = notes.some((note) => note.played) ? [{ code: "own-played" }] : [];
  const other = notes.filter(isShown).flatMap((note) => {
    const shown = attempts.find(({ attempt }) => attempt === note.attempt);
    if (!shown) return [{ code: "own-attempt", number: note.attempt }];
    if (shown.list) return noteFaults({ ...shown, list: shown.list }, { ...note, sent: [] }, shareOf(note));
    return shown.server === note.server ? [] : [{ code: "own-server", number: note.attempt }];
  });
  return [...played, ...other];
}

/** Return the hands in this browser's notes that the page lacks, if they were played or the page has later hands.
 * @param {Protocol.FairHand[]} hands @param {Note[]} notes of this match and seat @returns {number[]} */
export function missingHands(hands, notes) {
  const numbers = hands.map(({ number }) => number);
  const kept = notes.filter(({ hand, played }) => played || hand < Math.max(...numbers)).map(({ hand }) => hand).filter((hand) => !numbers.includes(hand));
  return [...new Set(kept)];
}

/** @param {import("./deal.js").Opened} opened @param {Note} note @param {string|null} share @returns {Fault[]} */
function noteFaults({ list, shares, signed, let_go: gone = [] }, note, share) {
  const number = note.attempt;
  if (note.server !== list.server) return [{ code: "own-server", number }];
  if (note.digest !== null && note.digest !== digestOf(list)) return [{ code: "own-list", number }];
  const entry = list.seats.find(({ seat }) => seat === note.seat);
  if (note.mine !== null && entry?.commitment !== note.mine && entry?.why !== "failed" && !gone.includes(note.seat)) return [{ code: "own-left-out", number }];
  if (entry?.commitment === note.mine && isUnsigned(note, signed)) return [{ code: "own-unsigned", number }];
  const shown = shares[note.seat];
  if (share !== null && shown !== undefined && shown !== share) return [{ code: "own-share", number }];
  return note.taken && shown === undefined ? [{ code: "own-late", number }] : [];
}

/** Return whether this device signed the current commitment, but the record lacks the signature.
 * @param {Note} note @param {import("./deal.js").Opened["signed"]} signed */
function isUnsigned({ seat, mine, sent = [] }, signed = {}) {
  const key = sent.find(({ type, hex }) => type === "commit" && hex === mine)?.key;
  return key !== undefined && signed[seat]?.key !== key;
}
