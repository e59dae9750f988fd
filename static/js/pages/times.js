// Adds the remaining time and the reader's local time to future dates.
import { gettext } from "../text.js";

const AGAIN_MS = 20_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** Return the time until a moment, such as "in 2 h 10 min" or "in 9 days", or "" once it has passed. Days are
 * calendar days in the moment's time zone.
 * @param {string} iso with the zone's offset @param {number} now in milliseconds */
export function timeUntil(iso, now) {
  const minutes = Math.ceil((Date.parse(iso) - now) / MINUTE);
  const hours = Math.floor(minutes / 60);
  if (minutes <= 0) return "";
  if (hours === 0) return gettext("in %(minutes)s min", { minutes });
  if (hours < 48) return gettext("in %(hours)s h %(minutes)s min", { hours, minutes: minutes % 60 });
  return gettext("in %(days)s days", { days: countNights(iso, now) });
}

/** Count the midnights until the moment, in the moment's time zone. @param {string} iso @param {number} now */
function countNights(iso, now) {
  const offset = Date.parse(`${iso.slice(0, 19)}Z`) - Date.parse(`${iso.slice(0, 19)}${iso.slice(-6)}`);
  const [today, day] = [new Date(now + offset).toISOString(), iso].map((text) => Date.parse(text.slice(0, 10)));
  return Math.round((day - today) / DAY);
}

/** Return the moment in the reader's local time, or "" if that equals the displayed time.
 * @param {string} iso with the zone's offset @param {string} language @param {string} [zone] */
export function localTime(iso, language, zone) {
  const moment = new Date(iso);
  const own = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  if (own.format(moment).replace(" ", "T") === iso.slice(0, 16)) return "";
  const style = new Intl.DateTimeFormat(language, { timeZone: zone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return gettext("%(time)s your time", { time: style.format(moment) });
}

/** @param {HTMLTimeElement} time */
function showNote(time) {
  const left = timeUntil(time.dateTime, Date.now());
  const note = time.nextElementSibling?.matches(".ahead") ? time.nextElementSibling : document.createElement("small");
  note.className = "ahead";
  const text = left && [left, localTime(time.dateTime, document.documentElement.lang)].filter(Boolean).join(" · ");
  // In a definition list the note is a line of its own; inside a sentence it is in parentheses.
  note.textContent = time.matches("dd > time") ? text : ` (${text})`;
  if (left) time.after(note);
  else note.remove();
}

function showNotes() {
  for (const time of document.querySelectorAll("time[datetime]")) showNote(/** @type {HTMLTimeElement} */ (time));
}

if (typeof document !== "undefined") {
  showNotes();
  setInterval(showNotes, AGAIN_MS);
}
