// What a card still needs before it can be sent, read off the actions that the server allows. Pure.

/** The choices that playing `card` leaves open.
 *
 * @param {Pick<Protocol.WindowView, "actions">} view all actions that are allowed now
 * @param {string} card
 * @returns {{colors: string[], seats: number[]}} empty lists where nothing is to be chosen
 */
export function choicesFor(view, card) {
  const plays = view.actions.filter((action) => action.play === card);
  return { colors: distinct(plays, "color"), seats: distinct(plays, "with") };
}

/** What to ask next for an action begun with a card: "color", "seat", or null when complete.
 * @param {Protocol.WindowView} view @param {Protocol.Action} action */
export function nextQuestion(view, action) {
  const { colors, seats } = choicesFor(view, action.play);
  if (colors.length && action.color === undefined) return "color";
  if (seats.length && action.with === undefined) return "seat";
  return null;
}

/** @template {"color"|"with"} K @param {Protocol.Action[]} actions @param {K} name @returns {any[]} */
function distinct(actions, name) {
  return [...new Set(actions.map((action) => action[name]).filter((value) => value !== undefined))];
}
