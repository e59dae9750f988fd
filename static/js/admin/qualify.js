// Adapts the number field next to the cut rule. Its label depends on the rule, and it is hidden if the rule needs
// no number.
import { part } from "../elements.js";

/** @type {HTMLFormElement|null} */
const form = document.querySelector("[data-number-of]");

/** @param {HTMLSelectElement} rule @param {HTMLElement} label @param {Record<string, string>} titles by rule */
function follow({ value }, label, titles) {
  label.hidden = titles[value] === undefined;
  if (titles[value]) part(label, "span").textContent = titles[value];
}

if (form) {
  /** @type {HTMLSelectElement} */
  const rule = part(form, "[name=qualify_rule]");
  const label = part(form, "label:has([name=qualify_value])");
  const titles = JSON.parse(form.dataset.numberOf ?? "{}");
  const show = () => follow(rule, label, titles);
  show();
  rule.addEventListener("change", show);
}
