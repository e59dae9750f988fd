// The deals of a match, hand by hand: each record is loaded, computed, and compared with what this
// browser has kept.

import { hasKey } from "./device.js";
import { leavingFaults } from "./leaving.js";
import { missingHands } from "./own.js";
import { signatureFaults } from "./signed.js";
import { BROKEN, LOST, ofChecked, ofHidden, ofUnused } from "./verdict.js";

/** @import { Checked, FairRecord, OldRecord } from "./check.js" */
/** @import { Kept } from "./kept.js" */
/** @import { Own, Verdict } from "./verdict.js" */
/** @typedef {(record: OldRecord|FairRecord, match: string, hand: number) => Checked|Promise<Checked>} Compute */

export class Judge {
  /** @param {Protocol.FairPage} page @param {Kept} kept @param {Compute} compute */
  constructor(page, kept, compute) {
    this.page = page;
    this.kept = kept;
    this.compute = compute;
    /** Whether this device signs what it sends; null before that is known. @type {boolean|null} */
    this.signs = null;
    /** What the records judged so far have. @type {import("./leaving.js").Hands} */
    this.hands = new Map();
  }

  /** @param {Protocol.FairHand} hand @returns {Promise<Verdict>} */
  async verdict(hand) {
    const { match } = this.page;
    this.signs ??= await hasKey();
    if (hand.state === "unused") return ofUnused(match, hand, this.#own(hand), this.#after(hand, ({ state }) => state !== "unused"));
    if (!hand.record) return ofHidden(this.#after(hand, ({ record }) => record !== null));
    const { away, record } = await load(hand.record);
    if (!record) return away ? LOST : BROKEN;
    const checked = await this.compute(record, match, hand.number);
    const leaving = checked.faults.length ? [] : [...leavingFaults(checked.fair, this.hands), ...(await signatureFaults(checked.fair))];
    this.hands.set(hand.number, checked.fair);
    return ofChecked({ ...checked, faults: [...checked.faults, ...leaving] }, record, hand, this.#own(hand));
  }

  /** Numbers of hands that the server no longer shows; each is `MISSING`. */
  missing() {
    return missingHands(this.page.hands, this.#notes());
  }

  /** Whether there is anything to show to somebody else. */
  get noted() {
    return this.#notes().length > 0;
  }

  /** The seat of whom the page calls its visitor; else that at which this browser sat, whatever the page says. */
  get seat() {
    const seats = this.#notes().map(({ seat }) => seat);
    return seats.includes(this.page.you ?? -1) ? this.page.you : seats[0] ?? this.page.you;
  }

  #notes() {
    return this.kept.notes(this.page.match);
  }

  /** @param {Protocol.FairHand} hand @param {(other: Protocol.FairHand) => boolean} is @returns {boolean} whether any after it is that */
  #after({ number }, is) {
    return this.page.hands.some((other) => other.number > number && is(other));
  }

  /** @param {Protocol.FairHand} hand @returns {Own} */
  #own({ number }) {
    const notes = this.#notes().filter(({ hand }) => hand === number);
    const owned = this.seat !== null && this.kept.owns(this.page.match, this.seat);
    return { notes, you: this.seat, keys: this.page.keys, signs: this.signs === true, owned, shareOf: (note) => note.mine && this.kept.share(note, note.seat, note.mine) };
  }
}

// A proxy's, a limit's, a sign-in that is asked for first: nothing that the site says of the hand.
const AWAY = [0, 401, 408, 425, 429, 502, 503, 504];

/** @param {string} address @returns {Promise<{away: boolean, record: OldRecord|FairRecord|null}>} `away`: it cannot be had now */
async function load(address) {
  try {
    const answer = await fetch(address);
    return { away: answer.redirected || AWAY.includes(answer.status), record: answer.ok ? await answer.json() : null };
  } catch (error) {
    return { away: !(error instanceof SyntaxError), record: null };
  }
}
