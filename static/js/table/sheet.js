// The score sheet between hands and at the end of the match.

import { find, part } from "../elements.js";
import { artOf, cardFace, cardName, shape } from "./cards.js";
import { h, setAttribute, setText } from "./dom.js";
import { focusHand } from "./hand.js";
import { makeLater } from "./later.js";
import { faceClasses, faceLetter, isPartner } from "./stage.js";
import { isPlayer } from "./store.js";
import { winnersPicture } from "./winners.js";
import { all, gettext, ngettext, sentence } from "../text.js";

const loadPicture = makeLater(() => import("../picture/sheet.js"));

/** @import { Show, State } from "./store.js" */

const FACES = 5;
// More rows than this are set closer together.
const MANY = 6;

/** Create the score sheet, with the points after a hand and, at the end, the winner and all hands.
 * It covers the felt and, in a small window, everything that is not needed between hands.
 * @param {HTMLElement} stage @param {{hide: () => void, show: () => void, ready: (hand: number) => void, between: HTMLElement[], after: HTMLElement[], proof: HTMLElement}} handlers
 * `between`, `after`: parts of the sheet between hands, and after the match; `proof`: the result of
 * the deal check @returns {Show}
 */
export function makeSheet(stage, { hide, show, ready, between, after, proof }) {
  const sheet = h("section.sheet", { "aria-labelledby": "sheet-title", tabindex: "-1" });
  const reopen = h("button.sheet-open", { type: "button", onclick: show }, gettext("Score sheet"));
  /** @type {HTMLButtonElement} */
  const button = h("button.sheet-ready", { type: "button", onclick: () => ready(Number(button.dataset.hand)) });
  let seen = false;
  return (state, now) => {
    const data = state.view.sheet;
    const key = data ? JSON.stringify([data.hand, data.rows, data.over, data.hands?.length]) : "";
    if (sheet.dataset.shown !== key) {
      // The sheet appears after the last card has landed, but immediately when the page has just loaded.
      setAttribute(sheet, "data-fresh", (seen && !sheet.dataset.shown) || null);
      sheet.dataset.shown = key;
      if (data) sheet.replaceChildren(...sheetParts(data, state.view, hide, { button, between, after, proof }));
    }
    seen = true;
    const within = sheet.contains(document.activeElement) || reopen === document.activeElement;
    place(sheet, data && !state.sheetHidden, () => stage.after(sheet));
    place(reopen, data && state.sheetHidden, () => stage.append(reopen));
    cover(sheet.isConnected);
    if (within && !sheet.contains(document.activeElement)) moveFocus(sheet, reopen);
    if (data) setText(part(sheet, ".sheet-next"), nextHand(state, now));
    if (data) showReady(button, data, state.view.you);
  };
}

/** @param {Element} child @param {boolean|null} wanted @param {() => void} put */
function place(child, wanted, put) {
  if (wanted && !child.isConnected) put();
  if (!wanted) child.remove();
}

/** Keep the keyboard focus out of the area under the sheet. @param {boolean} covered */
function cover(covered) {
  for (const each of document.querySelectorAll(".draw-pile, .ticker, .sort")) each.toggleAttribute("inert", covered);
}

/** Move the keyboard focus if it was on the closed sheet or on the button that reopens it.
 * @param {HTMLElement} sheet @param {HTMLElement} reopen */
function moveFocus(sheet, reopen) {
  const next = [sheet, reopen].find((each) => each.isConnected);
  if (next) next.focus({ preventScroll: true });
  else focusHand();
}

/** Return when the next hand begins, or why the match is over. @param {State} state @param {number} now */
export function nextHand(state, now) {
  const { view, seenAt } = state;
  const data = view.sheet;
  if (!data) return "";
  if (data.over) return data.ended_text ?? "";
  if (data.next_ms === null || data.next_ms === undefined) return "";
  if (view.match.paused) return gettext("The next hand is on hold: the table is paused.");
  const left = Math.max(0, data.next_ms - (now - seenAt));
  return gettext("Next hand in %(seconds)s s", { seconds: Math.ceil(left / 1000) });
}

/** Show "I’m ready" or, once pressed, the number of ready players. The hand is dealt when all present players are
 * ready.
 * @param {HTMLElement} button @param {Protocol.SheetView} data @param {number|null} you */
function showReady(button, { ready = [], waits_for: people = [], next_hand: hand }, you) {
  const said = ready.includes(you ?? -1);
  button.hidden = !people.includes(you ?? -1);
  setAttribute(button, "data-hand", hand);
  setAttribute(button, "aria-disabled", said || null);
  setText(button, said ? gettext("Ready: %(ready)s of %(people)s", { ready: ready.length, people: people.length }) : gettext("I’m ready"));
}

/** @param {Protocol.SheetView} data @param {Protocol.WindowView} view @param {() => void} hide @param {{button: HTMLElement, between: HTMLElement[], after: HTMLElement[], proof: HTMLElement}} kept */
function sheetParts(data, view, hide, { button, between, after, proof }) {
  return [
    h("div.sheet-head", {},
      winnersPicture(data, view),
      h("div", {}, h("h2", { id: "sheet-title" }, headline(data, view)), h("p.sheet-next")),
      h("button.sheet-close", { type: "button", "aria-label": gettext("Hide the score sheet"), onclick: hide }, gettext("Hide"))),
    cheer(data, view),
    data.story ? h("p.sheet-story", { dir: "auto" }, data.story) : null,
    ownPlace(data, view),
    ...(data.over ? after : []),
    rowsTable(data, view),
    ...(data.over ? [] : [button, ...between]),
    data.over ? handsTable(data, view) : null,
    proof,
    sheetLinks(data, view),
  ].filter((each) => each !== null);
}

/** Let the deck's shapes fall once: many on a winner's screen, a few on a viewer's.
 * @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
function cheer(data, { colors, you }) {
  const winners = data.over ? data.winners : [data.winner].filter((seat) => seat !== null);
  if (!winners.length || (you !== null && !winners.includes(you))) return null;
  const length = you === null ? 9 : 28;
  const flakes = Array.from({ length }, (_, i) => {
    const flake = shape(colors[i % colors.length].color);
    flake.style.setProperty("--at", `${(i * 37) % 100}%`);
    flake.style.setProperty("--wait", `${700 + ((i * 173) % 1400)}ms`);
    return flake;
  });
  return h("div.cheer", { "aria-hidden": "true" }, ...flakes);
}

/** @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
export function headline(data, view) {
  if (data.over) return whoWon(data.winners, view);
  const [hand, name] = [data.hand ?? "", data.winner_name ?? ""];
  if (data.blocked) return gettext("Hand %(hand)s is blocked: no one scores", { hand });
  return data.winner === view.you ? gettext("You win the hand!") : gettext("%(name)s wins hand %(hand)s", { name, hand });
}

/** @param {number[]} winners @param {Protocol.WindowView} view */
function whoWon(winners, { you, seats }) {
  if (!winners.length) return gettext("The match is over");
  if (winners.length === 1 && winners[0] === you) return gettext("You win the match!");
  const names = all(winners.map((seat) => (seat === you ? gettext("You") : seats[seat].name)));
  return ngettext("%(names)s wins the match!", "%(names)s win the match!", winners.length, { names });
}

/** Return the rows ordered by place. Players with an unresolved tie have no place yet and fill the gaps between the
 * others. While all places are hidden, the order is by seat. Pure.
 * @param {Protocol.SheetView} data */
export function inOrder(data) {
  /** @param {Protocol.SheetRow} row */
  const placeOf = (row) => row.place ?? 0;
  /** @param {Protocol.SheetRow} row */
  const won = (row) => Number(isBest(row, data));
  const rows = data.rows.filter((row) => !row.place);
  const placed = data.rows.filter(placeOf).sort((a, b) => placeOf(a) - placeOf(b) || won(b) - won(a));
  placed.forEach((row, i) => rows.splice(Math.max(i, placeOf(row) - 1), 0, row));
  return rows;
}

/** Return by how many rows each row has moved in this hand, or 0 after the first hand. Pure.
 * @param {Protocol.SheetRow[]} rows in order */
export function rowsMoved(rows) {
  const before = [...rows].sort((a, b) => (a.before ?? 0) - (b.before ?? 0));
  return rows.map((row, i) => before.indexOf(row) - i);
}

/** @param {Protocol.SheetRow} row @param {Protocol.SheetView} data */
function isBest({ seat }, data) {
  return data.over ? data.winners.includes(seat) : data.winner === seat;
}

/** @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
function rowsTable(data, view) {
  if (!data.rows.length) return null; // the headline gives the reason for an abandoned match
  const rows = inOrder(data);
  const moved = rowsMoved(rows);
  return h("table.scores", { "data-many": rows.length > MANY || null },
    h("thead", {}, h("tr", {},
      h("th", { scope: "col" }, gettext("Player")), h("th.number", { scope: "col" }, gettext("Hand")),
      h("th.number", { scope: "col" }, gettext("Total")), h("th", { scope: "col" }, gettext("Cards left")))),
    h("tbody", {}, ...rows.map((row, i) => scoreRow(row, data, view, moved[i]))));
}

/** @param {Protocol.SheetRow} row @param {Protocol.SheetView} data @param {Protocol.WindowView} view @param {number} moved rows */
function scoreRow(row, data, view, moved) {
  const best = isBest(row, data);
  // Without a target, the bars are relative to the highest total.
  const most = view.match.target || Math.max(1, ...data.rows.map(({ total }) => total));
  const { face } = view.seats[row.seat];
  const head = h("b", { class: faceClasses(face), translate: "no" }, faceLetter(face));
  const name = h("th", { scope: "row" },
    h("span", { translate: "no" }, best ? "★ " : "", row.name), partnerWord(row, view), isOnlyPassed(row, view) ? null : rankChange(row),
    h("span.race", { "aria-hidden": "true" }, h("i"), head));
  /** @param {number} points */
  const share = (points) => String(Math.max(0, Math.min(1, points / most)));
  name.style.setProperty("--share", share(row.total));
  name.style.setProperty("--was", share(row.total - row.points));
  const line = h("tr", { "data-row": row.seat, "data-best": best || null, "data-you": row.seat === view.you || null },
    name,
    h("td.number", {}, row.points ? `+${row.points}` : "0"),
    h("td.number", {}, h("b", {}, String(row.total)), missing(row, data, view)),
    h("td", {}, cardsLeft(row.cards_left ?? [])));
  line.style.setProperty("--moved", String(moved));
  return line;
}

/** @param {Protocol.SheetRow} row @param {Protocol.WindowView} view */
function partnerWord({ seat }, view) {
  return isPartner(view.seats[seat], view) ? h("small.partner", {}, ` ${gettext("your partner")}`) : null;
}

/** Return the number of points that a player needs to reach the target, if reaching it wins.
 * @param {Protocol.SheetRow} row @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
function missing({ total }, data, { match }) {
  const count = (match.target ?? 0) - total;
  if (data.over || match.scoring !== "winner-takes" || count <= 0) return null;
  return h("small.to-win", {}, ` ${ngettext("%(count)s to go", "%(count)s to go", count)}`);
}

/** Return your or your team's final place at this table, or nothing if it is unknown.
 * @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
function ownPlace(data, { you, seats }) {
  const row = data.over ? data.rows.find(({ seat }) => seat === you) : null;
  if (!row?.place) return null;
  const points = ngettext("%(count)s point", "%(count)s points", row.total);
  const text = typeof seats[row.seat]?.team === "number"
    ? gettext("Your team finished %(place)s of 2 with %(points)s.", { place: ordinal(Math.ceil(row.place / 2)), points })
    : gettext("You finished %(place)s of %(seats)s with %(points)s.", { place: ordinal(row.place), seats: data.rows.length, points });
  return h("p.own-place", {}, text);
}

const ENGLISH = new Intl.PluralRules("en", { type: "ordinal" });

/** Format an ordinal such as "1st", "2nd", "3rd" or "4th". Translations use the same form for all numbers.
 * @param {number} number */
export function ordinal(number) {
  const form = ENGLISH.select(number);
  if (form === "one") return gettext("%(number)sst", { number });
  if (form === "two") return gettext("%(number)snd", { number });
  return form === "few" ? gettext("%(number)srd", { number }) : gettext("%(number)sth", { number });
}

/** Return whether a player's rank fell only because others scored.
 * @param {Protocol.SheetRow} row @param {Protocol.WindowView} view */
const isOnlyPassed = ({ total }, { match }) => total === 0 && match.scoring === "winner-takes";

/** Return an arrow with the number of places that a player moved in this hand, or null.
 * @param {Protocol.SheetRow} row */
export function rankChange(row) {
  const up = row.before && row.place ? row.before - row.place : 0;
  if (!up) return null;
  const count = Math.abs(up);
  const told = up > 0 ? ngettext("up %(count)s place", "up %(count)s places", count) : ngettext("down %(count)s place", "down %(count)s places", count);
  return h("span.rank-change", { "data-up": up > 0 || null }, h("span", { "aria-hidden": "true" }, ` ${up > 0 ? "▲" : "▼"}${count}`), h("span.vh", {}, `, ${told}`));
}

/** Show the number of cards left, and pictures of the first ones. @param {string[]} cards */
function cardsLeft(cards) {
  const words = cards.length ? cards.map(cardName).join(", ") : gettext("none");
  const faces = cards.slice(0, FACES).map((card) => cardFace(card));
  const count = h("b.left-count", { "aria-hidden": "true" }, cards.length ? String(cards.length) : "");
  return h("span.cards-left", { title: words }, h("span.vh", {}, words), count, ...faces);
}

/** Return the table of points by hand, with links to the replays.
 * @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
function handsTable(data, view) {
  if (!data.hands?.length) return null;
  const replay = data.links?.replays ?? [];
  return h("details.all-hands", {},
    h("summary", {}, gettext("Hand by hand")),
    h("div.scroll", {}, h("table.scores", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, gettext("Hand")), ...view.seats.map((seat) => h("th.number", { scope: "col", translate: "no" }, seat.name)))),
      h("tbody", {}, startRow(data), ...data.hands.map((points, i) => h("tr", {},
        h("th", { scope: "row" }, replay[i] ? h("a", { href: replay[i] }, String(data.numbers[i])) : String(data.numbers[i])),
        ...points.map((each) => h("td.number", {}, String(each)))))))));
}

/** Return the row with the points that players brought from hands with physical cards.
 * @param {Protocol.SheetView} data */
function startRow({ start }) {
  if (!start?.length) return null;
  return h("tr", {}, h("th", { scope: "row" }, gettext("Carried over")), ...start.map((each) => h("td.number", {}, String(each))));
}

/** Create the button that saves a picture of the match.
 * @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
function saveButton(data, view) {
  if (!data.picture) return null;
  const card = view.top ? artOf(view.top) : "";
  /** @type {HTMLButtonElement} */
  const button = h("button.sheet-save", { type: "button", onclick: () => loadPicture().then(
    ({ saveSheet }) => saveSheet(button, data, view, card),
    () => button.replaceChildren(gettext("That couldn’t be loaded. Try again.")),
  ) }, gettext("Save picture"));
  return button;
}

/** Return links to replays and to another game. While the match continues, they open in a new window.
 * @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
export function sheetLinks(data, view) {
  const { practice, mine, watch } = find("table").dataset;
  const again = data.over && view.match.practice;
  const shown = [
    [again ? practice : null, gettext("Another table"), "look"],
    [data.over && mine && isPlayer(view) ? mine : null, gettext("My next table"), "again"],
    [data.over && !mine && isPlayer(view) ? view.match.links.event : null, gettext("Back to the event"), "again"],
    [data.over && watch && !isPlayer(view) ? watch : null, gettext("Watch another table"), "again"],
    [data.links?.replay, gettext("Replay this hand"), "look"],
    [data.links?.review, gettext("Was it luck?"), "look"],
    [data.over ? view.match.links.result : null, gettext("Result page"), "look"],
    [data.hand === null ? null : view.match.links.fair, gettext("The shuffle"), "look"],
    [data.links?.record, gettext("Save this hand as a file"), "look"],
  ].filter(([href]) => href);
  const target = data.over ? {} : { target: "_blank", rel: "opener" };
  const rematch = again ? h("button.sheet-again", { type: "submit", form: "again" }, gettext("Play again")) : null;
  return h("p.sheet-links", {}, rematch, saveButton(data, view), ...shown.map(([href, text, kind]) => h(`a.sheet-${kind}`, { href, ...target }, text)));
}

/** Return the score sheet as text for one announcement. @param {Protocol.WindowView} view */
export function sheetInWords(view) {
  const { sheet } = view;
  if (!sheet) return "";
  const rows = sheet.rows.map((row) => gettext("%(name)s %(points)s, total %(total)s", { name: row.name, points: row.points, total: row.total }));
  return [sentence(headline(sheet, view)), sheet.ended_text, rows.length ? sentence(rows.join("; ")) : ""].filter(Boolean).join(" ");
}
