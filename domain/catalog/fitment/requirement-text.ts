/** What a vehicle requires of its tires, axle by axle, in words that a shop reads on the work order. */
import {
  describeLoadIndex,
  describeLoadRange,
  describeSpeed,
  sizeDesignation,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Axle, AxleRequirement, Requirement } from './terms.ts'
import type { RequirementSource } from './verdict.ts'
import { wheelSourceText, type SourcedWheelFacts } from './wheel-facts.ts'

export type RequirementRow = { label: 'Size' | 'Load' | 'Speed' | 'Cold pressure'; front: string; rear: string }

/** A cell, or one of its values, that no source states. */
export const unknownRequirement = 'Not known'

/** A requirement as plain data that is stored with an order. Older orders have no wheel facts. */
export type StatedRequirement = {
  source: RequirementSource
  sourceDate: string | null
  rows: RequirementRow[]
  wheels?: SourcedWheelFacts
}

/** Where trim or year is open, a cell lists every value that the vehicle may require. Pressure is in psi. */
export function stateRequirement({ source, sourceDate, configurations, wheels }: Requirement): StatedRequirement {
  const cell = (axle: Axle, show: (required: AxleRequirement) => string | undefined) =>
    [...new Set(configurations.map((configuration) => show(configuration[axle]) ?? unknownRequirement))].join(' or ') ||
    unknownRequirement
  return {
    source,
    sourceDate: sourceDate ?? null,
    rows: shown.map(([label, show]) => {
      const row = { label, front: cell('front', show), rear: cell('rear', show) }
      return label === 'Cold pressure' && wheels ? withListedPressure(row, wheels) : row
    }),
    ...(wheels && { wheels }),
  }
}

/** A pressure from a list, with its source. Without both axles, the label has to be read. */
function withListedPressure(row: RequirementRow, { frontPsi, rearPsi, sources }: SourcedWheelFacts): RequirementRow {
  if (row.front !== unknownRequirement || row.rear !== unknownRequirement || frontPsi === null || rearPsi === null)
    return row
  const from = wheelSourceText(sources)
  return { ...row, front: `${frontPsi} psi (${from})`, rear: `${rearPsi} psi (${from})` }
}

const shown: readonly [RequirementRow['label'], (required: AxleRequirement) => string | undefined][] = [
  ['Size', ({ size }) => size && sizeDesignation(size)],
  ['Load', loadText],
  ['Speed', ({ speed }) => (speed === undefined ? undefined : describeSpeed(speed))],
  ['Cold pressure', ({ pressurePsi }) => (pressurePsi === undefined ? undefined : `${pressurePsi} psi`)],
]

/** Text such as "102: carries 1,874 lb, XL", or the load range if the placard doesn't have the index. */
function loadText({ loadIndex, loadClass, loadRange }: AxleRequirement): string | undefined {
  const parts = [
    loadIndex === undefined ? undefined : describeLoadIndex(loadIndex),
    loadClass === undefined || loadClass === 'SL' ? undefined : loadClass,
    loadRange === undefined ? undefined : `load range ${describeLoadRange(loadRange)}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(', ')
}
