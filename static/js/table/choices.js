// Finds out what has to be chosen before a card can be played, from the actions that the server allows. Pure.

/** Return the choices that playing `card` leaves open.
 * @param {Pick<Protocol.WindowView, "actions">} view all actions that are allowed now
 * @param {string} [card]
 * @returns {{colors: string[], seats: number[]}} empty lists where nothing is to be chosen */
export function choicesFor(view, card) {
  const plays = view.actions.filter((action) => action.play === card);
  return { colors: distinct(plays.map(({ color }) => color)), seats: distinct(plays.map((play) => play.with)) };
}

/** Return what to ask next for an action begun with a card: "color", "seat", or null when it is complete.
 * @param {Protocol.WindowView} view @param {Protocol.Action} action */
export function nextQuestion(view, action) {
  const { colors, seats } = choicesFor(view, action.play);
  if (colors.length && action.color === undefined) return "color";
  if (seats.length && action.with === undefined) return "seat";
  return null;
}

/** @template T @param {(T|undefined)[]} values @returns {T[]} */
function distinct(values) {
  return [...new Set(values)].filter((value) => value !== undefined);
}
