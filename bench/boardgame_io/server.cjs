/* A matching card game for four players on boardgame.io, written as in its documentation. Matches
 * are in memory or, with DATABASE_URL, in PostgreSQL. Usage: node server.cjs PORT */
const { PlayerView, INVALID_MOVE } = require("boardgame.io/core");
const { Server, Origins } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");

const HAND = 7;
const COLORS = ["R", "Y", "G", "B"];
const FACES = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** Returns two of each card, 80 in total. */
function deck() {
  const cards = COLORS.flatMap((color) => FACES.map((face) => color + face));
  return [...cards, ...cards];
}

/** Returns whether a card matches the top card. */
function fits(card, top) {
  return card[0] === top[0] || card[1] === top[1];
}

/** Deals the cards. A new deal follows after a win or an empty pile, so a match never ends. */
function deal(G, ctx, random) {
  const cards = random.Shuffle(deck());
  for (const player of ctx.playOrder) G.players[player] = { hand: cards.splice(0, HAND) };
  G.counts = Object.fromEntries(ctx.playOrder.map((player) => [player, HAND]));
  G.top = cards.pop();
  G.secret = { pile: cards };
}

const game = {
  name: "cards",
  setup: ({ ctx, random }) => {
    const G = { players: {} };
    deal(G, ctx, random);
    return G;
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, ctx, playerID, random }, index) => {
        const { hand } = G.players[playerID];
        const card = hand[index];
        if (card === undefined || !fits(card, G.top)) return INVALID_MOVE;
        hand.splice(index, 1);
        G.top = card;
        G.counts[playerID] -= 1;
        if (!hand.length) deal(G, ctx, random);
      },
    },
    draw: {
      client: false,
      move: ({ G, ctx, playerID, random }) => {
        if (!G.secret.pile.length) deal(G, ctx, random);
        G.players[playerID].hand.push(G.secret.pile.pop());
        G.counts[playerID] += 1;
      },
    },
  },
};

/** Returns a store for this database. Its host may be the folder of a socket, as in "%2Fvar%2Frun".
 * */
function store(url) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const [host, user, secret, database] = [hostname, username, password, pathname.slice(1)].map(decodeURIComponent);
  return new PostgresStore({ host, port: port || 5432, username: user, password: secret, database, logging: false });
}

const db = process.env.DATABASE_URL && store(process.env.DATABASE_URL);
Server({ games: [game], origins: [Origins.LOCALHOST], db }).run(Number(process.argv[2]));
