// Words around the table: the banner, the log, the score sheet.

import { cardFace, cardName, shape } from "./cards.js";
import { h, keyed, setAttribute, setText } from "./dom.js";
import { banner, isPlayer } from "./store.js";

/** @param {Object<string, () => void>} buttons what a banner's button does, by its code */
export function makeBanner(root, buttons) {
  const text = h("span");
  const button = h("button.banner-button", { type: "button", onclick: () => buttons[root.dataset.code]?.() });
  root.replaceChildren(text, button);
  return (state, now) => {
    const now_shown = banner(state, now);
    root.hidden = !now_shown;
    setAttribute(root, "data-code", now_shown?.code);
    setText(text, now_shown?.text ?? "");
    setText(button, now_shown?.button ?? "");
    button.hidden = !now_shown?.button;
  };
}

const AUTO = { timeout: "time", away: "away", bot: "bot" };

/** The whole log, newest last, and the last line under the piles. */
export function makeLog(panel, stage, { toggle }) {
  const list = h("ol.log-lines");
  const last = h("button.ticker", { type: "button", title: "Show what happened", onclick: toggle });
  panel.replaceChildren(h("h2", {}, "What happened"), list);
  stage.append(last);
  return ({ view }) => {
    const nearEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
    keyed(list, view.log, (entry) => entry.n, makeLine);
    if (nearEnd) list.scrollTop = list.scrollHeight;
    setText(last, view.log.at(-1)?.text ?? (isPlayer(view) ? "" : view.prompt));
    last.hidden = !last.textContent;
  };
}

function makeLine(entry) {
  const auto = entry.auto ? h("small.auto", {}, AUTO[entry.auto] ?? entry.auto) : null;
  const pictures = [entry.card ? cardFace(entry.card) : null, entry.color ? shape(entry.color) : null];
  return h("li", {}, h("span.pictures", {}, ...pictures), h("span", {}, entry.text), auto);
}

/** Points after a hand; at the end who has won and every hand of the match. */
export function makeSheet(stage, { hide, show }) {
  const sheet = h("section.sheet", { "aria-labelledby": "sheet-title", tabindex: "-1" });
  const reopen = h("button.sheet-open", { type: "button", onclick: show }, "Score sheet");
  return (state, now) => {
    const data = state.view.sheet;
    const key = data ? JSON.stringify([data.hand, data.rows, data.over, data.hands?.length]) : "";
    if (sheet.dataset.shown !== key) {
      sheet.dataset.shown = key;
      if (data) sheet.replaceChildren(...sheetParts(data, state.view, hide));
    }
    place(stage, sheet, data && !state.sheetHidden);
    place(stage, reopen, data && state.sheetHidden);
    if (data) setText(sheet.querySelector(".sheet-next"), nextHand(data, now - state.seenAt, state.view));
  };
}

function place(parent, child, wanted) {
  if (wanted && !child.isConnected) parent.append(child);
  if (!wanted) child.remove();
}

function nextHand(data, passed, view) {
  if (data.over || data.next_ms === null || data.next_ms === undefined) return "";
  if (view.match.paused) return "The next hand waits: the table is paused.";
  return `Next hand in ${Math.ceil(Math.max(0, data.next_ms - passed) / 1000)} s`;
}

function sheetParts(data, view, hide) {
  return [
    h("div.sheet-head", {},
      h("h2", { id: "sheet-title" }, headline(data, view)),
      h("button.sheet-close", { type: "button", "aria-label": "Hide the score sheet", onclick: hide }, "Hide")),
    data.over && data.winners.includes(view.you) ? cheer(view) : null,
    data.ended_text ? h("p", {}, data.ended_text) : null,
    rowsTable(data, view),
    data.over ? handsTable(data, view) : null,
    h("p.sheet-next"),
    sheetLinks(data, view),
  ].filter(Boolean);
}

/** The deck's own shapes come down once for who has won. */
function cheer({ colors }) {
  const flakes = Array.from({ length: 24 }, (_, i) => {
    const flake = shape(colors[i % colors.length].color);
    flake.style.setProperty("--at", `${(i * 37) % 100}%`);
    flake.style.setProperty("--wait", `${(i * 173) % 1400}ms`);
    return flake;
  });
  return h("div.cheer", { "aria-hidden": "true" }, ...flakes);
}

export function headline(data, view) {
  if (data.over) {
    const names = data.winners.map((seat) => (seat === view.you ? "You" : view.seats[seat].name));
    if (!names.length) return "The match is over";
    const win = names.length > 1 || names[0] === "You" ? "win" : "wins";
    return `${names.join(" and ")} ${win} the match!`;
  }
  if (data.blocked) return `Hand ${data.hand} is blocked: nobody scores`;
  return data.winner === view.you ? "You win the hand!" : `${data.winner_name} wins hand ${data.hand}`;
}

function rowsTable(data, view) {
  if (!data.rows.length) return null; // abandoned: why stands above
  const rows = [...data.rows].sort((a, b) => Number(data.winners?.includes(b.seat)) - Number(data.winners?.includes(a.seat)));
  return h("table.scores", {},
    h("thead", {}, h("tr", {},
      h("th", { scope: "col" }, "Player"), h("th.number", { scope: "col" }, "This hand"),
      h("th.number", { scope: "col" }, "Total"), h("th", { scope: "col" }, "Cards left"))),
    h("tbody", {}, ...rows.map((row) => scoreRow(row, data, view))));
}

function scoreRow(row, data, view) {
  const best = data.over ? data.winners.includes(row.seat) : data.winner === row.seat;
  return h("tr", { "data-best": best || null, "data-you": row.seat === view.you || null },
    h("th", { scope: "row" }, best ? "★ " : "", row.name),
    h("td.number", {}, row.points ? `+${row.points}` : "0"),
    h("td.number", {}, h("b", {}, String(row.total))),
    h("td", {}, cardsLeft(row.cards_left ?? [])));
}

function cardsLeft(cards) {
  const words = cards.length ? cards.map(cardName).join(", ") : "none";
  return h("span.cards-left", {}, h("span.vh", {}, words), ...cards.map((card) => cardFace(card)));
}

/** Points of every hand, each with a link to its replay. */
function handsTable(data, view) {
  if (!data.hands?.length) return null;
  const replay = data.links?.replays ?? [];
  return h("details.all-hands", {},
    h("summary", {}, "Hand by hand"),
    h("div.scroll", {}, h("table.scores", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Hand"), ...view.seats.map((seat) => h("th.number", { scope: "col" }, seat.name)))),
      h("tbody", {}, ...data.hands.map((points, i) => h("tr", {},
        h("th", { scope: "row" }, replay[i] ? h("a", { href: replay[i] }, `${i + 1}`) : `${i + 1}`),
        ...points.map((each) => h("td.number", {}, String(each)))))))));
}

/** Ways to look back, and to play again. */
export function sheetLinks(data, view) {
  const { practice } = document.getElementById("table").dataset;
  const all = [
    [data.links?.replay, "Replay this hand"],
    [data.links?.record, "Download its record"],
    [data.over ? view.match.links.result : null, "Result page"],
    [data.over && view.match.practice ? practice : null, "Play again"],
  ].filter(([href]) => href);
  return h("p.sheet-links", {}, ...all.map(([href, text]) => h("a", { href, target: "_blank", rel: "noopener" }, text)));
}
