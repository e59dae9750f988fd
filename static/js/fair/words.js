// Descriptions of faults in a deal.

import { gettext } from "../text.js";

/** @typedef {{hand: number, name: string}} Told `name`: of the seat that a complaint concerns */

/** Complaints of the table during a deal. @type {Record<string, (values: Told) => string>} */
const COMPLAINTS = {
  "other-server": (values) => gettext("Hand %(hand)s: the server changed its own contribution to the shuffle after committing to it.", values),
  "wrong-list": (values) => gettext("Hand %(hand)s: the list of participants in the shuffle is inconsistent.", values),
  "second-list": (values) => gettext("Hand %(hand)s: the server has shown two different lists of participants in the shuffle.", values),
  "left-out": (values) => gettext("Hand %(hand)s: your contribution was left out of the shuffle although the server had accepted it.", values),
  "share-wrong": (values) => gettext("Hand %(hand)s was dealt without %(name)s’s contribution, or with a different one in its place.", values),
  "attempt-hidden": (values) => gettext("Hand %(hand)s: the server started a shuffle that it no longer shows.", values),
  "void-wrong": (values) => gettext("Hand %(hand)s: a shuffle was called off, and the server’s record of the shuffle doesn’t match how it started.", values),
  "called-late": (values) => gettext("Hand %(hand)s: the server says your contribution to the shuffle came too late, although it had accepted it.", values),
  refused: (values) => gettext("Hand %(hand)s: the server refused your contribution to the shuffle although it was valid.", values),
  "commit-refused": (values) => gettext("Hand %(hand)s: the server refused your contribution to the shuffle although it was still accepting contributions.", values),
  "commit-unanswered": (values) => gettext("Hand %(hand)s: your contribution to the shuffle reached the server, which didn’t answer and went on without it.", values),
  "open-unanswered": (values) => gettext("Hand %(hand)s: your contribution to the shuffle reached the server, which didn’t answer and called off the shuffle as if the contribution were missing.", values),
  "sent-away": (values) => gettext("Hand %(hand)s: the server left you out of the shuffle for holding up earlier ones, but your browser has no record of that.", values),
  "deal-gone": (values) => gettext("Hand %(hand)s: the server had accepted your contribution to the shuffle, but is playing the hand without ever asking for it.", values),
  "dealt-again": (values) => gettext("Hand %(hand)s: the cards had been dealt, but now the server is dealing the same hand again.", values),
  "record-wrong": (values) => gettext("Hand %(hand)s doesn’t match what was fixed before the deal.", values),
  "receipt-missing": (values) => gettext("Hand %(hand)s: the server acknowledged a step of the shuffle but didn’t sign the acknowledgement.", values),
  "receipt-wrong": (values) => gettext("Hand %(hand)s: the server acknowledged a step of the shuffle with an invalid signature.", values),
  "site-key-changed": (values) => gettext("Hand %(hand)s: the site now signs its acknowledgements with a different key. An organizer can tell you whether the key was changed.", values),
  "other-match": (values) => gettext("Hand %(hand)s: the server sent this table the data of a different match.", values),
  "other-hand": (values) => gettext("Hand %(hand)s: the server showed a shuffle for a hand that isn’t the next one.", values),
  unreadable: (values) => gettext("Hand %(hand)s: the server’s data about the shuffle was incomplete or malformed.", values),
  "never-shown": (values) => gettext("Hand %(hand)s: the server dealt the hand without showing your browser its shuffle.", values),
  "seat-hidden": (values) => gettext("Hand %(hand)s was shuffled while the site said that you weren’t playing it.", values),
  "seat-denied": (values) => gettext("Hand %(hand)s: the site says that you’re only watching, but this browser took part in the hand.", values),
  "too-many": (values) => gettext("Hand %(hand)s: the server started the shuffle over more often than an honest server would.", values),
  "opened-unsent": (values) => gettext("Hand %(hand)s: the server said it had received your contribution before your browser sent it.", values),
  "never-asked": (values) => gettext("Hand %(hand)s: the server called off a shuffle for lack of your contribution without ever asking for it.", values),
  "not-yours": (values) => gettext("Hand %(hand)s: there’s a contribution to the shuffle in your name that this browser didn’t send.", values),
};

/** @param {string} code @param {Told} values */
export function complaintInWords(code, values) {
  return COMPLAINTS[code](values);
}

/** @typedef {{name: string, number: number}} Where `number`: of the attempt, card, shuffle or look */

/** Faults of a record. @type {Record<string, (where: Where) => string>} */
const FAULTS = {
  unreadable: () => gettext("The record is incomplete, so nothing can be calculated from it."),
  "old-commitment": () => gettext("The deck isn’t the one that was fixed before the deal."),
  "other-deal": (where) => gettext("Attempt %(number)s belongs to another match or hand.", where),
  "other-table": (where) => gettext("Attempt %(number)s didn’t have the same dealer, deck or players as the deal.", where),
  secret: (where) => gettext("Attempt %(number)s: the server’s secret isn’t the one it had committed to.", where),
  "same-secret": (where) => gettext("Attempt %(number)s: the server’s secret was already known from an earlier attempt.", where),
  share: (where) => gettext("Attempt %(number)s: %(name)s’s contribution isn’t the one that was committed to.", where),
  "missing-share": (where) => gettext("The hand was dealt without %(name)s’s contribution, although it was listed.", where),
  "void-complete": (where) => gettext("Attempt %(number)s was called off although no contribution was missing.", where),
  "not-failed": (where) => gettext("Attempt %(number)s: %(name)s was left out without having missed the opening deadline twice.", where),
  "not-before": (where) => gettext("Attempt %(number)s: %(name)s had to sit out without having held up enough hands for that.", where),
  "had-to-sit-out": (where) => gettext("Attempt %(number)s: %(name)s took part but should have sat out because of earlier hands.", where),
  deck: (where) => gettext("From card %(number)s on, the deck differs from the one these contributions produce.", where),
  "rules-deck": () => gettext("The deck has too many, too few or other cards."),
  dealer: () => gettext("The dealer isn’t the player who was chosen to deal."),
  reshuffle: (where) => gettext("Reshuffle %(number)s differs from the one these contributions produce.", where),
  reveal: (where) => gettext("X-Ray %(number)s showed a different card from the one these contributions produce.", where),
  "own-attempt": (where) => gettext("Your browser saw attempt %(number)s, which isn’t in the record.", where),
  "own-server": (where) => gettext("Attempt %(number)s: your browser was shown a different server contribution.", where),
  "own-list": (where) => gettext("Attempt %(number)s: your browser was shown a different list of participants.", where),
  "own-left-out": (where) => gettext("Attempt %(number)s: your contribution is missing although the server had accepted it.", where),
  "own-unsigned": (where) => gettext("Attempt %(number)s: this device signed your contribution, but the signature is missing.", where),
  "own-not-signed": (where) => gettext("Attempt %(number)s: the contribution in your name isn’t signed, but this device signs its contributions. If you played on a device that doesn’t, that’s the reason.", where),
  signature: (where) => gettext("Attempt %(number)s: the signature on %(name)s’s contribution doesn’t match its key.", where),
  "own-key": (where) => gettext("Attempt %(number)s: the site signed its acknowledgements with a key it doesn’t publish.", where),
  "own-share": (where) => gettext("Attempt %(number)s: your contribution isn’t the one your browser sent.", where),
  "own-played": () => gettext("Your browser saw this hand being played."),
  skipped: () => gettext("This hand was never dealt, although a later one was."),
  "kept-closed": () => gettext("This hand’s cards aren’t public, although those of a later hand are."),
  "own-late": (where) => gettext("Attempt %(number)s: according to the record, your contribution came too late, although the server had accepted it.", where),
};

/** @param {string} code @param {Where} where */
export function faultInWords(code, where) {
  return FAULTS[code](where);
}
