// Announcements for screen readers. Log lines are announced politely and in order. Your turn, a catch and a pause
// interrupt them.

import { inSeconds, isAway } from "./clock.js";
import { isPlayer, myTurn } from "./store.js";
import { gettext, ngettext } from "../text.js";

/** @import { RunningClock } from "./clock.js" */
/** @import { State } from "./store.js" */

const MERGE_MS = 250;
const WARNINGS = [10, 5];

/** @param {{polite: (text: string) => void, urgent: (text: string) => void}} write adds a new
 * element to a live region with each call, so that repeated texts are read again
 * @param {() => boolean} inOrder returns whether announcements are also displayed as text, and
 * therefore have to stay in order */
export function makeSpeech(write, inOrder = () => false) {
  /** @type {number|null} */
  let heard = null;
  let said = "";
  let warned = Infinity;
  let banked = false;
  /** @type {string[]} */
  let waiting = [];
  /** Seats whose players are away. @type {Set<number>|null} */
  let away = null;
  /** Seats whose players have not arrived yet. @type {Set<number>} */
  let awaited = new Set();

  /** Return the waiting sentences as one text, and clear them. */
  function gathered() {
    const text = waiting.join(" ");
    waiting = [];
    return text;
  }

  function flush() {
    const text = gathered();
    if (text) write.polite(text);
  }

  /** Announce something urgent after the waiting sentences that led to it.
   * @param {string} urgent @param {boolean} alone without the waiting sentences, as for a pause */
  function tell(urgent, alone) {
    if (!urgent || alone) return write.urgent(urgent);
    const text = [gathered(), urgent].filter(Boolean).join(" ");
    if (!inOrder() || text === urgent) return write.urgent(text);
    if (said) write.urgent("");
    return write.polite(text);
  }

  // Announcements are merged, because screen readers may drop one that is quickly followed by another.
  /** @param {string} text */
  function say(text) {
    if (!waiting.length) setTimeout(flush, MERGE_MS);
    waiting.push(text);
  }

  return {
    say,
    /** Announce something less important, after a delay. @param {string} text */
    aside: (text) => void setTimeout(() => write.polite(text), MERGE_MS),
    /** Announce the answer to a player's question immediately. */
    answer: write.polite,
    /** @param {State} state */
    show({ view }) {
      const gone = new Set(view.seats.filter(isAway).map(({ seat }) => seat));
      describePresenceChanges(away ?? gone, gone, awaited, view).forEach(say);
      away = gone;
      awaited = new Set(view.seats.filter((seat) => isAway(seat) && seat.gone_seconds === null).map(({ seat }) => seat));
      const last = view.log.at(-1)?.n ?? 0;
      const before = heard ?? Infinity;
      for (const entry of view.log.filter(({ n }) => n > before)) say(entry.text);
      heard = Math.max(heard ?? 0, last);
      const urgent = urgentText(view);
      if (urgent !== said) tell(urgent, view.match.paused);
      said = urgent;
    },
    /** Announce the catch and its consequence. @param {Protocol.WindowView} view */
    caught(view) {
      tell(`${gettext("You’ve been caught!")} ${urgentText(view)}`.trim(), false);
    },
    /** Announce the last 10 and 5 seconds before the table acts for you, and the start of your time bank. Pass null
     * unless your clock is running.
     * @param {RunningClock|null} clock @returns {void} */
    clock(clock) {
      if (!clock) return void ([warned, banked] = [Infinity, false]);
      const seconds = inSeconds(clock.until);
      if (clock.inBank && !banked && seconds > WARNINGS[0]) say(ngettext("You’re using your time bank: %(count)s second.", "You’re using your time bank: %(count)s seconds.", seconds));
      banked = clock.inBank;
      const mark = WARNINGS.find((each) => seconds <= each && warned > each && seconds > each - 3);
      if (mark) say(ngettext("%(count)s second left.", "%(count)s seconds left.", mark));
      warned = mark ?? (seconds > WARNINGS[0] ? Infinity : warned);
    },
  };
}

/** Return sentences about opponents who left, arrived or returned.
 * @param {Set<number>} before seats that were away @param {Set<number>} now @param {Set<number>} awaited seats whose players had never arrived
 * @param {Protocol.WindowView} view */
function describePresenceChanges(before, now, awaited, { seats, you }) {
  const changed = seats.filter(({ seat }) => seat !== you && now.has(seat) !== before.has(seat));
  return changed.map(({ seat, name }) => {
    if (now.has(seat)) return gettext("%(name)s is away.", { name });
    return awaited.has(seat) ? gettext("%(name)s is here.", { name }) : gettext("%(name)s is back.", { name });
  });
}

/** Return a function that adds texts to a live region as separate elements and keeps only the last ones.
 * @param {HTMLElement} root @param {number} kept */
export function makeSink(root, kept) {
  return (/** @type {string} */ text) => {
    if (text) root.append(Object.assign(document.createElement("p"), { textContent: text }));
    while (root.children.length > (text ? kept : 0)) root.firstElementChild?.remove();
    root.scrollTop = root.scrollHeight;
  };
}

/** @param {Protocol.WindowView} view */
export function urgentText(view) {
  if (view.match.paused) return gettext("The table is paused.");
  return isPlayer(view) && (myTurn(view) || view.may?.call) ? view.prompt : "";
}
