// The site's decks, so that a record with missing cards does not pass the check. Pure.

import { check } from "./check.js";
import { hexOf } from "./deal.js";
import { sha256 } from "./sha2.js";

/** @import { Checked, FairRecord, OldRecord } from "./check.js" */

/** Number of cards in each deck, and the first digits of the SHA-256 of its cards in order, separated by one
 * space. `tests/rules/fair/test_deck_digests.py` compares them with the rules.
 * @type {[number, string][]} */
const DECKS = [
  [108, "501da3ff262e1b91"],
  [108, "d98179efa085bc8a"],
  [108, "bacdb5fa12dce056"],
  [52, "676ee50afc8433dc"],
];

/** Whether this is one of the site's decks in its order. A table may add one more kind of card at the end.
 * @param {string[]} deck */
export function isKnownDeck(deck) {
  return DECKS.some(([count, digest]) => {
    const [cards, more] = [deck.slice(0, count), deck.slice(count)];
    return digestOf(cards) === digest && more.every((card) => card === more[0] && !cards.includes(card));
  });
}

/** @param {string[]} cards */
const digestOf = (cards) => hexOf(sha256(new TextEncoder().encode(cards.join(" ")))).slice(0, 16);

/** Check the hand, and compare its deck with the site's decks. This is not in the table's script, which has
 * to be small; there, the worker does it.
 * @param {OldRecord|FairRecord} record @param {string} match @param {number} hand @returns {Checked} */
export function checkWithDeck(record, match, hand) {
  const checked = check(record, match, hand);
  if (!checked.fair || isKnownDeck(checked.fair.list.deck)) return checked;
  return { ...checked, faults: [...checked.faults, { code: "rules-deck" }] };
}
