// Describes the table in words, for the menu and for text mode. Pure apart from card names.

import { cardName, colorNoun, exampleCard } from "./cards.js";
import { gettext, sentence } from "../text.js";

/** Return the commands of text mode with explanations. The example is a card of this deck. */
export function commands() {
  const card = exampleCard();
  const typed = { card: cardName(card).toLowerCase(), short: card.toLowerCase(), noun: colorNoun() };
  return [
    [gettext("play %(card)s, or %(short)s", typed), gettext("plays a card; “%(short)s uno” also says UNO; add a %(noun)s if the card needs one", typed)],
    [gettext("draw, pass, challenge"), gettext("do what the prompt offers")],
    [gettext("uno"), gettext("says UNO after you’ve played")],
    [gettext("catch Ben"), gettext("catches a player who forgot to say UNO")],
    [gettext("a %(noun)s", typed), gettext("answers when you’re asked for a %(noun)s; “cancel” takes the card back", typed)],
    [gettext("hand, top, counts, seen, clock, last, scores, turn, moves"), gettext("tell you about the table")],
    [gettext("help"), gettext("lists these commands")],
  ];
}

const TERM = {
  seen: gettext("Cards you’ve seen"), hand: gettext("Your cards"), top: gettext("Top card"), owed: gettext("Penalty"), counts: gettext("Cards in hand"),
  pile: gettext("Draw pile"), direction: gettext("Direction"), clock: gettext("Clock"), away: gettext("Away"),
  last: gettext("Last moves"), scores: gettext("Scores"),
};

/** Return the facts about the table, such as hand, top card and scores, as [term, text] pairs.
 * `times` contains the clock and the absent players in words.
 * @param {Protocol.WindowView} view @param {{clock: string|null, away: string|null}} times @param {Protocol.HeldCard[]} cards
 * @returns {string[][]} */
export function tableInWords(view, times, cards) {
  const counts = view.seats.filter(({ count }) => count !== null).map((seat) => `${seat.name} ${seat.count}${seat.seat === view.turn ? ` ${gettext("(turn)")}` : ""}`);
  /** @type {[string, string|null][]} */
  const lines = [
    [TERM.hand, cards.map(({ card, playable }) => cardName(card) + (playable ? ` ${gettext("(playable)")}` : "")).join(", ") || null],
    ...(view.open ?? []).map(({ seat, cards: held }) => /** @type {[string, string]} */ ([gettext("%(name)s’s cards", { name: view.seats[seat].name }), held.map(cardName).join(", ") || gettext("nothing")])),
    [TERM.seen, seenInWords(view)],
    [TERM.top, topInWords(view)],
    [TERM.owed, view.penalty ? gettext("%(name)s has to draw %(cards)s", { name: view.seats[view.penalty.seat].name, cards: view.penalty.cards }) : null],
    [TERM.counts, counts.join(", ") || null],
    [TERM.pile, view.draw_pile ? String(view.draw_pile) : null],
    [TERM.direction, view.direction === 1 ? gettext("clockwise") : gettext("anticlockwise")],
    [TERM.clock, times.clock],
    [TERM.away, times.away],
    [TERM.last, view.log.slice(-5).map((entry) => entry.text).join(" ") || null],
    [TERM.scores, scoresInWords(view)],
  ];
  return lines.flatMap(([term, text]) => (text === null ? [] : [[term, text]]));
}

/** List the cards that opponents have shown you and still hold.
 * @param {Protocol.WindowView} view */
function seenInWords({ seen = {}, seats }) {
  const told = Object.entries(seen).filter(([, cards]) => cards.length).map(([seat, cards]) => `${seats[Number(seat)].name}: ${cards.map(cardName).join(", ")}`);
  return told.join("; ") || null;
}

/** @param {Protocol.WindowView} view */
function topInWords(view) {
  const color = view.colors?.find((each) => each.color === view.color)?.name;
  return view.top ? (color ? gettext("%(card)s, %(noun)s %(color)s", { card: cardName(view.top), noun: colorNoun(), color }) : cardName(view.top)) : null;
}

/** @param {Protocol.WindowView} view */
function scoresInWords({ seats, match }) {
  const scores = seats.map((seat) => `${seat.name} ${seat.score}`).join(", ");
  if (!match.target) return scores;
  return gettext("%(scores)s. Target %(target)s", { scores, target: match.target });
}

/** @type {Record<string, string[]>} */
const TERMS = {
  hand: [TERM.hand], top: [TERM.top, TERM.owed, TERM.direction], counts: [TERM.counts, TERM.pile, TERM.seen], seen: [TERM.seen],
  clock: [TERM.clock, TERM.away], last: [TERM.last], scores: [TERM.scores],
};
/** @type {Record<string, string>} */
const NOTHING = {
  hand: gettext("You have no cards."), top: gettext("There’s no card on the table."),
  seen: gettext("You haven’t seen anyone’s cards."), clock: gettext("No clock is running."), last: gettext("Nothing has happened yet."),
};

/** Return the answer to a typed question (see commands.js) as one paragraph.
 * @param {string} ask @param {Protocol.WindowView} view @param {{clock: string|null, away: string|null}} times @param {Protocol.HeldCard[]} cards
 */
export function answerInWords(ask, view, times, cards) {
  if (ask === "help") return commands().map(([say, does]) => sentence(`${say}: ${does}`)).join(" ");
  if (ask === "turn") return view.prompt;
  if (ask === "moves") return movesOf(view).map((move) => moveName(move, view)).join(", ") || view.prompt;
  const told = tableInWords(view, times, cards).filter(([term]) => TERMS[ask].includes(term));
  return told.map(([term, text]) => sentence(`${term}: ${text}`)).join(" ") || NOTHING[ask];
}

/** Return the possible moves. A card that requires a choice appears once, because the choice follows.
 * @param {Protocol.WindowView} view */
export function movesOf(view) {
  /** @type {Map<string, Protocol.Action>} */
  const moves = new Map();
  for (const action of view.actions ?? []) {
    const { play, uno } = action;
    const move = play === undefined ? action : uno ? { play, uno } : { play };
    moves.set(JSON.stringify(move), move);
  }
  return [...moves.values()];
}

/** @param {Protocol.Action} move @param {Protocol.WindowView} view */
export function moveName(move, view) {
  if (move.play) return playName(move);
  if (move.choose) return gettext("Choose %(color)s", { color: view.colors.find(({ color }) => color === move.choose)?.name ?? "" });
  if (move.catch !== undefined) return gettext("Catch %(name)s", { name: view.seats[move.catch].name });
  if (move.draw) return view.draw_label;
  if (move.pass) return gettext("Pass");
  return move.challenge ? gettext("Challenge") : gettext("Say UNO");
}

/** @param {Protocol.Play} move */
function playName({ play, uno }) {
  const card = cardName(play);
  return uno ? gettext("Play %(card)s and say UNO", { card }) : gettext("Play %(card)s", { card });
}
