// The table of a replay: the live table with all players' cards open at their seats.

import { find } from "../elements.js";
import { Motion } from "../table/motion.js";
import { makeStage } from "../table/stage.js";
import { layChance, layHand } from "./hands.js";
import { eventsOf, luckAt, viewOf } from "./steps.js";

/** @import { State } from "../table/store.js" */

/** Create the table. The returned function shows a step.
 * @param {HTMLElement} root @param {Protocol.ReplayPage} replay */
export function makeTable(root, replay) {
  const { steps } = replay;
  /** @type {number|null} */
  let shown = null;
  let step = 0;
  let could = false;
  const felt = find("table");
  const stage = makeStage(felt, {
    first: replay.you,
    lay: (item, { seat }) => {
      layHand(item, seat, steps[step], steps[Math.max(0, step - 1)], could);
      layChance(item, luckAt(replay, step).chances[seat]);
    },
  });
  const motion = new Motion(find("flights"), root);
  /** @param {number} wanted @param {boolean} marked whether to mark what could be played */
  return (wanted, marked) => {
    [step, could] = [wanted, marked];
    const view = viewOf(replay, steps[step]);
    const before = motion.before();
    stage(stateOf(view), 0);
    markTop(root, step, steps);
    if (shown !== null && step === shown + 1) motion.show(eventsOf(steps[shown], steps[step]), before, view);
    shown = step;
  };
}

/** Return a state that contains only a view, because the stage needs nothing else in a replay.
 * @param {Protocol.TableView} view */
function stateOf(view) {
  return /** @type {State} */ (/** @type {unknown} */ ({ view, seenAt: 0 }));
}

/** Highlight the top card if it was played in this step.
 * @param {HTMLElement} root @param {number} step @param {Protocol.ReplayStep[]} steps */
function markTop(root, step, steps) {
  const discard = root.querySelector(".discard");
  discard?.toggleAttribute("data-fresh", Boolean(steps[step].action?.play));
}
