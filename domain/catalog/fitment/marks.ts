/** Carmaker marks on the sidewall, such as N0, MO, AO, * and T0. Rule FR34. */

/** "N1" → "N"; an unknown mark is its own family. */
export function markFamily(mark: string): string {
  return familyOf(mark)?.[0] ?? mark
}

/** "N1" → "Made to Porsche's order"; an unknown mark is described as a carmaker's. */
export function describeMark(mark: string): string {
  return `Made to ${familyOf(mark)?.[1] ?? 'a carmaker'}'s order`
}

function familyOf(mark: string): (typeof families)[number] | undefined {
  return families.find(([family]) => mark.startsWith(family))
}

/** Prefixes of marks, and their makers. */
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
