// The controls around your cards: your own line with the prompt, the action buttons and the choices.

import { part } from "../elements.js";
import { cardName, colorNoun, orderName, shape } from "./cards.js";
import { brief, inSeconds, waitingFor } from "./clock.js";
import { h, keyed, setAttribute, setLine, setText, takesRoom } from "./dom.js";
import { choicesFor, nextQuestion } from "./choices.js";
import { focusHand } from "./hand.js";
import { helpText } from "./help.js";
import { clockOf, holds, makeFan, makeRing, pointsOf, showPerson, teamed } from "./stage.js";
import { isPlayer, myTurn, nothingFits, promptOf, ready, usable } from "./store.js";
import { gettext, sentence } from "../text.js";

/** @import { Show, State } from "./store.js" */
/** @import { RunningClock } from "./clock.js" */

/** Create your own line: name, card count, clock and score, the prompt or a reason, and the sort
 * button.
 * @param {HTMLElement} root @param {{order: () => string, sort: () => void}} handlers @returns {Show} */
export function makeMe(root, { order, sort }) {
  const said = h("span.vh");
  const drawn = [makeRing(), makeFan(), h("span.seat-words", {}, h("span.seat-name"), h("span.seat-line"), h("span.bank"))];
  for (const each of drawn) each.setAttribute("aria-hidden", "true");
  const seat = h("span.seat-face", {}, ...drawn);
  const prompt = h("p.prompt", { id: "prompt" });
  const button = h("button.sort", { type: "button", onclick: sort }, h("span", {}, "⇅"), h("span.sort-name"));
  root.replaceChildren(said, seat, prompt, button);
  return (state, now) => {
    const { view } = state;
    root.hidden = !isPlayer(view);
    if (!isPlayer(view)) return;
    const mine = view.seats[view.you];
    setAttribute(root, "data-seat", view.you);
    setAttribute(root, "data-turn", myTurn(view) || null);
    setAttribute(root, "data-dealer", mine.dealer || null);
    setAttribute(root, "data-team", mine.team);
    showPerson(root, mine);
    setText(part(root, ".seat-name"), teamed(mine, gettext("You")));
    const [line, bank] = myTime(clockOf(mine, state, now));
    setText(part(root, ".seat-line"), line ?? lineOf(mine));
    setText(part(root, ".bank"), bank);
    setText(said, sentence([gettext("You"), ...holds(mine, view), ...[line, bank].filter(Boolean), ...marks(mine)].join(", ")));
    setLine(prompt, promptText(state, now));
    setAttribute(prompt, "data-kind", kindOf(state));
    const sorted = orderName(order());
    setText(part(button, ".sort-name"), sorted);
    setAttribute(button, "title", gettext("Sorted %(order)s", { order: sorted }));
    setAttribute(button, "aria-label", gettext("Cards sorted %(order)s. Change the order.", { order: sorted }));
  };
}

/** Return the kind of prompt, which decides its style. "uno" means that you have not said UNO yet.
 * @param {State} state */
function kindOf({ notice, pending, view, word }) {
  return notice?.kind ?? (pending || word ? "sending" : asksForUno(view) ? "uno" : null);
}

/** Return whether you still have to say UNO. This may last into your next turn. @param {Protocol.WindowView} view */
const asksForUno = ({ may, match, you }) => !match.paused && may?.windows?.some(({ seat }) => seat === you);

/** Return the text of your own line. Like all other lines, it shows whether you have said UNO.
 * @param {Protocol.SeatAtTable} seat */
function lineOf(seat) {
  if (seat.said_uno) return `${gettext("UNO!")} · ${seat.score}`;
  return typeof seat.team === "number" ? gettext("your team: %(points)s", { points: seat.score }) : pointsOf(seat);
}

/** @param {Protocol.SeatAtTable} seat */
const marks = (seat) => [...(seat.said_uno ? [gettext("UNO!")] : []), ...(seat.dealer ? [gettext("dealer")] : [])];

/** Return the text for your running clock, or null, and the text about the time bank.
 * @param {RunningClock|null} clock @returns {[string|null, string]} */
function myTime(clock) {
  if (!clock) return [null, ""];
  const bank = brief(inSeconds(clock.bank));
  if (clock.inBank) return [gettext("bank"), gettext("%(time)s left", { time: bank })];
  return [gettext("%(time)s left", { time: brief(inSeconds(clock.left)) }), clock.bank ? gettext("bank %(time)s", { time: bank }) : ""];
}

/** @param {State} state @param {number} now */
function promptText(state, now) {
  const { notice, pending, view, word } = state;
  if (notice) return notice.text;
  const chosen = view.cards?.find(({ id }) => id === state.selected);
  if (chosen) return gettext("Tap again to play. %(card)s", { card: helpText(chosen.card) });
  if (pending || word) return pending?.action.play ? gettext("Sending %(card)s …", { card: cardName(pending.action.play) }) : gettext("Sending …");
  return (asksForUno(view) ? null : waitingFor(state, now)) ?? promptOf(view);
}

/** Create the buttons Draw, Pass or Challenge, UNO and Catch. Each has its own column, so that none
 * moves when another appears.
 * @param {HTMLElement} root @param {{act: (action: Protocol.Action) => void}} handlers @returns {Show} */
export function makeActions(root, { act }) {
  /** @param {string} name @param {string} text @param {Protocol.Action} action */
  const button = (name, text, action) =>
    h(`button.action.action-${name}`, { type: "button", onclick: () => act(action) }, text);
  const draw = button("draw", gettext("Draw"), { draw: true });
  const pass = button("pass", gettext("Pass"), { pass: true });
  const challenge = button("challenge", gettext("Challenge"), { challenge: true });
  const call = button("call", gettext("UNO!"), { call: true });
  const catches = h("div.catches");
  root.replaceChildren(draw, h("div.either", {}, pass, challenge), call, catches);
  return (state, now) => {
    const { view } = state;
    root.hidden = !isPlayer(view);
    if (root.hidden) return;
    const within = root.contains(document.activeElement) && /** @type {HTMLButtonElement} */ (document.activeElement);
    /** @type {Partial<Protocol.May>} */
    const may = view.may ?? {};
    const quick = usable(state, now);
    const busy = quick && !ready(state, now);
    setText(draw, view.draw_label ?? gettext("Draw"));
    for (const each of [draw, pass, call]) fit(each);
    enable(draw, quick && may.draw, busy);
    setAttribute(draw, "data-loud", (quick && nothingFits(view)) || null);
    enable(pass, quick && may.pass, busy);
    enable(challenge, quick && may.challenge, busy);
    enable(call, quick && may.call);
    pass.hidden = !may.pass || Boolean(may.challenge);
    challenge.hidden = !may.challenge;
    call.hidden = view.match.uno === false || !may.call;
    setAttribute(root, "data-silent", view.match.uno === false || null);
    keyed(catches, may.catch ?? [], (seat) => seat, (seat) => makeCatch(seat, view, act), (item) => enable(item, quick));
    // A disabled button would lose the keyboard focus, so the focus moves to the hand.
    if (within && !(takesRoom(within) && !within.disabled)) focusHand();
  };
}

/** @param {number} seat @param {Protocol.WindowView} view @param {(action: Protocol.Action) => void} act */
function makeCatch(seat, view, act) {
  const { name } = view.seats[seat];
  return h("button.action.action-catch", { type: "button", onclick: () => act({ catch: seat }) }, h("span", {}, gettext("Catch")), h("span.caught-name", { translate: "no" }, ` ${name}`));
}

/** Use smaller letters if the text or one of its words is long. @param {HTMLElement} button */
function fit(button) {
  const word = Math.max(...button.textContent.split(" ").map(({ length }) => length));
  setAttribute(button, "data-long", button.textContent.length > 10 || word > 6 || null);
  setAttribute(button, "data-longer", word > 8 || null);
}

/** Enable or disable a button. A `busy` button still reacts to a press, by explaining what it waits for.
 * @param {HTMLElement} button @param {boolean|undefined} on */
function enable(button, on, busy = false) {
  setAttribute(button, "disabled", on ? null : "");
  setAttribute(button, "aria-disabled", on && busy ? "true" : null);
}

/** Create the choices. Colours replace the prompt in your own line, where they cover neither table
 * nor cards. Seats, which can be many, are at the edge of the felt.
 * @param {{stage: HTMLElement, me: HTMLElement}} places @param {{answer: (action: Protocol.Action) => void, cancel: () => void}} handlers @returns {Show}
 */
export function makePicker({ stage, me }, { answer, cancel }) {
  const box = h("div.picker", { role: "group" });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
  });
  return (state, now) => {
    const question = questionOf(state);
    const shown = question && ready(state, now) ? JSON.stringify([question.kind, question.action, question.options]) : "";
    if (box.dataset.shown === shown) return;
    box.dataset.shown = shown;
    if (!question || !shown) return removeFocused(box);
    box.replaceChildren(...pickerParts(question, answer, cancel));
    box.setAttribute("aria-label", question.label);
    setAttribute(box, "data-kind", question.kind);
    (question.kind === "seat" ? stage : me).append(box);
    part(box, ".pick").focus({ preventScroll: true });
  };
}

/** @param {HTMLElement} box */
function removeFocused(box) {
  const within = box.contains(document.activeElement);
  box.remove();
  if (within) focusHand();
}

/** @typedef {{value: string|number, name: string, color?: string}} Option */
/** @typedef {{kind: keyof typeof FIELDS, title: string, label: string, options: Option[], action: Protocol.Play|null, optional: boolean}} Question
 *   `action`: the begun play, which the value of an option completes */

/** Return the choice that is open now, or null. @param {Pick<State, "view"|"asking">} state @returns {Question|null} */
export function questionOf({ view, asking }) {
  if (!asking && !view.may?.choose) return null;
  const action = asking?.action ?? null;
  const kind = action ? nextQuestion(view, action) : "choose";
  const open = action ? choicesFor(view, action.play) : { colors: view.may.colors, seats: [] };
  if (!kind) return null;
  if (kind === "seat") {
    const options = open.seats.map((seat) => ({ value: seat, name: view.seats[seat].name }));
    const title = gettext("Swap hands with");
    return { kind, title, label: title, options, action, optional: true };
  }
  const options = view.colors
    .filter(({ color }) => open.colors.includes(color))
    .map(({ color, name }) => ({ value: color, name, color }));
  if (!action) return { kind, title: view.prompt, label: view.prompt, options, action, optional: false };
  const title = playTitle(action);
  const label = gettext("%(card)s: choose a %(noun)s", { card: title, noun: colorNoun() });
  return { kind, title, label, options, action, optional: true };
}

/** @param {Protocol.Play} action */
function playTitle({ play, uno, ocho }) {
  const card = cardName(play);
  if (uno) return gettext("%(card)s and UNO", { card });
  return ocho ? gettext("%(card)s and Ocho", { card }) : card;
}

const FIELDS = { color: "color", seat: "with", choose: "choose" };

/** Return the action that the choice of an option completes.
 * @param {Pick<Question, "kind"|"action">} question @param {Option["value"]} value @returns {Protocol.Action} */
export function answered({ kind, action }, value) {
  return /** @type {Protocol.Action} */ ({ ...action, [FIELDS[kind]]: value });
}

/** @param {Question} question @param {(action: Protocol.Action) => void} answer @param {() => void} cancel */
function pickerParts(question, answer, cancel) {
  /** @param {Option} option */
  const pick = ({ value, name, color }) =>
    h(`button.pick.${color ? `tint-${color}` : "pick-seat"}`,
      { type: "button", onclick: () => answer(answered(question, value)) },
      color ? shape(color) : null, h("span", {}, name));
  const back = question.optional
    ? h("button.pick-cancel", { type: "button", "aria-label": gettext("Cancel"), title: gettext("Cancel"), onclick: cancel }, "✕")
    : null;
  return [h("p.picker-title", {}, question.label), h("div.picks", {}, ...question.options.map(pick)), back].filter((each) => each !== null);
}

/** Return the open choice as a question such as "Wild: red, yellow, green or blue?", or null.
 * @param {State} state */
export function questionText(state) {
  const question = state.asking ? questionOf(state) : null;
  return question && `${question.title}: ${question.options.map(({ name }) => name).join(", ")}?`;
}
