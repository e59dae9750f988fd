// What is wrong with a deal, in words.

import { gettext } from "../text.js";

/** @type {Record<string, (values: {hand: number, name: string}) => string>} */
const SENTENCES = {
  "other-server": (values) => gettext("Hand %(hand)s: the server changed its own part of the shuffle after it had shown it.", values),
  "wrong-list": (values) => gettext("Hand %(hand)s: the list of who takes part in the shuffle does not fit together.", values),
  "second-list": (values) => gettext("Hand %(hand)s: the server has shown two different lists of who takes part in the shuffle.", values),
  "left-out": (values) => gettext("Hand %(hand)s: your part was left out of the shuffle, although the server had accepted it.", values),
  "share-wrong": (values) => gettext("Hand %(hand)s was dealt without the shuffle part of %(name)s, or with another in its place.", values),
  "attempt-hidden": (values) => gettext("Hand %(hand)s: a shuffle was begun that the server no longer shows.", values),
  "void-wrong": (values) => gettext("Hand %(hand)s: a shuffle was called off, and is not shown as it was begun.", values),
  "called-late": (values) => gettext("Hand %(hand)s: the server says that your part of the shuffle came too late, although it had accepted it.", values),
  refused: (values) => gettext("Hand %(hand)s: the server refuses your part of the shuffle, although it fits.", values),
};

/** One sentence of a complaint.
 * @param {string} code @param {{hand: number, name: string}} values `name`: of the seat that it concerns */
export function complaintInWords(code, values) {
  return SENTENCES[code](values);
}
