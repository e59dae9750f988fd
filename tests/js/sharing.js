// Creates windows of one seat that take part in deals, and records their messages and complaints.

import { Kept } from "../../static/js/fair/kept.js";
import { Shares } from "../../static/js/table/shares.js";
import { ANY_RECEIPT, Attempt, Store } from "./dealing.js";

/** Create a window of seat 0 with its messages; `store` may be another window's. `line.reached`: whether its
 * messages reach the server. `pass` lets this many seconds pass. */
export function openWindow(store = new Store()) {
  const sent = [];
  const line = { reached: true, socket: 1 };
  let seconds = 0;
  const shares = new Shares({
    match: "m",
    kept: new Kept(store),
    receipts: ANY_RECEIPT,
    ask: (message) => `id${sent.push(message)}`,
    line: { status: () => "live", reached: () => line.reached, socket: () => line.socket },
    now: () => new Date(Date.parse("2026-11-21T10:00:00Z") + seconds * 1000).toISOString().replace(".000", ""),
  });
  /** Suspend the page for this many seconds. */
  const freeze = (more) => {
    seconds += more;
  };
  const pass = (more) => {
    for (let i = 0; i < more; i += 1) {
      seconds += 1;
      shares.watch();
    }
  };
  const answer = (type, more = {}) => shares.answered({ type, id: `id${sent.length}`, ...more });
  /** Let the server acknowledge the last message. */
  const taken = (attempt) => {
    attempt.take(sent.at(-1));
    answer("ack");
  };
  return { shares, sent, store, line, pass, freeze, answer, taken, codes: () => shares.complaints.map(({ complaint }) => complaint.code) };
}

/** Create a window whose commitment has been accepted. */
export function commitInWindow(attempt = new Attempt(), window = openWindow()) {
  window.shares.hear(attempt.view("commit"));
  window.taken(attempt);
  return { attempt, ...window };
}

/** Create a window whose share is also open. */
export function opened() {
  const { attempt, ...window } = commitInWindow();
  window.shares.hear(attempt.view("open"));
  window.taken(attempt);
  return { attempt, ...window };
}

/** Create a window in the second attempt of a hand. The view shows `gone` as the first attempt. */
export function reopenAfter(first, window, gone) {
  window.shares.hear(new Attempt({ attempt: 2, gone }).view("commit"));
  return window.codes();
}
