// For ears: the log, politely and in order; at once only that it is your turn, or paused.

import { isPlayer, myTurn } from "./store.js";

const KEPT = 40;
const WARNINGS = [10, 5];

export function makeSpeech(polite, assertive) {
  let heard = null;
  let said = "";
  let warned = Infinity;
  const say = (text) => {
    polite.append(Object.assign(document.createElement("p"), { textContent: text }));
    while (polite.children.length > KEPT) polite.firstElementChild.remove();
  };
  return {
    show({ view }) {
      const last = view.log.at(-1)?.n ?? 0;
      if (heard !== null && last > heard)
        say(view.log.filter((entry) => entry.n > heard).map((entry) => entry.text).join(" "));
      heard = last;
      const urgent = urgentText(view);
      if (urgent !== said) assertive.textContent = urgent;
      said = urgent;
    },
    /** At 10 and at 5 seconds of your own clock, once each. */
    clock(seconds) {
      const mark = WARNINGS.find((each) => seconds <= each && warned > each && seconds > each - 3);
      if (mark) say(`${mark} seconds left.`);
      warned = mark ?? (seconds > WARNINGS[0] ? Infinity : warned);
    },
  };
}

export function urgentText(view) {
  if (view.match.paused) return "The table is paused.";
  return isPlayer(view) && myTurn(view) ? view.prompt : "";
}
