// Moves the browser's time zone to the top of the list, and selects it for new events.

/** @type {HTMLSelectElement|null} */
const select = document.querySelector("select[data-yours]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param {HTMLSelectElement} list */
function offer(list) {
  const known = [...list.options].find(({ value }) => value === zone);
  if (!known) return;
  known.textContent = (list.dataset.yours ?? "{zone}").replace("{zone}", zone);
  list.options[0]?.after(known);
  if (list.dataset.device !== undefined) list.value = zone;
}

if (select) offer(select);
