// Takes part in the deals for this player. When a deal begins, the page draws a share and commits to it. It opens
// the share only for a list that contains the commitment. Faults are stored and reported, but never delay play.

import { findDeniedNote, isReadable, isShown, Pace, strayCode, unshown, upcoming } from "../fair/belonging.js";
import { listed, newShare, shareCommitment, signedText } from "../fair/deal.js";
import { doubts } from "../fair/doubts.js";
import { commitmentTaken, listClosed, Receipts, shareTaken } from "../fair/receipts.js";
import { doubtOf, failures, isUnfounded, standing } from "../fair/sent.js";
import { isPlayer } from "./store.js";

/** @import { Complaint, Kept, Note } from "../fair/kept.js" */
/** @import { Doubt } from "../fair/doubts.js" */
/** @import { Sent } from "../fair/sent.js" */
/** @typedef {{type: "commit", hand: number, attempt: number, commitment: string, key?: string, signature?: string}
 *   | {type: "open", hand: number, attempt: number, list: string, share: string}} Part */
/** @typedef {{id: string, note: Note, deal: Protocol.DealFacts, sent: Sent}} Sending `note` as it was then */
/** @typedef {{status: () => string, reached: (id: string) => boolean, socket: () => number}} Line
 *   returns the connection's status, whether a message has arrived, and the number of the current socket */

// Faults of earlier attempts, or a missing list. They do not keep the browser out of this attempt, whose list may
// be right, because without the players' shares the server alone would shuffle.
const OF_BEFORE = [
  "attempt-hidden", "void-wrong", "called-late", "commit-refused", "commit-unanswered", "open-unanswered", "not-yours",
  "receipt-missing", "receipt-wrong", "site-key-changed", "dealt-again", "opened-unsent", "never-asked",
];
// A page that was suspended for longer than this may have missed messages.
const FROZEN_MS = 5000;
// Reasons for refusing a share that are always wrong, because this browser checks its shares first.
const UNFOUNDED = ["other-list", "wrong-share", "not-listed"];
/** @type {Line} */
const SURE = { status: () => "live", reached: () => true, socket: () => 1 };

export class Shares {
  /**
   * @param {object} options
   * @param {string} options.match
   * @param {Kept} options.kept
   * @param {(message: Part) => string} options.ask sends a message, repeated until it is answered,
   * and returns its ID
   * @param {Line} [options.line]
   * @param {import("../fair/device.js").Sign|null} [options.sign] null if this device cannot sign
   * @param {string|undefined} [options.site] the site's public key for receipts
   * @param {Pick<Receipts, "doubt">} [options.receipts]
   * @param {() => string} [options.now] in ISO 8601
   * @param {() => string} [options.draw] a new share, in hex
   */
  constructor({ match, kept, ask, line = SURE, sign = null, site = "", receipts = new Receipts(kept, site), now = () => new Date().toISOString(), draw = newShare }) {
    this.match = match;
    this.kept = kept;
    this.ask = ask;
    this.line = line;
    this.sign = sign;
    this.receipts = receipts;
    this.now = now;
    this.draw = draw;
    /** Sent commitments and shares that are neither accepted nor complained about yet. @type {Sending[]} */
    this.sending = [];
    /** The deal in the last view. @type {Protocol.DealFacts|null} */
    this.deal = null;
    /** Number of the socket that sent the last view. */
    this.heard = 0;
    /** Hands from whose deals the server excluded this page. @type {Set<number>} */
    this.barred = new Set();
    this.pace = new Pace();
    /** Time of the last `watch` call, which shows that the page is not suspended. */
    this.awake = now();
    /** Keys of the messages and events that this page has already handled. @type {Set<string>} */
    this.said = new Set();
    /** All complaints of the match. A new complaint creates a new array.
     * @type {{note: Pick<Note, "hand"|"seat">, complaint: Complaint}[]} */
    this.complaints = [];
    this.#recall();
  }

  /** Handle a view: send what its deal requires, and record the deal's faults.
   * @param {Protocol.WindowView} view */
  hear(view) {
    const { deal } = view;
    const stayed = this.#hasStayed();
    try {
      if (isPlayer(view)) this.#hearSeated(view, view.you, stayed);
      else this.#hearWatching(view);
    } catch {
      // A malformed message from a hostile server must not prevent a complaint about the hand.
      this.#complainOfHand(view, view.you ?? 0, "unreadable");
    }
    // Malformed facts are treated as missing.
    this.deal = deal && isReadable(deal) ? deal : null;
    this.heard = this.line.socket();
    this.watch();
  }

  /** @param {Protocol.WindowView} view @param {number} you @param {boolean} stayed */
  #hearSeated(view, you, stayed) {
    const { deal } = view;
    if (deal?.hand !== this.deal?.hand) this.#miss(view, stayed);
    const stray = strayCode(view, this.match);
    if (stray) this.#complainOfHand(view, you, stray);
    else if (deal) this.#take(view, deal, you, stayed);
    if (view.seats[you].out) this.#bar(view, you);
    this.#notePlayed(view, you, stayed);
  }

  /** Handle a viewer's view. This browser may still have played in the match.
   * @param {Protocol.WindowView} view */
  #hearWatching(view) {
    const notes = this.kept.notes(this.match);
    this.#bar(view, notes.at(-1)?.seat ?? null);
    const note = findDeniedNote(view, notes);
    if (!note) return;
    this.#complain(note, factsOf(view), [{ code: "seat-denied", about: note.seat }]);
    this.kept.keep(note);
  }

  /** Record that the server has signed this page out, so that it can only watch.
   * @param {Protocol.WindowView} view @param {number} seat the seat that it had */
  signedOut(view, seat) {
    this.#bar(view, seat);
  }

  /** Return whether this page has received all messages since the previous view. */
  #hasStayed() {
    return this.heard === this.line.socket() && Date.parse(this.now()) - Date.parse(this.awake) < FROZEN_MS;
  }

  /** Check for overdue answers. Call this twice a second. */
  watch() {
    this.awake = this.now();
    this.sending = this.sending.filter((each) => this.#judge(each));
  }

  /** Handle an answer from the server. Return whether it belongs to a message of this object.
   * @param {Protocol.ServerMessage} message */
  answered({ type, id, code, receipt }) {
    const sending = this.sending.find((each) => each.id === id);
    if (!sending || code === "unavailable") return Boolean(sending);
    if (sending.sent.answer !== null) return false;
    const answer = type === "ack" ? type : code ?? "";
    const note = this.#noteSent(sending, { answer, answered: this.now(), ...(receipt ? { receipt } : {}) });
    if (type === "ack") Object.assign(note, sending.sent.type === "commit" ? { mine: sending.sent.hex } : { taken: true });
    else this.#refused(sending, note, answer);
    this.kept.keep(note);
    if (type === "ack") this.#prove(note, sending.deal, { receipt, text: this.#acknowledged(note, sending.sent), about: note.seat });
    return true;
  }

  /** Record the player's explanation of a complaint. @param {number} seat @param {string} code */
  own(seat, code) {
    this.kept.own(this.match, seat, code, this.now());
    this.#recall();
  }

  /** Complain about hands whose recomputed deals are wrong. Not stored.
   * @param {number[]} hands @param {number|null} seat */
  found(hands, seat) {
    const others = this.complaints.filter(({ complaint }) => complaint.code !== "record-wrong");
    const fresh = hands.filter((hand) => !others.some(({ note }) => note.hand === hand));
    const complaint = { code: "record-wrong", about: null, at: this.now(), deal: {} };
    if (seat !== null && fresh.length) this.complaints = [...others, ...fresh.map((hand) => ({ note: { hand, seat }, complaint }))];
  }

  #recall() {
    const all = this.kept.notes(this.match).flatMap((note) => note.complaints.map((complaint) => ({ note, complaint })));
    this.complaints = all.filter(({ complaint }) => !complaint.owned);
  }

  /** Record that the server excluded this page from the next hand before its deal. If this browser has played here,
   * its notes store that, because the hand may be dealt after a reload.
   * @param {Protocol.WindowView} view @param {number|null} seat */
  #bar(view, seat) {
    const hand = upcoming(view, (each) => this.said.has(`played ${each}`));
    if (hand === null) return;
    this.barred.add(hand);
    const note = seat === null ? null : this.#wholeNote(hand, seat);
    if (note && !note.barred) this.kept.keep({ ...note, barred: this.now() });
  }

  /** Return the note about the hand as a whole. @param {number} hand @param {number} seat @returns {Note} */
  #wholeNote(hand, seat) {
    const draw = { match: this.match, hand };
    return this.kept.note({ ...draw, attempt: 0 }, seat) ?? unshown({ ...draw, seat, at: this.now() });
  }

  /** Complain about the whole hand. Nothing else about the hand is recorded or trusted.
   * @param {Protocol.WindowView} view @param {number} seat @param {string} code "" to record only
   * that this browser had the seat
   * @param {number|null} [hand] */
  #complainOfHand(view, seat, code, hand = upcoming(view, (each) => this.said.has(`played ${each}`))) {
    const { match } = view;
    const note = this.#wholeNote(hand ?? match.hand ?? 1, seat);
    if (code) this.#complain(note, factsOf(view), [{ code, about: null }]);
    this.kept.keep({ ...note, ...(match.phase === "playing" && { played: true }) });
  }

  /** @param {Protocol.WindowView} view @param {Protocol.DealFacts} deal @param {number} you @param {boolean} stayed */
  #take(view, deal, you, stayed) {
    const fresh = !this.kept.note({ match: this.match, hand: deal.hand, attempt: deal.attempt }, you);
    if (fresh && this.pace.isTooFast(deal, view.seats.length, this.now())) return this.#complainOfHand(view, you, "too-many", deal.hand);
    const note = this.#noteOf(this.match, deal, you);
    note.mine ??= this.#standing(note, deal);
    note.failures = failures(deal, you);
    // If the view shows the share as opened, the server has accepted it, even without an answer.
    if (deal.step === "open" && note.opened && deal.opened.includes(you)) note.taken = true;
    const share = note.mine && this.kept.share(note, you, note.mine);
    this.#complain(note, deal, [
      ...doubts(note, deal, this.#notes(you), share), ...this.#strange(note, deal), ...(stayed ? this.#unasked(note, deal) : []),
    ]);
    if (deal.list && !isDoubtful(note)) Object.assign(note, { list: deal.list, digest: deal.digest, receipt: note.receipt ?? deal.receipt });
    this.kept.keep(note);
    if (deal.list && deal.digest) this.#proveList(note, deal, deal.digest);
    if (deal.step === "commit" && !deal.mine && !view.seats[you].out) this.#commit(note, deal);
    if (deal.step === "open" && share && isListed(note) && !(note.opened && deal.opened.includes(you))) this.#open(note, deal, share);
  }

  /** Return a doubt if the previous attempt lacked this player's share, which was never requested.
   * @param {Note} note @param {Protocol.DealFacts} deal @returns {Doubt[]} */
  #unasked(note, deal) {
    const { deal: last } = this;
    if (!last || last.hand !== deal.hand || last.attempt >= deal.attempt) return [];
    const before = this.kept.note({ ...note, attempt: last.attempt }, note.seat);
    const late = before?.mine && standing(before, "open", deal) === "without" && standing(before, "commit", deal) === "in";
    return late && !before.opened && !isDoubtful(before) ? [{ code: "never-asked", about: note.seat }] : [];
  }

  /** @param {Note} note @param {Protocol.DealFacts} deal @param {string} digest */
  #proveList(note, deal, digest) {
    if (!this.#first(`list ${note.hand} ${note.attempt} ${digest}`)) return;
    this.#prove(note, deal, { receipt: deal.receipt, text: listClosed(note, digest), about: null });
  }

  /** Return the text that the receipt for a sent commitment or share must sign. @param {Note} note @param {Sent} sent */
  #acknowledged(note, { type, hex }) {
    if (type === "commit") return commitmentTaken(note, hex);
    return shareTaken(note, hex, (note.mine && this.kept.share(note, note.seat, note.mine)) ?? "");
  }

  /** Check a receipt and complain if it is wrong or missing.
   * @param {Note} of @param {Protocol.DealFacts} deal @param {{receipt: unknown, text: Uint8Array, about: number|null}} what
   */
  async #prove(of, deal, { receipt, text, about }) {
    const code = await this.receipts.doubt(receipt, text, this.now());
    if (!code) return;
    const note = this.kept.note(of, of.seat) ?? of;
    this.#complain(note, deal, [{ code, about }]);
    this.kept.keep(note);
  }

  /** Handle the disappearance of the previous view's deal. Complain if the commitment was accepted and the page
   * stayed connected, but the server never requested the share.
   * @param {Protocol.WindowView} view @param {boolean} stayed */
  #miss({ match, you }, stayed) {
    const { deal } = this;
    if (!deal || you === null || match.phase === "over" || !stayed) return;
    const note = this.kept.note({ match: this.match, hand: deal.hand, attempt: deal.attempt }, you);
    if (!note?.mine || note.opened || deal.step === "dealt" || isDoubtful(note)) return;
    this.#complain(note, deal, [{ code: "deal-gone", about: you }]);
    this.kept.keep(note);
  }

  /** Record that the hand is being played, so that its deal is final. Complain if the page has never seen the deal,
   * unless the player may have arrived too late for it.
   * @param {Protocol.WindowView} view @param {number} you @param {boolean} stayed */
  #notePlayed(view, you, stayed) {
    const { match, deal, cards } = view;
    const hand = match.phase === "playing" ? match.hand : deal?.step === "dealt" ? deal.hand : null;
    if (hand === null || this.said.has(`played ${hand}`)) return;
    const note = this.#notes(you).findLast((each) => each.hand === hand && isShown(each));
    if (!note && !cards?.length) return;
    this.#first(`played ${hand}`);
    if (note) this.kept.keep({ ...note, played: true });
    const barred = this.barred.has(hand) || this.#wholeNote(hand, you).barred || this.#hasOtherSeat(hand, you);
    const hidden = barred && cards?.length && !note?.sent?.length;
    if (hidden || !note) this.#complainOfHand(view, you, hidden ? "seat-hidden" : stayed ? "never-shown" : "", hand);
  }

  /** Return whether this browser took part in the deal at another seat. @param {number} hand @param {number} you */
  #hasOtherSeat(hand, you) {
    return this.kept.notes(this.match).some((note) => note.hand === hand && note.seat !== you && note.sent?.length);
  }

  /** @param {string} match @param {Protocol.DealFacts} deal @param {number} seat @returns {Note} */
  #noteOf(match, { hand, attempt, server }, seat) {
    return this.kept.note({ match, hand, attempt }, seat) ?? {
      match, hand, attempt, seat, at: this.now(), server,
      mine: null, list: null, digest: null, opened: false, taken: false, complaints: [], sent: [],
    };
  }

  /** Return the commitment that the server shows for this seat if this browser made it, otherwise null.
   * @param {Note} note @param {Protocol.DealFacts} deal */
  #standing(note, deal) {
    return shownFor(note.seat, deal).find((each) => this.kept.share(note, note.seat, each) !== null) ?? null;
  }

  /** Return a doubt about a commitment that this browser did not make. It may be from another device.
   * @param {Note} note @param {Protocol.DealFacts} deal @returns {Doubt[]} */
  #strange(note, deal) {
    const strange = note.mine === null && shownFor(note.seat, deal).length > 0;
    return strange && !this.kept.owns(note.match, note.seat) ? [{ code: "not-yours", about: note.seat }] : [];
  }

  /** @param {number} seat */
  #notes(seat) {
    return this.kept.notes(this.match).filter((each) => each.seat === seat);
  }

  /** @param {Note} note @param {object} deal @param {Doubt[]} found */
  #complain(note, deal, found) {
    const fresh = found.filter(({ code, about }) => !note.complaints.some((old) => old.code === code && old.about === about));
    const complaints = fresh.map((each) => ({ ...each, at: this.now(), deal }));
    note.complaints.push(...complaints);
    if (fresh.length) this.complaints = [...this.complaints, ...complaints.map((complaint) => ({ note, complaint }))];
  }

  /** @param {Note} note @param {Protocol.DealFacts} deal */
  #commit(note, deal) {
    const { hand, attempt, seat } = note;
    // An accepted commitment that no longer counts was dropped with the seat, and the player is back.
    if (!this.#first(`commit ${hand} ${attempt}${note.mine ? " again" : ""}`)) return;
    const commitment = this.#drawn(note) ?? this.#draw(note);
    const message = /** @type {const} */ ({ type: "commit", hand, attempt, commitment });
    if (!this.sign) return this.#say(message, note, deal);
    return this.sign(signedText(note, seat, commitment)).then((signed) => this.#say({ ...message, ...signed }, this.kept.note(note, seat) ?? note, deal));
  }

  /** Return the commitment drawn earlier for this seat, perhaps by another page, or null. @param {Note} note */
  #drawn(note) {
    const sent = (note.sent ?? []).filter(({ type }) => type === "commit").map(({ hex }) => hex);
    return [note.mine, ...sent].find((each) => each && this.kept.share(note, note.seat, each) !== null);
  }

  /** @param {Note} note @returns {string} the commitment to a new share */
  #draw(note) {
    const share = this.draw();
    const commitment = shareCommitment(note, note.seat, share);
    this.kept.keepShare(note, note.seat, commitment, share);
    return commitment;
  }

  /** @param {Note} note @param {Protocol.DealFacts} deal @param {string} share */
  #open(note, deal, share) {
    const { hand, attempt, digest: list } = note;
    if (list === null || isDoubtful(note) || !this.#first(`open ${hand} ${attempt}`)) return;
    note.opened = true;
    this.#say({ type: "open", hand, attempt, list, share }, note, deal);
  }

  /** Return whether this key is new, and remember it. @param {string} what */
  #first(what) {
    const first = !this.said.has(what);
    this.said.add(what);
    return first;
  }

  /** Store a message in the note, and then send it.
   * @param {Part} message @param {Note} note @param {Protocol.DealFacts} deal */
  #say(message, note, deal) {
    const hex = message.type === "commit" ? message.commitment : message.list;
    const sent = { type: message.type, hex, at: this.now(), line: this.line.status(), reached: null, answer: null, answered: null, ...keyIn(message) };
    note.sent = [...(note.sent ?? []), sent];
    this.kept.keep(note);
    this.sending.push({ id: this.ask(message), note, deal, sent });
  }

  // Results of sent commitments and shares

  /** Update the result of a sent message in the stored note, and return the note. @param {Sending} sending @param {Partial<Sent>} news */
  #noteSent({ note, sent }, news) {
    Object.assign(sent, news);
    const kept = this.kept.note(note, note.seat) ?? note;
    const others = (kept.sent ?? []).filter(({ type, hex, at }) => type !== sent.type || hex !== sent.hex || at !== sent.at);
    return Object.assign(kept, { sent: [...others, sent] });
  }

  /** @param {Sending} sending @param {Note} note @param {string} code */
  #refused({ sent, deal }, note, code) {
    if (sent.type === "open" && UNFOUNDED.includes(code)) this.#complain(note, deal, [{ code: "refused", about: note.seat }]);
    if (sent.type === "commit" && isUnfounded(code, note, deal, this.#notes(note.seat))) this.#complain(note, deal, [{ code: "commit-refused", about: note.seat }]);
  }

  /** Complain about a sent message if its answer is overdue. Return whether it has to be checked
   * again. @param {Sending} sending */
  #judge(sending) {
    const { id, sent, note, deal } = sending;
    const reached = sent.answer === null && sent.reached === null && this.line.reached(id);
    if (reached) this.kept.keep(this.#noteSent(sending, { reached: this.now() }));
    const code = doubtOf(sent, standing(note, sent.type, this.deal), this.now());
    if (!code) return code !== null || sent.answer === null;
    const kept = this.#noteSent(sending, {});
    this.#complain(kept, this.deal ?? deal, [{ code, about: note.seat }]);
    this.kept.keep(kept);
    return sent.answer === null;
  }
}

/** Return the facts of a view that belong to the hand as a whole. @param {Protocol.WindowView} view */
function factsOf({ deal, match, you }) {
  return { ...deal, match: match.id, phase: match.phase, at_hand: match.hand, ...(you === null && { you }) };
}

/** @param {Part} message */
function keyIn(message) {
  return message.type === "commit" && message.key ? { key: message.key } : {};
}

/** Return whether this attempt has a fault, so that the share must not be opened. @param {Note} note */
function isDoubtful({ complaints }) {
  return complaints.some(({ code }) => !OF_BEFORE.includes(code));
}

/** @param {Note} note */
function isListed({ seat, mine, list }) {
  return list !== null && listed(list).some((entry) => entry.seat === seat && entry.commitment === mine);
}

/** Return the commitments that the server shows for a seat. More than one is a fault.
 * @param {number} seat @param {Protocol.DealFacts} deal @returns {string[]} */
function shownFor(seat, { mine, list }) {
  return [mine, list?.seats?.find((each) => each.seat === seat)?.commitment].flatMap((each) => each || []);
}
