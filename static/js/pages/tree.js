// Highlights a player's path through the bracket while the pointer or the focus is on the name.

/** @type {string|null} */
let lit = null;

/** @param {Event} event */
function light(event) {
  const seat = /** @type {Element} */ (event.target).closest(".tree [data-player]");
  const player = seat?.getAttribute("data-player") ?? null;
  if (player === lit) return;
  lit = player;
  for (const each of document.querySelectorAll(".tree [data-player]")) {
    each.classList.toggle("lit", each.getAttribute("data-player") === player);
  }
  for (const cell of document.querySelectorAll(".tree-cell")) {
    cell.classList.toggle("lit", cell.querySelector("li.lit") !== null);
  }
}

for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, light);
