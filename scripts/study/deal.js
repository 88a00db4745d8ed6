// Deals bridge hands with a shuffle of JavaScript or of an npm package: 52 digits a deal, the seats
// (1 north to 4 west) of the cards from the ace of spades to the two of clubs.
//
//   node [--random-seed=N] deal.js METHOD DEALS SEED
//
// Every deal shuffles a new sorted deck, unless the method says "kept"; north gets the first
// thirteen cards, east the next thirteen, and so on. SEED is for methods that seed every deal.

"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");

const [method, deals, seed] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const packages = createRequire(path.join(process.env.STUDY_WORK ?? ".", "npm/index.js"));
const SORTED = Array.from({ length: 52 }, (_, card) => card);
const kept = SORTED.slice();
const below = (bound) => Math.floor(Math.random() * bound);
const swap = (deck, i, j) => {
  const card = deck[i];
  deck[i] = deck[j];
  deck[j] = card;
};

/** Swaps every place with any place of the deck: the classic wrong shuffle. */
function swapAny(deck) {
  for (let i = 0; i < 52; i++) swap(deck, i, below(52));
  return deck;
}

function fisherYates(deck) {
  for (let i = 51; i > 0; i--) swap(deck, i, below(i + 1));
  return deck;
}

/** Draws a place before the last one only: Sattolo's algorithm, which makes one cycle. */
function sattolo(deck) {
  for (let i = 51; i > 0; i--) swap(deck, i, below(i));
  return deck;
}

const ownDeck = new Map(
  ["Spade", "Heart", "Diamond", "Club"].flatMap((suit, s) =>
    Array.from({ length: 13 }, (_, r) => [`${suit}${14 - r}`, 13 * s + r]),
  ),
);

/** A function of a new deck and the number of the deal that returns the shuffled deck, by method. */
const METHODS = {
  "fisher-yates": () => fisherYates,
  sort: () => (deck) => deck.sort(() => Math.random() - 0.5),
  "sort-kept": () => () => kept.sort(() => Math.random() - 0.5),
  "swap-any": () => swapAny,
  "swap-any-kept": () => () => swapAny(kept),
  sattolo: () => sattolo,
  "sort-by-key": () => (deck) =>
    deck
      .map((card) => [Math.random(), card])
      .sort((a, b) => a[0] - b[0])
      .map((pair) => pair[1]),
  shuffle: () => {
    const { shuffle } = packages("shuffle");
    return () => shuffle().cards.map((card) => ownDeck.get(card.suit + card.sort));
  },
  lodash: () => packages("lodash").shuffle,
  "lodash.shuffle": () => packages("lodash.shuffle"),
  underscore: () => packages("underscore").shuffle,
  "just-shuffle": () => packages("just-shuffle"),
  "fast-shuffle": () => packages("fast-shuffle").shuffle,
  "shuffle-list": () => packages("shuffle-list"),
  "secure-shuffle": () => packages("secure-shuffle"),
  "crypto-shuffle": () => packages("crypto-shuffle"),
  "knuth-shuffle": () => packages("knuth-shuffle").knuthShuffle,
  "knuth-shuffle-seeded": () => (deck) => packages("knuth-shuffle-seeded")(deck),
  deck: () => packages("deck").shuffle,
  "wink-helpers": () => packages("wink-helpers").array.shuffle,
  mout: () => packages("mout/array/shuffle"),
  sugar: () => packages("sugar").Array.shuffle,
  "collect.js": () => (deck) => packages("collect.js")(deck).shuffle().all(),
  rambdax: () => packages("rambdax").shuffle,
  radash: () => packages("radash").shuffle,
  remeda: () => (deck) => packages("remeda").shuffle(deck),
  "es-toolkit": () => packages("es-toolkit").shuffle,
  "@grandom/shuffle": () => packages("@grandom/shuffle"),
  "@algorithm.ts/shuffle": () => {
    const { knuthShuffle } = packages("@algorithm.ts/shuffle");
    return (deck) => {
      knuthShuffle(deck);
      return deck;
    };
  },
  "@faker-js/faker": () => {
    const { faker } = packages("@faker-js/faker");
    faker.seed(seed);
    return (deck) => faker.helpers.shuffle(deck);
  },
  chance: () => {
    const chance = new (packages("chance"))(seed);
    return (deck) => chance.shuffle(deck);
  },
  "random-js": () => {
    const { MersenneTwister19937, shuffle } = packages("random-js");
    const engine = MersenneTwister19937.seed(seed);
    return (deck) => shuffle(engine, deck);
  },
  "shuffle-seed": () => (deck, number) => packages("shuffle-seed").shuffle(deck, `${seed} ${number}`),
  seededshuffle: () => (deck, number) => packages("seededshuffle").shuffle(deck, number + 1, true),
  "seededshuffle-random": () => (deck) => packages("seededshuffle").shuffle(deck, below(2 ** 31), true),
  "seed-shuffle": () => (deck, number) => packages("seed-shuffle").shuffle(deck, number + 1),
  "seed-shuffle-random": () => (deck) => packages("seed-shuffle").shuffle(deck, 1 + below(2 ** 31)),
};

/** The modules that have only the import syntax. */
const MODULES = {
  "array-shuffle": (module) => (deck) => (module.arrayToShuffled ?? module.default)(deck),
  "d3-array": (module) => (deck) => module.shuffle(deck),
};

async function shuffler() {
  if (MODULES[method]) {
    const file = path.join(process.env.STUDY_WORK ?? ".", "npm/node_modules", method);
    const { main } = JSON.parse(fs.readFileSync(path.join(file, "package.json"), "utf8"));
    return MODULES[method](await import(path.join(file, main ?? "index.js")));
  }
  if (!METHODS[method]) throw new Error(`unknown method ${method}`);
  return METHODS[method]();
}

function write(bytes) {
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += fs.writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

shuffler().then((shuffle) => {
  const block = 20000;
  for (let number = 0; number < deals; ) {
    const bytes = Buffer.alloc(52 * Math.min(block, deals - number));
    for (let at = 0; at < bytes.length; at += 52, number++) {
      const deck = shuffle(SORTED.slice(), seed * 100000000 + number);
      for (let place = 0; place < 52; place++) bytes[at + deck[place]] = 49 + Math.floor(place / 13);
    }
    write(bytes);
  }
});
