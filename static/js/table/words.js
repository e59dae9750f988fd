// The table in words: what the menu lists and what text mode answers. Pure but for card names.

import { cardName } from "./cards.js";

export const COMMANDS = [
  ["play red 7, or r7", "plays a card; “r7 uno” says UNO with it, “wild green” names the colour"],
  ["draw, pass, challenge", "do what the prompt offers"],
  ["uno", "says UNO after the play"],
  ["catch Ben", "catches somebody who forgot to say UNO"],
  ["green", "answers when a colour is asked for; “cancel” takes the card back"],
  ["hand, top, counts, clock, last, scores, turn, moves", "tell about the table"],
  ["help", "tells these commands"],
];

/** Hand, top card, colour, counts, clock, last moves and scores as [term, text] pairs; `times` are
 * in words: {clock, away}. */
export function tableInWords(view, times, cards) {
  const counts = view.seats.filter(({ count }) => count !== null).map((seat) => `${seat.name} ${seat.count}${seat.seat === view.turn ? " (turn)" : ""}`);
  return [
    ["Your cards", cards.map(({ card, playable }) => cardName(card) + (playable ? " (playable)" : "")).join(", ") || null],
    ...(view.open ?? []).map(({ seat, cards: held }) => [`${view.seats[seat].name} holds`, held.map(cardName).join(", ") || "nothing"]),
    ["Top card", topInWords(view)],
    ["Owed", view.penalty ? `${view.seats[view.penalty.seat].name} owes ${view.penalty.cards}` : null],
    ["Cards held", counts.join(", ") || null],
    ["Draw pile", view.draw_pile ? String(view.draw_pile) : null],
    ["Play goes", view.direction === 1 ? "clockwise" : "anticlockwise"],
    ["Clock", times.clock],
    ["Away", times.away],
    ["Last moves", view.log.slice(-5).map((entry) => entry.text).join(" ") || null],
    ["Scores", `${view.seats.map((seat) => `${seat.name} ${seat.score}`).join(", ")}. Target ${view.match.target}`],
  ].filter(([, text]) => text !== null);
}

function topInWords(view) {
  const color = view.colors?.find((each) => each.color === view.color)?.name;
  return view.top ? `${cardName(view.top)}${color ? `, colour ${color}` : ""}` : null;
}

const TERMS = {
  hand: ["Your cards"], top: ["Top card", "Owed", "Play goes"], counts: ["Cards held", "Draw pile"],
  clock: ["Clock", "Away"], last: ["Last moves"], scores: ["Scores"],
};
const NOTHING = { hand: "You hold no cards.", top: "No card lies on the table.", clock: "No clock is running.", last: "Nothing has happened yet." };

/** The answer to a question of commands.js, as one paragraph. */
export function answerInWords(ask, view, times, cards) {
  if (ask === "help") return COMMANDS.map(([say, does]) => `${say}: ${does}.`).join(" ");
  if (ask === "turn") return view.prompt;
  if (ask === "moves") return movesOf(view).map((move) => moveName(move, view)).join(", ") || view.prompt;
  const told = tableInWords(view, times, cards).filter(([term]) => TERMS[ask].includes(term));
  return told.map(([term, text]) => `${term}: ${text.replace(/\.$/, "")}.`).join(" ") || NOTHING[ask];
}

/** What may be done now, a card with a choice once: the choice is asked for afterwards. */
export function movesOf(view) {
  const moves = new Map();
  for (const { play, uno, ...rest } of view.actions ?? []) {
    const move = play === undefined ? rest : uno ? { play, uno } : { play };
    moves.set(JSON.stringify(move), move);
  }
  return [...moves.values()];
}

export function moveName(move, view) {
  if (move.play) return `Play ${cardName(move.play)}${move.uno ? " and say UNO" : ""}`;
  if (move.choose) return `Choose ${view.colors.find(({ color }) => color === move.choose).name}`;
  if (move.catch !== undefined) return `Catch ${view.seats[move.catch].name}`;
  if (move.draw) return view.draw_label;
  return { pass: "Pass", challenge: "Challenge", call: "Say UNO" }[Object.keys(move)[0]];
}
