// The decks of the site, so that a record which leaves cards out has no tick. Pure.

import { check } from "./check.js";
import { hexOf } from "./deal.js";
import { sha256 } from "./sha2.js";

/** @import { Checked, FairRecord, OldRecord } from "./check.js" */

/** How many cards a deck has, and the first digits of the SHA-256 of these cards in deck order, separated
 * by one space. `tests/rules/fair/test_deck_digests.py` compares them with the rules. @type {[number, string][]} */
const DECKS = [
  [108, "501da3ff262e1b91"],
  [108, "d98179efa085bc8a"],
  [108, "bacdb5fa12dce056"],
  [52, "676ee50afc8433dc"],
];

/** Whether this is a deck of the site, in its order; a table may add one more kind of card at its end.
 * @param {string[]} deck */
export function isKnownDeck(deck) {
  return DECKS.some(([count, digest]) => {
    const [cards, more] = [deck.slice(0, count), deck.slice(count)];
    return digestOf(cards) === digest && more.every((card) => card === more[0] && !cards.includes(card));
  });
}

/** @param {string[]} cards */
const digestOf = (cards) => hexOf(sha256(new TextEncoder().encode(cards.join(" ")))).slice(0, 16);

/** The hand computed, and its deck compared with the site's. Not in the table's script, which has to be
 * small: there the thread beside it does this.
 * @param {OldRecord|FairRecord} record @param {string} match @param {number} hand @returns {Checked} */
export function checkWithDeck(record, match, hand) {
  const checked = check(record, match, hand);
  if (!checked.fair || isKnownDeck(checked.fair.list.deck)) return checked;
  return { ...checked, faults: [...checked.faults, { code: "rules-deck" }] };
}
