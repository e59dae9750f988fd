// This player's part in the deals: a share is drawn and committed to as soon as a deal is begun, and
// opened to the one list that has it. What does not fit is kept and told; play is never held up.

import { listed, newShare, shareCommitment } from "../fair/deal.js";
import { doubts } from "../fair/doubts.js";
import { isPlayer } from "./store.js";

/** @import { Complaint, Kept, Note } from "../fair/kept.js" */
/** @import { Doubt } from "../fair/doubts.js" */
/** @typedef {{type: "commit", hand: number, attempt: number, commitment: string}
 *   | {type: "open", hand: number, attempt: number, list: string, share: string}} Part */

// Wrong with attempts before: this one's list is as good as any, and to stay away from it would be
// to leave its deal to the server.
const OF_BEFORE = ["attempt-hidden", "void-wrong", "called-late"];
// Refusals of a share that this browser knows to fit.
const UNFOUNDED = ["other-list", "wrong-share", "not-listed"];

export class Shares {
  /**
   * @param {object} options
   * @param {string} options.match
   * @param {Kept} options.kept
   * @param {(message: Part) => string} options.ask sends until it is answered; the message's id
   * @param {() => string} [options.now] in ISO 8601
   * @param {() => string} [options.draw] a new share, in hex
   */
  constructor({ match, kept, ask, now = () => new Date().toISOString(), draw = newShare }) {
    this.kept = kept;
    this.ask = ask;
    this.now = now;
    this.draw = draw;
    /** @type {Map<string, {note: Note, message: Part, deal: Protocol.DealFacts}>} by the message's id */
    this.waiting = new Map();
    /** @type {Set<string>} what this page has said */
    this.said = new Set();
    /** What does not fit, of the whole match; another list whenever there is more.
     * @type {{note: Note, complaint: Complaint}[]} */
    this.complaints = kept.notes(match).flatMap((note) => note.complaints.map((complaint) => ({ note, complaint })));
    /** Whether the share that stands for this seat was drawn in another browser. */
    this.elsewhere = false;
  }

  /** A view has come: answer what its deal asks for, and note what is wrong with it.
   * @param {Protocol.WindowView} view */
  hear(view) {
    const { deal } = view;
    this.elsewhere = false;
    if (!deal || !isPlayer(view)) return;
    const { you } = view;
    const note = this.#noteOf(view.match.id, deal, you);
    note.mine ??= this.#standing(note, deal);
    const share = note.mine && this.kept.share(note, you, note.mine);
    this.elsewhere = Boolean(deal.mine && this.kept.share(note, you, deal.mine) === null);
    this.#complain(note, deal, doubts(note, deal, this.#before(note), share));
    if (deal.list && !isDoubtful(note)) Object.assign(note, { list: deal.list, digest: deal.digest });
    this.kept.keep(note);
    if (deal.step === "commit" && !deal.mine && !view.seats[you].out) this.#commit(note, deal);
    if (deal.step === "open" && share && isListed(note) && !deal.opened.includes(you)) this.#open(note, deal, share);
  }

  /** An answer of the server's; whether it was to a message from here.
   * @param {Protocol.ServerMessage} message */
  answered({ type, id, code }) {
    const sent = id ? this.waiting.get(id) : undefined;
    if (!id || !sent || code === "unavailable") return Boolean(sent);
    this.waiting.delete(id);
    const { message, deal } = sent;
    const note = this.kept.note(sent.note, sent.note.seat) ?? sent.note;
    if (type === "ack") Object.assign(note, message.type === "commit" ? { mine: message.commitment } : { taken: true });
    else if (message.type === "open" && UNFOUNDED.includes(code ?? "")) this.#complain(note, deal, [{ code: "refused", about: note.seat }]);
    this.kept.keep(note);
    return true;
  }

  /** @param {string} match @param {Protocol.DealFacts} deal @param {number} seat @returns {Note} */
  #noteOf(match, { hand, attempt, server }, seat) {
    return this.kept.note({ match, hand, attempt }, seat) ?? {
      match, hand, attempt, seat, at: this.now(), server,
      mine: null, list: null, digest: null, opened: false, taken: false, complaints: [],
    };
  }

  /** The commitment that the server shows for this seat, where it is one of this browser's.
   * @param {Note} note @param {Protocol.DealFacts} deal */
  #standing(note, { mine, list }) {
    const shown = [mine, list?.seats?.find(({ seat }) => seat === note.seat)?.commitment];
    return shown.find((each) => each && this.kept.share(note, note.seat, each) !== null) ?? null;
  }

  /** @param {Note} note */
  #before({ match, hand, attempt, seat }) {
    return this.kept.notes(match).filter((each) => each.hand === hand && each.seat === seat && each.attempt < attempt);
  }

  /** @param {Note} note @param {Protocol.DealFacts} deal @param {Doubt[]} found */
  #complain(note, deal, found) {
    const fresh = found.filter(({ code, about }) => !note.complaints.some((old) => old.code === code && old.about === about));
    const complaints = fresh.map((each) => ({ ...each, at: this.now(), deal }));
    note.complaints.push(...complaints);
    if (fresh.length) this.complaints = [...this.complaints, ...complaints.map((complaint) => ({ note, complaint }))];
  }

  /** @param {Note} note @param {Protocol.DealFacts} deal */
  #commit(note, deal) {
    const { hand, attempt, seat } = note;
    if (!this.#first(`commit ${hand} ${attempt}`)) return;
    const share = this.draw();
    const commitment = shareCommitment(note, seat, share);
    this.kept.keepShare(note, seat, commitment, share);
    this.#say({ type: "commit", hand, attempt, commitment }, note, deal);
  }

  /** @param {Note} note @param {Protocol.DealFacts} deal @param {string} share */
  #open(note, deal, share) {
    const { hand, attempt, digest: list } = note;
    if (list === null || isDoubtful(note) || !this.#first(`open ${hand} ${attempt}`)) return;
    this.kept.keep({ ...note, opened: true });
    this.#say({ type: "open", hand, attempt, list, share }, note, deal);
  }

  /** Whether this page says it for the first time; what is unanswered is sent again elsewhere.
   * @param {string} what */
  #first(what) {
    const first = !this.said.has(what);
    this.said.add(what);
    return first;
  }

  /** @param {Part} message @param {Note} note @param {Protocol.DealFacts} deal */
  #say(message, note, deal) {
    this.waiting.set(this.ask(message), { message, note, deal });
  }
}

/** Whether anything is wrong with this very attempt, so that nothing is opened to it.
 * @param {Note} note */
function isDoubtful({ complaints }) {
  return complaints.some(({ code }) => !OF_BEFORE.includes(code));
}

/** @param {Note} note */
function isListed({ seat, mine, list }) {
  return list !== null && listed(list).some((entry) => entry.seat === seat && entry.commitment === mine);
}
