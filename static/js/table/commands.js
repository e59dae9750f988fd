// What a line typed in text mode means: an action, a question about the table, or neither. Pure.
// It compares words with the names of what the view holds; whether a move is allowed is not
// decided here but read off `view.actions`, and in the end by the server.

import { either, gettext } from "../text.js";

/**
 * @typedef {{action?: any, ask?: string, cancel?: true, sorry?: string}} Meaning one of them
 */

const ASKS = {
  hand: "hand", cards: "hand", top: "top", color: "top", colour: "top", counts: "counts", count: "counts",
  clock: "clock", time: "clock", last: "last", log: "last", scores: "scores", score: "scores",
  turn: "turn", moves: "moves", help: "help", "?": "help",
};
const PLAIN = { draw: "draw", d: "draw", take: "draw", pass: "pass", keep: "pass", challenge: "challenge" };
const FILLERS = new Set(["play", "and", "say", "name", "naming", "call", "of", "the", "a", "an", "i", "please", "colour", "color"]);
const SAID = "uno ocho".split(" ");
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** @returns {Meaning} what `text` means for this view.
 * @param {string} text
 * @param {{view: Protocol.WindowView, asking: any, names: Object<string, string>}} table `asking` is
 *   the begun action that waits for a colour or seat; `names` are those of all cards by notation */
export function understand(text, { view, asking, names }) {
  const words = wordsOf(text);
  const [first, ...rest] = words;
  if (!first) return { sorry: gettext("Type a command. Say “help” for the list.") };
  if (first === "cancel") return { cancel: true };
  if (ASKS[first] && !rest.length) return { ask: ASKS[first] };
  if (first === "uno" && !rest.length) return uno(view);
  if (first === "catch") return catching(rest, view);
  if (asking || view.may?.choose) return answer(words, view, asking?.action);
  if (PLAIN[first] && !rest.length) return plain(PLAIN[first], view);
  return playing(words, view, names);
}

/** @param {string} text */
function wordsOf(text) {
  const words = text.toLowerCase().replace(/[^\p{L}\p{N}+? ]+/gu, " ").split(" ");
  return words.filter(Boolean).map((word) => (NUMBERS.includes(word) ? String(NUMBERS.indexOf(word)) : word));
}

/** @param {Protocol.WindowView} view */
function notNow(view) {
  return { sorry: `${gettext("That is not possible now.")} ${view.prompt}` };
}

/** @param {"draw"|"pass"|"challenge"} verb @param {Protocol.WindowView} view */
function plain(verb, view) {
  return view.may?.[verb] ? { action: { [verb]: true } } : notNow(view);
}

/** @param {Protocol.WindowView} view */
function uno(view) {
  if (view.may?.call) return { action: { call: true } };
  const how = view.may?.uno ? ` ${gettext("Say it with your card, as in “play red 7 uno”.")}` : "";
  return { sorry: gettext("UNO cannot be said now.") + how };
}

/** @param {string[]} words @param {Protocol.WindowView} view */
function catching(words, view) {
  const open = (view.may?.catch ?? []).map((seat) => view.seats[seat]);
  const meant = words.length ? open.filter((seat) => called(seat, words)) : open;
  const exactly = meant.filter((seat) => wordsOf(seat.name).length === words.length);
  const found = exactly.length === 1 ? exactly : meant;
  if (found.length === 1) return { action: { catch: found[0].seat } };
  if (!open.length) return { sorry: gettext("Nobody can be caught now.") };
  return { sorry: gettext("Catch whom? Now it can be %(names)s.", { names: either(open.map((seat) => seat.name)) }) };
}

/** Whether the words are the beginning of each part of a seat's name, in order.
 * @param {Protocol.Seat} seat @param {string[]} words */
function called(seat, words) {
  const name = wordsOf(seat.name);
  return words.length > 0 && words.every((word, i) => name[i]?.startsWith(word));
}

/** @param {string} word @param {Protocol.WindowView} view */
function colorOf(word, view) {
  return view.colors.find(({ color, name }) => word === name || word === color.toLowerCase())?.color;
}

/** The colour or seat that was asked for.
 * @param {string[]} words @param {Protocol.WindowView} view @param {any} action */
function answer(words, view, action) {
  const said = words.filter((word) => !FILLERS.has(word));
  const color = said.length === 1 && colorOf(said[0], view);
  if (color) return { action: action ? { ...action, color } : { choose: color } };
  const seat = action && view.seats.find((each) => each.seat !== view.you && called(each, said));
  if (seat) return { action: { ...action, with: seat.seat } };
  const colors = either(view.colors.map(({ name }) => name));
  return { sorry: action ? gettext("First choose: %(colors)s or cancel.", { colors }) : gettext("First choose: %(colors)s.", { colors }) };
}

/** @param {string[]} words @param {Protocol.WindowView} view @param {Record<string, string>} names */
function playing(words, view, names) {
  const extras = {};
  for (const extra of SAID) if (words.includes(extra)) extras[extra] = true;
  const at = words.indexOf("with");
  const said = (at < 0 ? words : words.slice(0, at)).filter((word) => !FILLERS.has(word) && !(word in extras));
  const held = [...new Set((view.cards ?? []).map(({ card }) => card))];
  const found = named(said, held, view, names) ?? hinted(words, said, view, names);
  if (!found) return unknown(said, view, names);
  if ("sorry" in found) return found;
  return begun({ play: found.card, ...(found.color && { color: found.color }), ...extras }, words.slice(at + 1), at >= 0, view, names);
}

/** A card said in full, perhaps with a colour after it: {card, color} or undefined.
 * @param {string[]} said @param {string[]} cards @param {Protocol.WindowView} view @param {Record<string, string>} names */
function named(said, cards, view, names) {
  for (const card of cards)
    for (const form of forms(card, view, names)) {
      const left = said.slice(form.length);
      if (!form.every((word, i) => said[i] === word) || left.length > 1) continue;
      const color = left.length ? colorOf(left[0], view) : "";
      if (color !== undefined) return { card, color };
    }
  return undefined;
}

/** The ways to say a card: its name, its notation, its colour and its sign.
 * @param {string} card @param {Protocol.WindowView} view @param {Record<string, string>} names */
function forms(card, view, names) {
  const notation = card.toLowerCase();
  const color = view.colors.find((each) => card.length > 1 && card.startsWith(each.color));
  const sign = color ? [[color.name, notation.slice(1)], [notation[0], notation.slice(1)]] : [];
  return [nameWords(names[card]), [notation], ...sign];
}

/** @param {string} name */
function nameWords(name) {
  return wordsOf(name).filter((word) => !FILLERS.has(word));
}

/** A card said in part: the only one that can be played, else a question back.
 * @param {string[]} words @param {string[]} said @param {Protocol.WindowView} view @param {Record<string, string>} names */
function hinted(words, said, view, names) {
  if (!said.length || (words[0] !== "play" && said.every((word) => colorOf(word, view)))) return undefined;
  const like = (card) => said.every((word) => nameWords(names[card]).includes(word));
  const found = [...new Set((view.cards ?? []).map(({ card }) => card))].filter(like);
  const playable = found.filter((card) => view.cards.some((each) => each.card === card && each.playable));
  const open = playable.length ? playable : found;
  if (open.length < 2) return open.length ? { card: open[0], color: "" } : undefined;
  return { sorry: gettext("Which one: %(cards)s?", { cards: either(open.map((card) => names[card])) }) };
}

/** @param {string[]} said @param {Protocol.WindowView} view @param {Record<string, string>} names */
function unknown(said, view, names) {
  const other = named(said, Object.keys(names), view, names);
  if (other) return { sorry: gettext("You do not hold %(card)s.", { card: names[other.card] }) };
  return { sorry: gettext("I do not understand “%(words)s”. Say “help” for the commands.", { words: said.join(" ") }) };
}

/** @param {any} action @param {string[]} name @param {boolean} swaps @param {Protocol.WindowView} view @param {Record<string, string>} names */
function begun(action, name, swaps, view, names) {
  const plays = view.actions.filter((each) => each.play === action.play);
  if (!plays.length) return refused(action.play, view);
  if (action.color && !plays.some((each) => each.color === action.color))
    return { sorry: gettext("%(card)s takes no colour. Say “play %(card)s”.", { card: names[action.play] }) };
  if (!swaps) return { action };
  const seat = view.seats.find((each) => called(each, name) && plays.some((play) => play.with === each.seat));
  return seat ? { action: { ...action, with: seat.seat } } : { sorry: gettext("Nobody of that name can be chosen.") };
}

/** @param {string} card @param {Protocol.WindowView} view */
function refused(card, view) {
  const held = view.cards.find((each) => each.card === card);
  return { sorry: held.why || view.prompt };
}
