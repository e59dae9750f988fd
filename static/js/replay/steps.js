// Which step of a replay is shown. Pure.

/** The step that an address asks for, within 0 and `last`; 0 when it asks for none.
 * @param {string} search @param {number} last */
export function stepOf(search, last) {
  const wanted = Number.parseInt(new URLSearchParams(search).get("step") ?? "0", 10);
  return clamp(Number.isNaN(wanted) ? 0 : wanted, last);
}

/** The step after a key press, or null when the key means nothing here.
 * @param {string} key @param {number} step @param {number} last */
export function stepAfter(key, step, last) {
  const wanted = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last }[key];
  return wanted === undefined ? null : clamp(wanted, last);
}

/** Milliseconds that a step stays at a speed: a sentence has to be read meanwhile.
 * @param {number} speed */
export function stepTime(speed) {
  return 1800 / speed;
}

/** Whether the address asks to mark what could have been played.
 * @param {string} search */
export function marksCould(search) {
  return new URLSearchParams(search).get("could") === "1";
}

/** The address of a step, to be kept or sent to somebody.
 * @param {number} step @param {boolean} could */
export function addressOf(step, could) {
  return `?step=${step}${could ? "&could=1" : ""}`;
}

/** @param {number} step @param {number} last */
export function clamp(step, last) {
  return Math.max(0, Math.min(last, step));
}

/** The cards of a hand that were not there one step before, by position.
 * @param {string[]} cards @param {string[]} before */
export function freshCards(cards, before) {
  const left = [...before];
  return cards.map((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
