// What is wrong with a deal, in words.

import { gettext } from "../text.js";

/** @typedef {{hand: number, name: string}} Told `name`: of the seat that a complaint concerns */

/** What the table noticed while the deal was made. @type {Record<string, (values: Told) => string>} */
const COMPLAINTS = {
  "other-server": (values) => gettext("Hand %(hand)s: the server changed its own part of the shuffle after it had shown it.", values),
  "wrong-list": (values) => gettext("Hand %(hand)s: the list of who takes part in the shuffle does not fit together.", values),
  "second-list": (values) => gettext("Hand %(hand)s: the server has shown two different lists of who takes part in the shuffle.", values),
  "left-out": (values) => gettext("Hand %(hand)s: your part was left out of the shuffle, although the server had accepted it.", values),
  "share-wrong": (values) => gettext("Hand %(hand)s was dealt without the part of %(name)s, or with another in its place.", values),
  "attempt-hidden": (values) => gettext("Hand %(hand)s: a shuffle was begun that the server no longer shows.", values),
  "void-wrong": (values) => gettext("Hand %(hand)s: a shuffle was called off, and is not shown as it was begun.", values),
  "called-late": (values) => gettext("Hand %(hand)s: the server says that your part of the shuffle came too late, although it had accepted it.", values),
  refused: (values) => gettext("Hand %(hand)s: the server refuses your part of the shuffle, although it fits.", values),
  "commit-refused": (values) => gettext("Hand %(hand)s: the server refused your part of the shuffle, although it was still taking parts.", values),
  "commit-unanswered": (values) => gettext("Hand %(hand)s: your part of the shuffle came to the server, which gave no answer and went on without it.", values),
  "open-unanswered": (values) => gettext("Hand %(hand)s: your part of the shuffle came to the server, which gave no answer and called the shuffle off for want of it.", values),
  "sent-away": (values) => gettext("Hand %(hand)s: the list says that you held up shuffles before and have no part in this one. Your browser knows of none.", values),
  "deal-gone": (values) => gettext("Hand %(hand)s: the server had accepted your part of the shuffle, and plays the hand without having asked for it.", values),
  "dealt-again": (values) => gettext("Hand %(hand)s: the cards were dealt, and now the server deals the same hand again.", values),
  "record-wrong": (values) => gettext("Hand %(hand)s does not fit what was fixed before its deal.", values),
  "receipt-missing": (values) => gettext("Hand %(hand)s: the server acknowledged something of the shuffle, and did not sign that it had.", values),
  "receipt-wrong": (values) => gettext("Hand %(hand)s: the server acknowledged something of the shuffle, with a signature that does not fit.", values),
  "site-key-changed": (values) => gettext("Hand %(hand)s: the site signs what it acknowledges with another key than before. An organizer can say whether its key was changed.", values),
  "not-yours": (values) => gettext("Hand %(hand)s: a part of the shuffle stands in your name that this browser did not send.", values),
};

/** @param {string} code @param {Told} values */
export function complaintInWords(code, values) {
  return COMPLAINTS[code](values);
}

/** @typedef {{name: string, number: number}} Where `number`: of the attempt, card, shuffle or look */

/** What a record shows. @type {Record<string, (where: Where) => string>} */
const FAULTS = {
  unreadable: () => gettext("The record is not complete, so that nothing can be computed from it."),
  "old-commitment": () => gettext("The deck is not the one that was fixed before the deal."),
  "other-deal": (where) => gettext("Attempt %(number)s is that of another match or hand.", where),
  "other-table": (where) => gettext("Attempt %(number)s had another dealer, deck or players than the deal.", where),
  secret: (where) => gettext("Attempt %(number)s: the server’s secret is not the one that it had fixed.", where),
  "same-secret": (where) => gettext("Attempt %(number)s: the server’s secret was known from an attempt before.", where),
  share: (where) => gettext("Attempt %(number)s: the part of %(name)s is not the one that was fixed.", where),
  "missing-share": (where) => gettext("It was dealt without the part of %(name)s, which was on the list.", where),
  "void-complete": (where) => gettext("Attempt %(number)s was called off although all parts were there.", where),
  "not-failed": (where) => gettext("Attempt %(number)s: %(name)s was left out without having failed twice.", where),
  "not-before": (where) => gettext("Attempt %(number)s: %(name)s sits out without having held up hands for that.", where),
  "had-to-sit-out": (where) => gettext("Attempt %(number)s: %(name)s took part, who had to sit out for hands before.", where),
  deck: (where) => gettext("The deck is another one than these parts make, from card %(number)s on.", where),
  dealer: () => gettext("The dealer is not who was drawn or named."),
  reshuffle: (where) => gettext("Reshuffle %(number)s is another one than these parts make.", where),
  reveal: (where) => gettext("X-Ray: look %(number)s showed another card than these parts make.", where),
  "own-attempt": (where) => gettext("Your browser saw attempt %(number)s, which is not in the record.", where),
  "own-server": (where) => gettext("Attempt %(number)s: your browser had been shown another part of the server’s.", where),
  "own-list": (where) => gettext("Attempt %(number)s: your browser had been shown another list of who takes part.", where),
  "own-left-out": (where) => gettext("Attempt %(number)s: your part is not in it, although the server had accepted it.", where),
  "own-unsigned": (where) => gettext("Attempt %(number)s: this device had signed your part, and its signature is not there.", where),
  signature: (where) => gettext("Attempt %(number)s: the signature under the part of %(name)s is not that of its key.", where),
  "own-key": (where) => gettext("Attempt %(number)s: the site had signed what it acknowledged with a key that it does not publish.", where),
  "own-share": (where) => gettext("Attempt %(number)s: your part is not the one that your browser sent.", where),
  "own-played": () => gettext("Your browser saw this hand in play."),
  skipped: () => gettext("It was never dealt, and a hand after it was."),
  "kept-closed": () => gettext("It is not open, and a hand after it is."),
  "own-late": (where) => gettext("Attempt %(number)s: your part is said to have come too late, although the server had accepted it.", where),
};

/** @param {string} code @param {Where} where */
export function faultInWords(code, where) {
  return FAULTS[code](where);
}
