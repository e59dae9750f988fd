// Parses a line typed in text mode into an action, a question about the table or an error message. Pure. Names come
// from the view. `view.actions` lists the allowed moves, and the server has the last word.

import { either, gettext, pgettext } from "../text.js";

/**
 * @typedef {{action?: Protocol.Action, ask?: string, cancel?: true, sorry?: string}} Meaning
 * exactly one of these
 */
/** @typedef {"draw"|"pass"|"challenge"} Plain an action that is a single word */

// Words for the commands, with synonyms separated by spaces. Translations may have any number of synonyms. The help
// texts use the same words.
/** @param {Record<string, string>} words by meaning @returns {Map<string, string>} meanings by word */
const byWord = (words) => new Map(Object.entries(words).flatMap(([means, said]) => composed(said).split(" ").map((word) => [word, means])));
const ASKS = byWord({
  hand: pgettext("typed command", "hand cards"), top: pgettext("typed command", "top color colour"),
  counts: pgettext("typed command", "counts count"), clock: pgettext("typed command", "clock time"),
  last: pgettext("typed command", "last log"), scores: pgettext("typed command", "scores score"),
  turn: pgettext("typed command", "turn"), moves: pgettext("typed command", "moves"), seen: pgettext("typed command", "seen"), help: pgettext("typed command", "help ?"),
});
const VERBS = byWord({
  draw: pgettext("typed command", "draw d take"), pass: pgettext("typed command", "pass keep"),
  challenge: pgettext("typed command", "challenge"), catch: pgettext("typed command", "catch"), cancel: pgettext("typed command", "cancel"),
  play: pgettext("typed command", "play"), with: pgettext("typed command", "with"),
});
const CALLS = byWord({ uno: pgettext("typed command", "uno"), ocho: pgettext("typed command", "ocho") });
/** @type {Record<Plain, Protocol.Action>} */
const PLAIN = { draw: { draw: true }, pass: { pass: true }, challenge: { challenge: true } };
const FILLERS = new Set(composed(pgettext("words that mean nothing in a typed command", "and say name naming call of the a an i please colour color")).split(" "));
const NUMBERS = composed(pgettext("numbers from 0", "zero one two three four five six seven eight nine ten")).split(" ");

/** Return the meaning of `text` in this view. @returns {Meaning}
 * @param {string} text
 * @param {{view: Protocol.WindowView, asking: {action: Protocol.Play}|null, deck: Protocol.DeckFacts}} table `asking` is
 *   the begun action that waits for a colour or seat; what a card is called, only the deck is asked */
export function understand(text, { view, asking, deck }) {
  const words = wordsOf(text);
  const [first, ...rest] = words;
  if (!first) return { sorry: gettext("Type a command, or “help” for a list.") };
  const verb = VERBS.get(first);
  if (verb === "cancel") return { cancel: true };
  const ask = ASKS.get(first);
  if (ask && !rest.length) return { ask };
  if (CALLS.get(first) === "uno" && !rest.length) return uno(view, deck);
  if (verb === "catch") return catching(rest, view);
  if (asking || view.may?.choose) return answer(words, view, asking?.action);
  if (isPlain(verb) && !rest.length) return plain(verb, view);
  return playing(words, view, deck);
}

/** Return the text in a Unicode normal form, because keyboards encode letters with marks
 * differently. @param {string} text */
function composed(text) {
  return text.normalize("NFC");
}

/** @param {string} text */
function wordsOf(text) {
  const words = composed(text).toLowerCase().replace(/[^\p{L}\p{M}\p{N}+? ]+/gu, " ").split(" ");
  return words.filter(Boolean).map((word) => (NUMBERS.includes(word) ? String(NUMBERS.indexOf(word)) : word));
}

/** @param {Protocol.WindowView} view */
function notNow(view) {
  return { sorry: `${gettext("You can’t do that now.")} ${view.prompt}` };
}

/** @param {string|undefined} verb @returns {verb is Plain} */
function isPlain(verb) {
  return verb !== undefined && verb in PLAIN;
}

/** @param {Plain} verb @param {Protocol.WindowView} view @returns {Meaning} */
function plain(verb, view) {
  return view.may?.[verb] ? { action: PLAIN[verb] } : notNow(view);
}

/** @param {Protocol.WindowView} view @param {Protocol.DeckFacts} deck @returns {Meaning} */
function uno(view, deck) {
  if (view.may?.call) return { action: { call: true } };
  const how = view.may?.uno ? ` ${gettext("Say UNO as you play your card, for example “play %(card)s uno”.", { card: nameOf(deck.example, deck).toLowerCase() })}` : "";
  return { sorry: gettext("You can’t say UNO now.") + how };
}

/** @param {string[]} words @param {Protocol.WindowView} view */
function catching(words, view) {
  const open = (view.may?.catch ?? []).map((seat) => view.seats[seat]);
  const meant = words.length ? open.filter((seat) => called(seat, words)) : open;
  const exactly = meant.filter((seat) => wordsOf(seat.name).length === words.length);
  const found = exactly.length === 1 ? exactly : meant;
  if (found.length === 1) return { action: { catch: found[0].seat } };
  if (!open.length) return { sorry: gettext("There’s no one to catch now.") };
  return { sorry: gettext("Catch who? Right now you can catch %(names)s.", { names: either(open.map((seat) => seat.name)) }) };
}

/** Return whether the words abbreviate the parts of a seat's name, in the same order.
 * @param {Protocol.SeatAtTable} seat @param {string[]} words */
function called(seat, words) {
  const name = wordsOf(seat.name);
  return words.length > 0 && words.every((word, i) => name[i]?.startsWith(word));
}

/** @param {string[]} words @param {Protocol.WindowView} view */
function colorOf(words, view) {
  const said = words.join(" ");
  return view.colors.find(({ color, name }) => said === wordsOf(name).join(" ") || said === color.toLowerCase())?.color;
}

/** @param {string} card @param {Protocol.DeckFacts} deck */
function nameOf(card, deck) {
  return deck.cards[card].name;
}

/** Parse the answer to a question about a colour or a seat.
 * @param {string[]} words @param {Protocol.WindowView} view @param {Protocol.Play} [action] @returns {Meaning} */
function answer(words, view, action) {
  const said = words.filter((word) => !FILLERS.has(word));
  const color = colorOf(said, view);
  if (color) return { action: action ? { ...action, color } : { choose: color } };
  const seat = action && view.seats.find((each) => each.seat !== view.you && called(each, said));
  if (seat) return { action: { ...action, with: seat.seat } };
  const colors = either(view.colors.map(({ name }) => name));
  return { sorry: action ? gettext("First choose %(colors)s, or cancel.", { colors }) : gettext("First choose %(colors)s.", { colors }) };
}

/** @param {string[]} words @param {Protocol.WindowView} view @param {Protocol.DeckFacts} deck */
function playing(words, view, deck) {
  const extras = Object.fromEntries(words.flatMap((word) => CALLS.get(word) ?? []).map((call) => [call, true]));
  const at = words.findIndex((word) => VERBS.get(word) === "with");
  const said = (at < 0 ? words : words.slice(0, at)).filter((word) => !FILLERS.has(word) && !CALLS.has(word) && VERBS.get(word) !== "play");
  const held = [...new Set((view.cards ?? []).map(({ card }) => card))];
  const found = named(said, held, view, deck) ?? hinted(words, said, view, deck);
  if (!found) return unknown(said, view, deck);
  if ("sorry" in found) return found;
  return begun({ play: found.card, ...(found.color && { color: found.color }), ...extras }, words.slice(at + 1), at >= 0, view, deck);
}

/** Match a card's full name, optionally followed by a colour. Return {card, color} or undefined.
 * @param {string[]} said @param {string[]} cards @param {Protocol.WindowView} view @param {Protocol.DeckFacts} deck */
function named(said, cards, view, deck) {
  for (const card of cards)
    for (const form of forms(card, view, deck)) {
      const left = said.slice(form.length);
      if (!form.every((word, i) => said[i] === word) ) continue;
      const color = left.length ? colorOf(left, view) : "";
      if (color !== undefined) return { card, color };
    }
  return undefined;
}

/** Return all ways to type a card: its name, its code, and its colour and sign in either order.
 * @param {string} card @param {Protocol.WindowView} view @param {Protocol.DeckFacts} deck */
function forms(card, view, deck) {
  const { letter, signs } = deck.cards[card];
  const color = view.colors.find((each) => each.color === letter);
  const pairs = signs.flatMap((sign) => [color?.name, letter].flatMap((of) => [`${of} ${sign}`, `${sign} ${of}`]));
  return [nameWords(card, deck), [card.toLowerCase()], ...pairs.map(wordsOf)];
}

/** @param {string} card @param {Protocol.DeckFacts} deck */
function nameWords(card, deck) {
  return wordsOf(nameOf(card, deck)).filter((word) => !FILLERS.has(word));
}

/** Match part of a card's name. Return the only playable match, or a question if there are several.
 * @param {string[]} words @param {string[]} said @param {Protocol.WindowView} view @param {Protocol.DeckFacts} deck */
function hinted(words, said, view, deck) {
  if (!said.length || (VERBS.get(words[0]) !== "play" && said.every((word) => colorOf([word], view)))) return undefined;
  /** @param {string} card */
  const like = (card) => said.every((word) => nameWords(card, deck).includes(word));
  const found = [...new Set((view.cards ?? []).map(({ card }) => card))].filter(like);
  const playable = found.filter((card) => view.cards.some((each) => each.card === card && each.playable));
  const open = playable.length ? playable : found;
  if (open.length < 2) return open.length ? { card: open[0], color: "" } : undefined;
  return { sorry: gettext("Which one: %(cards)s?", { cards: either(open.map((card) => nameOf(card, deck))) }) };
}

/** @param {string[]} said @param {Protocol.WindowView} view @param {Protocol.DeckFacts} deck */
function unknown(said, view, deck) {
  const other = named(said, Object.keys(deck.cards), view, deck);
  if (other) return { sorry: gettext("You don’t have %(card)s.", { card: nameOf(other.card, deck) }) };
  return { sorry: gettext("I don’t understand “%(words)s”. Type “help” for a list of commands.", { words: said.join(" ") }) };
}

/** @param {Protocol.Play} action @param {string[]} name @param {boolean} swaps @param {Protocol.WindowView} view @param {Protocol.DeckFacts} deck */
function begun(action, name, swaps, view, deck) {
  const plays = view.actions.filter((each) => each.play === action.play);
  if (!plays.length) return refused(action.play, view);
  if (action.color && !plays.some((each) => each.color === action.color))
    return { sorry: gettext("You don’t choose a %(noun)s with %(card)s. Just type “play %(card)s”.", { card: nameOf(action.play, deck), noun: deck.noun }) };
  if (!swaps) return { action };
  const seat = view.seats.find((each) => called(each, name) && plays.some((play) => play.with === each.seat));
  return seat ? { action: { ...action, with: seat.seat } } : { sorry: gettext("You can’t choose anyone by that name.") };
}

/** @param {string} card @param {Protocol.WindowView} view */
function refused(card, view) {
  const held = view.cards.find((each) => each.card === card);
  return { sorry: held?.why || view.prompt };
}
