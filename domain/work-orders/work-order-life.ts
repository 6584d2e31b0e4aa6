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

/** The states that end an appointment without work: the shopper is offered another time, shop or delivery. */
export const undoneStates = ['wrong-tires', 'refused'] as const
export type UndoneState = (typeof undoneStates)[number]

/** A car that comes this long after its time is on time; only then is it a no-show. */
export const noShowAfterMinutes = 15

/** Why a shop may refuse a job, as the shopper reads it. */
export const refusalReasons = {
  rim: 'A rim is bent or cracked',
  stud: 'A bolt or stud is damaged',
  unsafe: 'The car is not safe to lift or drive',
  equipment: 'Our equipment cannot do this job',
  other: 'Another reason',
} as const
export type RefusalReason = keyof typeof refusalReasons
