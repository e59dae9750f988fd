// The caption of a replay step. Its area is as high as the longest caption of the hand.

import { find } from "../elements.js";
import { h, setLine } from "../table/dom.js";
import { luckAt } from "./steps.js";

/** Create the caption. The returned function shows a step and optionally which cards could have been played.
 * @param {Protocol.ReplayPage} replay */
export function makeCaption(replay) {
  find("room").append(...replay.steps.map((_, step) => makeInvisible(linesFor(replay, step))));
  return (/** @type {number} */ step, /** @type {boolean} */ marked) => {
    const { text, could, better } = linesFor(replay, step);
    setLine(find("text"), text);
    setLine(find("could-text"), marked ? could : "");
    setLine(find("better"), better);
  };
}

/** @param {Protocol.ReplayPage} replay @param {number} step */
function linesFor(replay, step) {
  const { texts, could } = replay.steps[step];
  return { text: texts.join(" "), could: could.text, better: luckAt(replay, step).better };
}

/** Create an invisible copy of a caption, which reserves its space.
 * @param {{text: string, could: string, better: string}} lines */
function makeInvisible({ text, could, better }) {
  return h("div", {}, h("p.replay-text", {}, text), h("p.replay-could", {}, could), h("p.replay-better", {}, better));
}
