/** What a vehicle requires of its tires, axle by axle, in words that a shop reads on the work order. */
import {
  describeLoadIndex,
  describeLoadRange,
  describeSpeed,
  sizeDesignation,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Axle, AxleRequirement, Requirement } from './terms.ts'
import type { RequirementSource } from './verdict.ts'

export type RequirementRow = { label: 'Size' | 'Load' | 'Speed' | 'Cold pressure'; front: string; rear: string }

/** A cell, or one of its values, that no source states. */
export const unknownRequirement = 'Not known'

/** A requirement as it is stored with an order: plain data. */
export type StatedRequirement = { source: RequirementSource; sourceDate: string | null; rows: RequirementRow[] }

/** Where trim or year is open, a cell lists every value that the vehicle may require. Pressure is in psi. */
export function stateRequirement({ source, sourceDate, configurations }: Requirement): StatedRequirement {
  const cell = (axle: Axle, show: (required: AxleRequirement) => string | undefined) =>
    [...new Set(configurations.map((configuration) => show(configuration[axle]) ?? unknownRequirement))].join(' or ') ||
    unknownRequirement
  return {
    source,
    sourceDate: sourceDate ?? null,
    rows: shown.map(([label, show]) => ({ label, front: cell('front', show), rear: cell('rear', show) })),
  }
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
