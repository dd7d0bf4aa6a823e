const PARTS = [
  'Coral reefs are built by tiny animals called polyps, and each polyp is smaller than a grain of rice.',
  'A polyp takes calcium and carbonate out of the sea water and lays down limestone beneath itself.',
  'Inside the polyp live algae that turn sunlight into sugar, and they feed the animal that shelters them.',
  'When the water stays too warm for weeks, the polyp expels its algae and turns white.',
  'A bleached coral is still alive, and it can recover when the water cools in time.',
  'Divers count the colours of a reef with a printed card, because eyes get used to blue.',
  'A heap of skeletons becomes a reef only when red algae cement the rubble together.',
  'Parrotfish bite the rock for the algae in it, and what comes out behind is the white sand of the beaches.',
  'Storms break the branching corals first, and the broken pieces can grow into new colonies.',
  'Half of the coral cover of the world has been lost since the nineteen fifties.',
  'Nurseries hang fragments on ropes in mid water, where no snail and no sand can reach them.',
  'The oldest colonies have grown for more than four thousand years in the cold and the dark.',
];

/** A talk of about seven minutes at 150 words a minute; its words are all that the bench needs. */
export const TALK = {
  title: 'How reefs are built',
  language: 'en',
  text: Array.from({ length: 5 }, (_, round) =>
    PARTS.slice(round).concat(PARTS.slice(0, round)).join(' '),
  ).join(' '),
};
