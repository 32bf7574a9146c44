// Who looks like whom. Package names of the house has the same list; a test compares the two.

/** Letters that are drawn alike, in the scripts that the house is read in: in each word, all of them. */
const drawnAlike =
  'aаα bвβьъ6 cсϲ dԁ eеεє 3зэ gɡ hнһη i1lіїι|ıӏ!ǀ jј kкκ mмμ nпν o0оοσө pрρ qԛ sѕ5 tтτ uυ vѵ wԝшщω xхχ yуүγ zζ'.split(
    ' ',
  );
const drawnAs = new Map(drawnAlike.flatMap(([first, ...others]) => others.map((letter) => [letter, first!])));

/** The same for names that look alike: without what is not drawn, marks, gaps and capitals. */
export function skeleton(name: string): string {
  const letters = name.normalize('NFKD').replace(/[\p{M}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
  return [...letters.toLowerCase()].map((letter) => drawnAs.get(letter) ?? letter).join('');
}

/** The places of people at one table who look alike by their names. */
export function lookalikes(seats: { name: string; bot: string }[]): Set<number> {
  const bodies = seats.map(({ name, bot }) => (bot ? '' : skeleton(name)));
  return new Set(
    bodies.flatMap((body, i) => (body && bodies.some((other, j) => j !== i && other === body) ? [i] : [])),
  );
}
