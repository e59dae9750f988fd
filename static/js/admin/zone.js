// Offers the browser's time zone and the site's own above the long list of all zones. A new event gets the
// browser's zone unless another one is chosen.

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
