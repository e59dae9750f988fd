// Changes of seats that are not saved yet: who is chosen, and who goes where, one after the other.
// What a change does, and whether it may be, the server says.

export class Arrangement {
  /** @type {string|null} the player who is to be moved */
  chosen = null;
  /** @type {{ player: string, target: string }[]} */
  moves = [];

  /** A player is pressed: chosen, let go again, or the one to swap with. Whether that is a move. @param {string} player */
  press(player) {
    if (this.chosen !== null && this.chosen !== player) return this.place(`swap:${player}`);
    this.chosen = this.chosen === player ? null : player;
    return false;
  }

  /** The chosen player goes there: `table:3`, `swap:7`, `new`, `out` or `bye`. @param {string} target */
  place(target) {
    if (this.chosen === null) return false;
    this.moves.push({ player: this.chosen, target });
    this.chosen = null;
    return true;
  }

  cancel() {
    this.chosen = null;
  }

  undo() {
    this.moves.pop();
    this.chosen = null;
  }

  clear() {
    this.moves = [];
    this.chosen = null;
  }

  /** As the server reads them. @returns {string[]} */
  written() {
    return this.moves.map(({ player, target }) => `${player}>${target}`);
  }
}
