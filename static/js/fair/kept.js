// Stores this browser's shares and its notes of what the server has shown about each deal. They are written to
// localStorage before anything is sent. If that is forbidden, they stay in memory until the page closes.

/** @import { Draw, List } from "./deal.js" */
/** @import { Sent } from "./sent.js" */

/**
 * @typedef {object} Complaint
 * @property {string} code one of those in doubts.js
 * @property {number|null} about the seat that it concerns
 * @property {string} at when, in ISO 8601
 * @property {object} deal the server's facts about the deal
 * @property {string} [owned] when the player said that another device of theirs was the reason
 */

/**
 * @typedef {Draw & {
 *   seat: number, at: string, server: string, mine: string|null, list: List|null, digest: string|null,
 *   opened: boolean, taken: boolean, complaints: Complaint[], sent?: Sent[], failures?: number, played?: boolean,
 *   barred?: string, receipt?: Protocol.Receipt|null,
 * }} Note what was seen of one attempt; of a hand of which none was shown, with the number 0. `server`: its commitment as first seen; `mine`: a commitment
 *   of this browser's that the server has acknowledged; `list` as first seen, and its `digest`;
 *   `opened`: the share was sent, to that digest alone; `taken`: the server has acknowledged it;
 *   `sent`: all that went out, none in notes of old; `failures`: in how many attempts of the hand
 *   this seat was listed and not open; `played`: this attempt was the last when the hand was seen in
 *   play; `barred`: when the server said, before the deal, that this player only watches or is out; `receipt`
 *   of that list, as it came
 */

const NOTE = "lastcard-deal";
const SHARE = "lastcard-share";
const OWNED = "lastcard-mine";
const SITE = "lastcard-site";
// Enough for an event and a year of practice.
const MOST = 600;
// Newer notes are never deleted, because a site could otherwise displace them with invented deals.
const KEEP_MS = 7 * 24 * 3600 * 1000;

/** @param {Draw} draw */
const place = ({ match, hand, attempt }) => `${match} ${hand} ${attempt}`;

export class Kept {
  /** @param {Storage} [storage] */
  constructor(storage) {
    this.storage = storage ?? own();
    /** @type {Map<string, string>} */
    this.memory = new Map();
  }

  /** Whether the notes outlive this page. */
  get lasting() {
    return this.storage !== null && this.memory.size === 0;
  }

  /** Return this browser's share for this commitment, or null if there is none.
   * @param {Draw} draw @param {number} seat @param {string} commitment @returns {string|null} */
  share(draw, seat, commitment) {
    return this.#read(`${SHARE} ${place(draw)} ${seat} ${commitment}`);
  }

  /** Store a share by its commitment, so that two windows cannot overwrite each other's shares.
   * @param {Draw} draw @param {number} seat @param {string} commitment @param {string} share */
  keepShare(draw, seat, commitment, share) {
    this.#write(`${SHARE} ${place(draw)} ${seat} ${commitment}`, share);
  }

  /** @param {Draw} draw @param {number} seat @returns {Note|null} */
  note(draw, seat) {
    return parse(this.#read(`${NOTE} ${place(draw)} ${seat}`));
  }

  /** @param {Note} note */
  keep(note) {
    this.#write(`${NOTE} ${place(note)} ${note.seat}`, JSON.stringify(note));
  }

  /** Return all notes of a match in order. @param {string} match @returns {Note[]} */
  notes(match) {
    const names = this.#names().filter((name) => name.startsWith(`${NOTE} ${match} `));
    const notes = names.flatMap((name) => parse(this.#read(name)) || []);
    return notes.sort((a, b) => a.hand - b.hand || a.attempt - b.attempt);
  }

  /** Whether the player has confirmed that shares not sent by this browser come from another device.
   * @param {string} match @param {number} seat */
  owns(match, seat) {
    return this.#read(`${OWNED} ${match} ${seat}`) !== null;
  }

  /** @param {string} match @param {number} seat @param {string} code of the complaints that have an honest reason @param {string} at */
  own(match, seat, code, at) {
    if (code === "not-yours") this.#write(`${OWNED} ${match} ${seat}`, at);
    for (const note of this.notes(match).filter((each) => each.seat === seat)) {
      for (const complaint of note.complaints) if (complaint.code === code) complaint.owned ??= at;
      this.keep(note);
    }
  }

  /** Return the public keys with which the site has signed receipts for this browser, oldest first.
   * @returns {{key: string, at: string}[]} */
  siteKeys() {
    return parse(this.#read(SITE)) ?? [];
  }

  /** @param {string} key @param {string} at */
  keepSiteKey(key, at) {
    this.#write(SITE, JSON.stringify([...this.siteKeys(), { key, at }]));
  }

  #names() {
    return [...new Set([...this.memory.keys(), ...namesIn(this.storage)])];
  }

  /** @param {string} name */
  #read(name) {
    return this.memory.get(name) ?? this.storage?.getItem(name) ?? null;
  }

  /** @param {string} name @param {string} text */
  #write(name, text) {
    if (this.storage && store(this.storage, name, text)) this.memory.delete(name);
    else this.memory.set(name, text);
  }
}

/** Store the text, and return whether there was room.
 * @param {Storage} storage @param {string} name @param {string} text */
function store(storage, name, text) {
  try {
    if (name.startsWith(`${NOTE} `) && storage.getItem(name) === null) makeRoom(storage, name.split(" ")[1]);
    storage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** If there are too many notes, delete the oldest with their shares, but none of this match or the last days.
 * @param {Storage} storage @param {string} match */
function makeRoom(storage, match) {
  const names = namesIn(storage).filter((name) => name.startsWith(`${NOTE} `));
  if (names.length < MOST) return;
  const dated = names.map((name) => ({ name, at: Date.parse(parse(storage.getItem(name))?.at) || 0 }));
  const old = dated.filter(({ name, at }) => at < Date.now() - KEEP_MS && !name.startsWith(`${NOTE} ${match} `));
  for (const { name } of old.sort((a, b) => a.at - b.at).slice(0, MOST / 2)) forget(storage, name.slice(NOTE.length));
}

/** @param {Storage} storage @param {string} suffix of the names: deal and seat */
function forget(storage, suffix) {
  const gone = namesIn(storage).filter((name) => name === NOTE + suffix || name.startsWith(`${SHARE}${suffix} `));
  for (const name of gone) storage.removeItem(name);
}

/** Parse the text. Return null if it is not valid JSON. @param {string|null} text @returns {any} */
function parse(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** Return this site's storage, or null if the browser forbids access. */
function own() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** @param {Storage|null} storage */
function namesIn(storage) {
  return Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? "");
}
