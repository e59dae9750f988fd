// Loads fonts for scripts that the device cannot draw.

const SCRIPTS = ["Arabic", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala"];
const LOOK_MS = 5000;
// An unassigned character. A device draws it as a box, like letters that it cannot draw.
const NO_LETTER = "\u0378";

/** Return a function that checks whether a text uses a script that the device cannot draw. Each script is measured
 * once.
 * @param {(letter: string) => number} width of a letter on this device */
export function makeScriptCheck(width) {
  const unknown = new Set(SCRIPTS);
  /** @param {string} name @param {string} text */
  const lacks = (name, text) => {
    const letters = new Set(text.match(new RegExp(`(?=\\p{Lo})\\p{Script=${name}}`, "gu")));
    if (letters.size) unknown.delete(name);
    return letters.size > 0 && [...letters].every((letter) => width(letter) === width(NO_LETTER));
  };
  return (/** @type {string} */ text) => {
    const any = new RegExp(`[${[...unknown].map((name) => `\\p{Script=${name}}`).join("")}]`, "u");
    return any.test(text) && [...unknown].some((name) => lacks(name, text));
  };
}

const pen = document.createElement("canvas").getContext?.("2d");
if (pen) pen.font = "32px sans-serif";
const lacksScript = makeScriptCheck((letter) => pen?.measureText(letter).width ?? 0);

function loadMissingLetters() {
  const typed = [...document.querySelectorAll("input, textarea")].map((each) => /** @type {HTMLInputElement} */ (each).value);
  const link = /** @type {HTMLLinkElement|null} */ (document.querySelector("link[disabled]"));
  if (!link || !pen) clearInterval(again);
  else if (!document.hidden && lacksScript(`${document.body.textContent} ${typed.join(" ")}`)) link.disabled = false;
}

const again = setInterval(loadMissingLetters, LOOK_MS);
loadMissingLetters();
