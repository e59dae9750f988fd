// Text in a box of a picture: as large as it fits, in so many lines. Pure.

/** @typedef {(text: string, size: number) => number} Measure the width of a text in pixels */
/** @typedef {{width: number, lines: number, most: number, least: number}} Box `most`, `least`: sizes of its type */

const STEP = 4;

/** @param {string} text @param {Box} box @param {Measure} measure @returns {{size: number, lines: string[]}} */
export function fitLines(text, { width, lines: most, most: largest, least }, measure) {
  for (let size = largest; size > least; size -= STEP) {
    const lines = wrap(text.split(/\s+/u).filter(Boolean), width, (part) => measure(part, size));
    if (lines && lines.length <= most) return { size, lines: balance(lines, width, (part) => measure(part, size)) };
  }
  const parts = splitLong(text, width, (part) => measure(part, least));
  const lines = wrap(parts, width, (part) => measure(part, least)) ?? parts;
  return { size: least, lines: lines.length > most ? cut(lines, most, width, (part) => measure(part, least)) : lines };
}

/** The words in lines, null where a word is wider than the box.
 * @param {string[]} words @param {number} width @param {(text: string) => number} measure */
function wrap(words, width, measure) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words) {
    if (measure(word) > width) return null;
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** As many lines, but of like width: no word stands alone.
 * @param {string[]} lines @param {number} width @param {(text: string) => number} measure */
function balance(lines, width, measure) {
  const words = lines.join(" ").split(" ");
  for (let narrow = width / 2; narrow < width; narrow += width / 20) {
    const found = wrap(words, narrow, measure);
    if (found && found.length <= lines.length) return found;
  }
  return lines;
}

/** Words that are too wide in themselves come apart between letters.
 * @param {string} text @param {number} width @param {(text: string) => number} measure */
function splitLong(text, width, measure) {
  return text.split(/\s+/u).flatMap((word) => {
    if (measure(word) <= width) return [word];
    /** @type {string[]} */
    const parts = [""];
    for (const letter of lettersOf(word)) {
      if (measure(parts[parts.length - 1] + letter) > width) parts.push("");
      parts[parts.length - 1] += letter;
    }
    return parts;
  });
}

/** What readers take for letters: signs of vowels stay with theirs. @param {string} word */
function lettersOf(word) {
  if (!Intl.Segmenter) return [...word];
  return Array.from(new Intl.Segmenter().segment(word), ({ segment }) => segment);
}

/** @param {string[]} lines @param {number} most @param {number} width @param {(text: string) => number} measure */
function cut(lines, most, width, measure) {
  const kept = lines.slice(0, most);
  const letters = lettersOf(kept[most - 1]);
  while (letters.length && measure(`${letters.join("")}…`) > width) letters.pop();
  return [...kept.slice(0, -1), `${letters.join("").trimEnd()}…`];
}
