// What is told of a step, whole, in a room that stays: as high as the longest of the hand asks.

import { find } from "../elements.js";
import { h, setLine } from "../table/dom.js";
import { luckAt } from "./steps.js";

/** Make the caption; the returned function tells a step, and what could be played if asked.
 * @param {Protocol.ReplayPage} replay */
export function makeCaption(replay) {
  find("room").append(...replay.steps.map((_, step) => unseen(told(replay, step))));
  return (/** @type {number} */ step, /** @type {boolean} */ marked) => {
    const { text, could, better } = told(replay, step);
    setLine(find("text"), text);
    setLine(find("could-text"), marked ? could : "");
    setLine(find("better"), better);
  };
}

/** @param {Protocol.ReplayPage} replay @param {number} step */
function told(replay, step) {
  const { texts, could } = replay.steps[step];
  return { text: texts.join(" "), could: could.text, better: luckAt(replay, step).better };
}

/** The same lines once more, in the same letters, seen by nobody.
 * @param {{text: string, could: string, better: string}} lines */
function unseen({ text, could, better }) {
  return h("div", {}, h("p.replay-text", {}, text), h("p.replay-could", {}, could), h("p.replay-better", {}, better));
}
