// The number beside a rule for going through: named after the rule, away where the rule has none.
/** @type {HTMLFormElement} */
const form = document.querySelector("[data-number-of]");

/** @returns {any} */
function field(name) {
  return form.elements.namedItem(name);
}

function follow() {
  const rule = field("qualify_rule").value;
  const number = field("qualify_value");
  const title = JSON.parse(form.dataset.numberOf)[rule];
  const label = number.closest("label");
  label.hidden = title === undefined;
  if (title) label.querySelector("span").textContent = title;
}

if (form) {
  follow();
  field("qualify_rule").addEventListener("change", follow);
}
