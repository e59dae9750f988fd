// Adds the current time to printed pages, whether they are printed by the button or the browser.

/** @type {Intl.DateTimeFormatOptions} */
const STYLE = {
  weekday: "short",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};

/** Format the moment like the server (`tournament/common/moments.py`). `told` is a moment formatted by the server,
 * which ends with the name of the time zone.
 * @param {Date} moment @param {string} told @param {string} zone @param {string} language */
export function momentText(moment, told, zone, language) {
  const format = new Intl.DateTimeFormat(language, { ...STYLE, timeZone: zone, numberingSystem: "latn" });
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const day = `${parts.weekday} ${parts.day} ${parts.month} ${parts.year}`;
  return `${day}, ${parts.hour}:${parts.minute} ${told.split(" ").at(-1)}`;
}

function tellNow() {
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".printed [data-zone]"))) {
    const { zone = "" } = shown.dataset;
    shown.textContent = momentText(new Date(), shown.textContent, zone, document.documentElement.lang);
  }
}

if (typeof document !== "undefined") {
  document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
  window.addEventListener("beforeprint", tellNow);
}
