// Unsaved changes of seats. The server decides what each move does and whether it is allowed.

export class Arrangement {
  /** The player to move. @type {string|null} */
  chosen = null;
  /** @type {{ player: string, target: string }[]} */
  moves = [];

  /** Choose a player, cancel the choice, or swap the chosen player with this one. Return whether a swap was added.
   * @param {string} player */
  press(player) {
    if (this.chosen !== null && this.chosen !== player) return this.place(`swap:${player}`);
    this.chosen = this.chosen === player ? null : player;
    return false;
  }

  /** Move the chosen player to `table:3`, `swap:7`, `new`, `out` or `bye`. @param {string} target */
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

  /** Return the moves in the format of the server. @returns {string[]} */
  written() {
    return this.moves.map(({ player, target }) => `${player}>${target}`);
  }
}
