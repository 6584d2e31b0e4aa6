/** Facts about a vehicle's wheels for the shop that mounts its tires (rule FR50). They never change a result. */

/** Inclusive, in mm. */
type Range = { readonly min: number; readonly max: number }

/** Null for facts that no source states, or that sources state differently. */
export type WheelFacts = {
  /** Cold pressure, in psi. */
  readonly frontPsi: number | null
  readonly rearPsi: number | null
  /** Wheel offsets, in mm. */
  readonly frontOffsetMm: Range | null
  readonly rearOffsetMm: Range | null
  /** Bolt count and circle diameter in mm, such as "5x114.3". */
  readonly boltPattern: string | null
  readonly hubBoreMm: number | null
  readonly tpms: 'direct' | 'indirect' | 'none' | null
  /** For lug nuts or bolts, in pound-feet. */
  readonly torqueLbFt: number | null
}

/** Facts with their lists and dates such as 2026-10-05. */
export type SourcedWheelFacts = WheelFacts & { readonly sources: { name: string; date: string }[] }

/** Combines sources. A fact that one lacks is filled from the others, and one that they state differently is unknown. */
function combineWheelFacts(all: readonly WheelFacts[]): WheelFacts {
  return factsBy(
    (values) => onlyOf(values.filter((value) => value !== null)),
    (ranges) => overlapOf(ranges.filter((range) => range !== null)),
    all,
  )
}

/** Returns what applies to every possible trim and size. A fact that one of them lacks is unknown. */
export function commonWheelFacts(all: readonly WheelFacts[]): WheelFacts {
  return factsBy(
    (values) => onlyOf(values),
    (ranges) => (ranges.includes(null) ? null : overlapOf(ranges.filter((range) => range !== null))),
    all,
  )
}

/** Adds the sources; undefined if every fact is unknown. */
export function sourcedFacts(facts: WheelFacts, sources: SourcedWheelFacts['sources']): SourcedWheelFacts | undefined {
  return Object.values(facts).every((value) => value === null) ? undefined : { ...facts, sources }
}

/** Combines lists, and names each once. */
export function combineSourced(all: readonly SourcedWheelFacts[]): SourcedWheelFacts | undefined {
  return sourcedFacts(combineWheelFacts(all.map(factsOf)), sourcesOf(all))
}

/** Facts without their sources. */
export function factsOf({ sources: _sources, ...facts }: SourcedWheelFacts): WheelFacts {
  return facts
}

/** Returns each source once. */
export function sourcesOf(all: readonly SourcedWheelFacts[]): SourcedWheelFacts['sources'] {
  return [...new Map(all.flatMap(({ sources }) => sources).map((source) => [JSON.stringify(source), source])).values()]
}

/** Text such as "Wheel-Size, October 5, 2026". */
export function wheelSourceText(sources: SourcedWheelFacts['sources']): string {
  return sources
    .map(({ name, date }) => `${name}, ${Temporal.PlainDate.from(date).toLocaleString('en-US', { dateStyle: 'long' })}`)
    .join(' and ')
}

/** Rows with a label and value for each known fact, such as "Bolt pattern" and "5x114.3". */
export function wheelFactRows(facts: WheelFacts): { term: string; value: string }[] {
  const { boltPattern, hubBoreMm, tpms, torqueLbFt } = facts
  const rows: [term: string, value: string | null][] = [
    ['Cold pressure', axlesText(facts.frontPsi, facts.rearPsi, (psi) => `${psi} psi`)],
    ['Lug torque', torqueLbFt === null ? null : `${torqueLbFt} lb-ft`],
    ['Bolt pattern', boltPattern],
    ['Hub bore', hubBoreMm === null ? null : `${hubBoreMm} mm`],
    ['Wheel offset', axlesText(facts.frontOffsetMm, facts.rearOffsetMm, offsetText)],
    ['Tire pressure monitor', tpms === null ? null : tpmsNames[tpms]],
  ]
  return rows.flatMap(([term, value]) => (value === null ? [] : [{ term, value }]))
}

const tpmsNames = { direct: 'Direct', indirect: 'Indirect', none: 'None' } as const

function offsetText({ min, max }: Range): string {
  return min === max ? `${min} mm` : `${min} to ${max} mm`
}

/** One text if both axles have the same, and null if one is unknown. */
function axlesText<Value>(front: Value | null, rear: Value | null, show: (value: Value) => string): string | null {
  if (front === null || rear === null) return null
  const [first, last] = [show(front), show(rear)]
  return first === last ? first : `${first} front, ${last} rear`
}

function factsBy(
  one: <Value>(values: readonly (Value | null)[]) => Value | null,
  range: (ranges: readonly (Range | null)[]) => Range | null,
  all: readonly WheelFacts[],
): WheelFacts {
  return {
    frontPsi: one(all.map(({ frontPsi }) => frontPsi)),
    rearPsi: one(all.map(({ rearPsi }) => rearPsi)),
    frontOffsetMm: range(all.map(({ frontOffsetMm }) => frontOffsetMm)),
    rearOffsetMm: range(all.map(({ rearOffsetMm }) => rearOffsetMm)),
    boltPattern: one(all.map(({ boltPattern }) => boltPattern)),
    hubBoreMm: one(all.map(({ hubBoreMm }) => hubBoreMm)),
    tpms: one(all.map(({ tpms }) => tpms)),
    torqueLbFt: one(all.map(({ torqueLbFt }) => torqueLbFt)),
  }
}

/** The value if all are the same. */
function onlyOf<Value>(values: readonly (Value | null)[]): Value | null {
  return new Set(values).size === 1 ? (values[0] ?? null) : null
}

/** The part that all ranges share; null if there isn't one. */
function overlapOf(ranges: readonly Range[]): Range | null {
  if (ranges.length === 0) return null
  const [min, max] = [Math.max(...ranges.map((each) => each.min)), Math.min(...ranges.map((each) => each.max))]
  return min <= max ? { min, max } : null
}
