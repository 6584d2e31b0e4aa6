/** Wheel positions for a job's tires. Safe in the browser. */

/** LI and RI are the inner wheels of a dual axle, SP the spare; L1 and on are tires that are not mounted on this car. */
export const positionNames: Readonly<Record<string, string>> = {
  LF: 'Left front',
  RF: 'Right front',
  LR: 'Left rear',
  RR: 'Right rear',
  LI: 'Left inner rear',
  RI: 'Right inner rear',
  SP: 'Spare',
}

const loose = Array.from({ length: 40 }, (_, index) => `L${index + 1}`)
/** Every position, in the order in which tires are given one. */
export const wheelPositions: readonly string[] = [...Object.keys(positionNames), ...loose]

/** "Left front", or "Loose tire 2". */
export function positionName(position: string): string {
  return positionNames[position] ?? `Loose tire ${position.slice(1)}`
}

/** A line of tires to install, as ordered less canceled units. */
export type TireLine = { lineNo: number; axle: string | null; quantity: number }

/** One tire in a job. `isFixed` means that its position follows from the order and isn't asked. */
export type TireSlot = { lineNo: number; nth: number; position: string; isFixed: boolean }

const ofAxle: Readonly<Record<string, readonly string[]>> = { front: ['LF', 'RF'], rear: ['LR', 'RR', 'LI', 'RI'] }

/**
 * Returns a job's tires, each with a unique position. Two in front, two or four at the rear, or four equal tires have
 * fixed positions; for other numbers the technician enters them.
 */
export function slotsOf(lines: readonly TireLine[]): TireSlot[] {
  const total = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const taken = new Set<string>()
  return lines.flatMap(({ lineNo, axle, quantity }) =>
    Array.from({ length: quantity }, (_, index) => {
      const own = ofAxle[axle ?? '']
      const wanted = own ? [...own.slice(0, quantity), ...wheelPositions] : wheelPositions
      const position = wanted.find((each) => !taken.has(each)) ?? `L${index + 1}`
      taken.add(position)
      const isFixed = own
        ? quantity % 2 === 0 && quantity <= own.length && own.includes(position)
        : total === 4 && lines.length === 1
      return { lineNo, nth: index + 1, position, isFixed }
    }),
  )
}
