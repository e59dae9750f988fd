// Handles taps: sends the action, opens a choice first, or shows why the action is impossible.

import { nextQuestion } from "./choices.js";
import { questionText } from "./controls.js";
import { hindrance, isWord, usable } from "./store.js";

/** @import { Prefs } from "./prefs.js" */
/** @import { Change, State } from "./store.js" */

/** @typedef {object} Game The parts of the table that taps use.
 * @property {() => State} state
 * @property {() => Prefs} prefs
 * @property {() => number} now
 * @property {(news: Change) => void} dispatch
 * @property {(action: Protocol.Action) => string} send
 * @property {(handle: string|null, card: string) => void} sendOff
 * @property {(text: string) => void} answer */

/** @param {Game} game */
export function makeTaps({ state, prefs, now, dispatch, send, sendOff, answer }) {
  /** @param {Protocol.Action} action @param {string|null} [handle] */
  function act(action, handle = null) {
    const question = action.play && nextQuestion(state().view, action);
    if (question) return dispatch({ type: "ask", action, card: handle });
    if (action.play && !prefs().text) sendOff(handle, action.play);
    const id = send(action);
    return dispatch({ type: "sent", id, action, card: handle, now: now() });
  }

  /** @param {string} handle @param {{uno?: true, ocho?: true}} words */
  function play(handle, words) {
    const { view, selected } = state();
    const card = view.cards.find(({ id }) => id === handle);
    if (!card) return;
    if (!card.playable) return dispatch({ type: "why", text: card.why || view.prompt, now: now() });
    if (held()) return;
    const alone = !words.uno && !words.ocho;
    if (prefs().confirm && alone && selected !== handle) return dispatch({ type: "select", card: handle });
    act({ play: card.card, ...words }, handle);
  }

  function draw() {
    if (state().view.may?.draw) press({ draw: true });
  }

  /** Send a button's action. Calls and catches do not wait until the last move has been answered.
   * @param {Protocol.Action} action */
  function press(action) {
    if (isWord(action) ? usable(state(), now()) && !said(action) : !held()) act(action);
  }

  /** Return whether the same call is already being sent, so that a second tap is ignored.
   * @param {Protocol.Action} action */
  function said(action) {
    return JSON.stringify(state().word?.action) === JSON.stringify(action);
  }

  /** Return whether no action can be sent now. If so, show the reason. */
  function held() {
    const text = hindrance(state(), now());
    if (text) dispatch({ type: "why", text, now: now() });
    return Boolean(text);
  }

  /** Perform an action typed in text mode. Of equal cards, the first one in the hand is played.
   * @param {Protocol.Action} action */
  function actInWords(action) {
    const card = action.play ? state().view.cards.find((each) => each.card === action.play) : null;
    act(action, card?.id ?? null);
    const question = questionText(state());
    if (question) answer(question);
  }

  return { act, play, draw, press, actInWords };
}
