// The number beside a rule for going through: named after the rule, away where the rule has none.
const form = document.querySelector("[data-number-of]");

function follow() {
  const rule = form.elements.qualify_rule.value;
  const number = form.elements.qualify_value;
  const title = JSON.parse(form.dataset.numberOf)[rule];
  const label = number.closest("label");
  label.hidden = title === undefined;
  if (title) label.querySelector("span").textContent = title;
}

if (form) {
  follow();
  form.elements.qualify_rule.addEventListener("change", follow);
}
