// Highlights a player's path through the bracket while the name is hovered or focused.

/** @type {string|null} */
let highlighted = null;

/** @param {Event} event */
function highlightPath(event) {
  const seat = /** @type {Element} */ (event.target).closest(".tree [data-player]");
  const player = seat?.getAttribute("data-player") ?? null;
  if (player === highlighted) return;
  highlighted = player;
  for (const each of document.querySelectorAll(".tree [data-player]")) {
    each.classList.toggle("lit", each.getAttribute("data-player") === player);
  }
  for (const cell of document.querySelectorAll(".tree-cell")) {
    cell.classList.toggle("lit", cell.querySelector("li.lit") !== null);
  }
}

for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, highlightPath);
