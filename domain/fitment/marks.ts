/** Marks that carmakers have put on the sidewall of tires made to their order: N0, MO, AO, *, T0. Rule FR34. */

/** "N1" → "N"; a mark we do not know is its own family. */
export function markFamily(mark: string): string {
  return familyOf(mark)?.[0] ?? mark
}

/** "N1" → "Made to Porsche's order"; a mark whose maker we do not know is told as a carmaker's. */
export function describeMark(mark: string): string {
  return `Made to ${familyOf(mark)?.[1] ?? 'a carmaker'}'s order`
}

function familyOf(mark: string): (typeof families)[number] | undefined {
  return families.find(([family]) => mark.startsWith(family))
}

/** How the marks of a maker begin, and whose they are. */
const families: readonly (readonly [family: string, maker: string])[] = [
  ['N', 'Porsche'],
  ['MO', 'Mercedes-Benz'],
  ['AO', 'Audi'],
  ['RO', 'Audi'],
  ['*', 'BMW'],
  ['T', 'Tesla'],
  ['J', 'Jaguar'],
  ['LR', 'Land Rover'],
  ['VOL', 'Volvo'],
]
