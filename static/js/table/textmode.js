// Text mode: a command line, buttons for the possible moves, and the table in words.

import { h, keyed, setText } from "./dom.js";
import { waitingFor } from "./clock.js";
import { understand } from "./commands.js";
import { answered, questionOf, questionText } from "./controls.js";
import { headline, sheetLinks } from "./sheet.js";
import { isPlayer, isWord, ON_ITS_WAY, promptOf, ready, usable } from "./store.js";
import { moveName, movesOf } from "./words.js";
import { gettext } from "../text.js";

/** @import { Question } from "./controls.js" */
/** @import { State } from "./store.js" */

/**
 * @typedef {{state: () => State, act: (action: Protocol.Action) => void, cancel: () => void, tell: (ask: string) => void,
 *   say: (text: string) => void, leave: () => void, deck: Protocol.DeckFacts}} TextTable
 */

/**
 * @param {HTMLElement} root
 * @param {TextTable} table
 * @returns {(state: State, now: number, words: string[][]) => void}
 */
export function makeTextMode(root, table) {
  const prompt = h("p.text-prompt");
  const line = h("input", { id: "command", type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "send" });
  const moves = h("ul.moves", { "aria-label": gettext("What you can do now") });
  const sheet = h("div.text-sheet");
  const facts = h("dl.in-words");
  const form = h("form.command", { onsubmit: (event) => submit(event, line, table) },
    h("label", { for: "command" }, gettext("Command")), line, h("button.action", { type: "submit" }, gettext("Send")));
  root.replaceChildren(
    h("div.text-head", {}, h("h2", {}, gettext("Table in words")),
      h("button.menu-close", { type: "button", onclick: table.leave }, gettext("Show the cards"))),
    prompt, form, moves, sheet,
    h("details.text-facts", { open: "" }, h("summary", {}, gettext("State of the table")), facts),
  );
  return (state, now, words) => {
    const { view } = state;
    form.hidden = !isPlayer(view);
    setText(prompt, questionText(state) ?? (state.notice?.text || waitingFor(state, now) || promptOf(view)));
    const within = moves.contains(document.activeElement);
    keyed(moves, offered(state, now), ({ action }) => JSON.stringify(action) ?? "cancel", (move) => makeMove(move, table));
    if (within && !moves.contains(document.activeElement)) line.focus();
    showFacts(facts, words);
    showSheet(sheet, view);
  };
}

/** @param {Event} event @param {HTMLInputElement} line @param {TextTable} table */
function submit(event, line, table) {
  event.preventDefault();
  const text = line.value.trim();
  line.value = "";
  if (text) execute(text, table);
}

/** Execute a typed line, or explain why that is not possible. @param {string} text @param {TextTable} table */
function execute(text, table) {
  const { view, asking, pending } = table.state();
  const meaning = understand(text, { view, asking, deck: table.deck });
  if (meaning.ask) return table.tell(meaning.ask);
  if (meaning.sorry) return table.say(meaning.sorry);
  if (!meaning.action) return table.cancel();
  if (!usable(table.state(), performance.now())) return table.say(gettext("You can’t send anything now: the table is paused or you’re not connected."));
  if (pending && !isWord(meaning.action)) return table.say(ON_ITS_WAY);
  return table.act(meaning.action);
}

/** @typedef {{name: string, action?: Protocol.Action}} Move an offered move; without an action, it
 * cancels a begun play */

/** Return the moves that the player can make now.
 * @param {State} state @param {number} now @returns {Move[]} */
function offered(state, now) {
  if (!usable(state, now)) return [];
  const question = state.asking ? questionOf(state) : null;
  if (question) return answers(question);
  const able = ready(state, now) ? () => true : isWord;
  return movesOf(state.view).filter(able).map((action) => ({ name: moveName(action, state.view), action }));
}

/** @param {Question} question @returns {Move[]} */
function answers(question) {
  const each = question.options.map(({ name, value }) => ({ name, action: answered(question, value) }));
  return [...each, { name: gettext("Cancel") }];
}

/** @param {Move} move @param {TextTable} table */
function makeMove({ name, action }, table) {
  const press = () => (action ? table.act(action) : table.cancel());
  return h("li", {}, h("button.move", { type: "button", onclick: press }, name));
}

/** @param {HTMLElement} list @param {string[][]} words */
function showFacts(list, words) {
  const cells = words.flatMap(([term, text]) => [["dt", term], ["dd", text, term]]);
  keyed(list, cells, ([tag, text, term]) => `${tag}${term ?? text}`, ([tag]) => h(tag), (cell, [, text]) => setText(cell, text));
}

/** @param {HTMLElement} root @param {Protocol.WindowView} view */
function showSheet(root, view) {
  const key = view.sheet ? JSON.stringify([view.sheet.hand, view.sheet.over]) : "";
  if (root.dataset.shown === key) return;
  root.dataset.shown = key;
  root.replaceChildren(...(view.sheet ? [h("h3", {}, headline(view.sheet, view)), sheetLinks(view.sheet, view)] : []));
}
