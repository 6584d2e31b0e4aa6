/** The life of a job at a shop, from its booking to the finished car. Safe in the browser. */
import type { Transitions } from '#platform/transitions.ts'

export const workOrderStates = [
  'open',
  'arrived',
  'in-bay',
  'done',
  'no-show',
  'wrong-vehicle',
  'wrong-tires',
  'refused',
] as const
export type WorkOrderState = (typeof workOrderStates)[number]

/** Where a job may go. The trigger `work_order_life` has the same moves. */
export const workOrderLife: Transitions<WorkOrderState> = {
  open: ['arrived', 'no-show', 'wrong-tires', 'refused'],
  arrived: ['in-bay', 'done', 'wrong-vehicle', 'wrong-tires', 'refused'],
  'in-bay': ['done', 'wrong-vehicle', 'wrong-tires', 'refused'],
  'wrong-vehicle': ['arrived', 'refused'],
  done: [],
  'no-show': [],
  'wrong-tires': [],
  refused: [],
}

export const workOrderStateWords: Readonly<Record<WorkOrderState, string>> = {
  open: 'Booked',
  arrived: 'Arrived',
  'in-bay': 'In bay',
  done: 'Done',
  'no-show': 'No-show',
  'wrong-vehicle': 'Wrong vehicle',
  'wrong-tires': 'Wrong tires',
  refused: 'Refused',
}

/** A car that comes this long after its time is on time; only then is it a no-show. */
export const noShowAfterMinutes = 15

/** Delays a shop can notify a customer of, in minutes. */
export const delayChoices = [15, 30, 45, 60, 90, 120] as const

/** Returns the longer delays after `told` minutes were sent. */
export function delayChoicesAfter(told: number | null): number[] {
  return delayChoices.filter((minutes) => minutes > (told ?? 0))
}

/** Shops take a car in on the evening before its day, and not earlier. */
export const arrivalDaysBefore = 1

/** A job can't start or end before its day, while parcels are in transit, or while tires are uncounted. */
export type NotReady =
  | { what: 'day'; from: Temporal.PlainDate }
  | { what: 'parcels'; open: number }
  | { what: 'pieces'; received: number; total: number }

/** A job's prerequisites, with days in the shop's time zone. */
export type Readiness = {
  day: Temporal.PlainDate
  today: Temporal.PlainDate
  /** Parcels that were not delivered yet. */
  openParcels: number
  pieces: readonly { quantity: number; received: number }[]
}

/** Why a car cannot be marked as here; undefined if it can. */
export function whyNotArrived({ day, today, openParcels, pieces }: Readiness): NotReady | undefined {
  const from = day.subtract({ days: arrivalDaysBefore })
  if (Temporal.PlainDate.compare(today, from) < 0) return { what: 'day', from }
  if (openParcels > 0) return { what: 'parcels', open: openParcels }
  return piecesMissing(pieces)
}

/** Returns the uncounted tires; undefined if all are there. The trigger `work_order_life` has the same rule. */
export function piecesMissing(pieces: Readiness['pieces']): Extract<NotReady, { what: 'pieces' }> | undefined {
  if (pieces.every(({ quantity, received }) => received >= quantity)) return undefined
  const sum = (of: (piece: Readiness['pieces'][number]) => number) => pieces.reduce((all, each) => all + of(each), 0)
  return {
    what: 'pieces',
    received: sum(({ quantity, received }) => Math.min(received, quantity)),
    total: sum(({ quantity }) => quantity),
  }
}

/** Why a shop may refuse a job, as the shopper reads it. */
export const refusalReasons = {
  rim: 'A rim is bent or cracked',
  stud: 'A bolt or stud is damaged',
  unsafe: 'The car is not safe to lift or drive',
  equipment: 'Our equipment cannot do this job',
  other: 'Another reason',
} as const
export type RefusalReason = keyof typeof refusalReasons
