// Previews the chosen colour and face in the form.

const form = document.querySelector("form.look");

/** Return the classes and the letter of a face. @param {Element} face */
function read(face) {
  const one = (/** @type {string} */ kind) => [...face.classList].find((name) => name.startsWith(kind)) ?? "";
  return { tone: one("tone-"), sign: one("sign-"), letter: face.textContent ?? "" };
}

/** @param {Element} face @param {{tone: string, sign: string, letter: string}} look */
function wear(face, { tone, sign, letter }) {
  face.className = ["face", tone, sign].filter(Boolean).join(" ");
  face.textContent = letter;
}

/** Return the faces in one of the form's lists. @param {"color"|"sign"} name @param {string} [which] */
const offered = (name, which = "") => [...(form?.querySelectorAll(`input[name="${name}"]${which} + label .face`) ?? [])];

function tryOn() {
  const [color] = offered("color", ":checked").map(read);
  const [sign] = offered("sign", ":checked").map(read);
  if (!form || !color || !sign) return;
  const chosen = { ...sign, tone: color.tone };
  for (const face of offered("color")) wear(face, { ...chosen, tone: read(face).tone });
  for (const face of offered("sign")) wear(face, { ...read(face), tone: color.tone });
  for (const face of form.querySelectorAll(".look-preview .face")) wear(face, chosen);
}

form?.addEventListener("change", tryOn);
window.addEventListener("pageshow", tryOn);
