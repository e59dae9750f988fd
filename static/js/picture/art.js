// Converts cards, shapes and face signs into images for a canvas.

/** @param {string} name of a custom property */
export const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Sprite files by address. Each file is fetched once. @type {Map<string, Promise<Document>>} */
const files = new Map();

/** @param {string} address */
function load(address) {
  const known = files.get(address) ?? fetch(address).then(async (answer) => {
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    return new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  });
  files.set(address, known);
  known.catch(() => files.delete(address));
  return known;
}

/** @param {string} inside @param {string} box @param {number} width @param {number} height @param {string} [color] */
async function makeImage(inside, box, width, height, color = "") {
  const text = inside.replace(/var\((--[\w-]+)\)/gu, (_all, name) => token(name));
  const source = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}" color="${color}">${text}</svg>`;
  const image = new Image(width, height);
  image.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
  await image.decode();
  return image;
}

/** Return an image of a symbol in the card sprite: a card, or the shape of a colour.
 * @param {string} sprite @param {string} id @param {number} width @param {number} height @param {string} [color] */
export async function makeSymbolImage(sprite, id, width, height, color) {
  const symbol = (await load(sprite)).getElementById(id);
  return symbol ? makeImage(symbol.innerHTML, symbol.getAttribute("viewBox") ?? "", width, height, color) : null;
}

/** Return an image of the sign that a player has chosen for their face. @param {string} file @param {string} sign @param {number} size */
export async function makeSignImage(file, sign, size) {
  const drawn = (await load(file)).getElementById(sign);
  return drawn ? makeImage(drawn.innerHTML, drawn.getAttribute("viewBox") ?? "", size, size) : null;
}
