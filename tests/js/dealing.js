// Simulates the server's side of a deal. The server is honest unless a test changes a view.

import { newShare, secretCommitment, shareCommitment } from "../../static/js/fair/deal.js";
import { digestOf } from "../../static/js/fair/doubts.js";
import "./crypto.js";

export const DECK = ["R1", "R2", "R3", "G1", "G2", "G3", "B1", "B2"];

/** localStorage in memory; `full` makes it refuse new entries. */
export class Store {
  items = new Map();
  full = false;

  get length() {
    return this.items.size;
  }

  key(i) {
    return [...this.items.keys()][i];
  }

  getItem(name) {
    return this.items.get(name) ?? null;
  }

  setItem(name, text) {
    if (this.full) throw new Error("QuotaExceededError");
    this.items.set(name, text);
  }

  removeItem(name) {
    this.items.delete(name);
  }
}

/** Accept any receipt, for tests that are not about receipts. */
export const ANY_RECEIPT = { doubt: async () => null };

/** An attempt to deal a hand for two people and a bot. Seat 1 has a share from the beginning. */
export class Attempt {
  constructor({ match = "m", hand = 2, attempt = 1, gone = [] } = {}) {
    this.draw = { match, hand, attempt };
    this.gone = gone;
    this.secret = "ab".repeat(96);
    this.server = secretCommitment(this.draw, this.secret);
    this.shares = { 1: newShare() };
    this.commitments = { 1: shareCommitment(this.draw, 1, this.shares[1]) };
  }

  /** Return the list of commitments with the current entries. */
  list(changes = {}) {
    const seats = [0, 1].map((seat) => (this.commitments[seat] ? { seat, commitment: this.commitments[seat] } : { seat, why: "none" }));
    return { ...this.draw, dealer: 1, deck: DECK, server: this.server, seats: [...seats, { seat: 2, why: "bot" }], ...changes };
  }

  /** Return the deal facts of a view at this step. */
  facts(step, { list = step === "commit" ? null : this.list(), ...changes } = {}) {
    const { hand, attempt } = this.draw;
    return {
      hand, attempt, step, server: this.server, list, digest: list && digestOf(list),
      shares: step === "dealt" ? this.shares : {}, mine: this.commitments[0] ?? null,
      opened: Object.keys(this.shares).map(Number), void: this.gone, ...changes,
    };
  }

  /** Return the view of seat 0. */
  view(step, changes = {}) {
    const seats = ["Asha", "Ben", "Cora"].map((name, seat) => ({ seat, name, out: false }));
    const { match: id, hand } = this.draw;
    const match = step === "dealt" ? { id, phase: "playing", hand } : { id, phase: hand === 1 ? "waiting" : "between", hand: Math.max(1, hand - 1) };
    const sheet = match.phase === "between" ? { hand: match.hand } : null;
    return { you: 0, match, seats, sheet, cards: step === "dealt" ? [{}] : [], deal: this.facts(step, changes) };
  }

  /** Return the opened attempt in the format of records and void attempts. */
  opened(shares = this.shares) {
    return { attempt: this.draw.attempt, list: this.list(), secret: this.secret, shares };
  }

  /** Process a message of seat 0 like the server. */
  take(message) {
    if (message.type === "commit") this.commitments[0] = message.commitment;
    else this.shares[0] = message.share;
  }
}

