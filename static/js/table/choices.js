// Derives the choices that a card requires from the actions that the server allows. Pure.

/** Return the colours and seats that can be chosen when `card` is played.
 * @param {Pick<Protocol.WindowView, "actions">} view all actions that are allowed now
 * @param {string} [card]
 * @returns {{colors: string[], seats: number[]}} empty lists if there is no choice */
export function choicesFor(view, card) {
  const plays = view.actions.filter((action) => action.play === card);
  return { colors: distinct(plays.map(({ color }) => color)), seats: distinct(plays.map((play) => play.with)) };
}

/** Return the next choice that an incomplete action needs: "color", "seat", or null if the action is complete.
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
