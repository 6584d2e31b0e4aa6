/** Shop job kinds, and reasons to overlap an online booking. Safe in the browser. */
export type OwnJobKind = 'phone' | 'walk-in' | 'block'

export const ownJobKinds: Readonly<Record<OwnJobKind, string>> = {
  phone: 'Phone booking',
  'walk-in': 'Walk-in',
  block: 'Block: bay closed',
}

export type OverlapReason = 'second-technician' | 'quick-job' | 'customer-agreed'

export const overlapReasons: Readonly<Record<OverlapReason, string>> = {
  'second-technician': 'A second technician does it',
  'quick-job': 'A quick job in between',
  'customer-agreed': 'The customer agreed',
}

export type OwnJobState = 'planned' | 'done' | 'canceled'

/** What a shop enters. A block has no person. */
export type OwnJobInput = {
  bayId: number
  start: Temporal.Instant
  end: Temporal.Instant
  kind: OwnJobKind
  firstName: string | null
  phone: string | null
  vehicle: string | null
  tires: string | null
  note: string | null
  /** How much of its time is for a wheel alignment; null without one. */
  alignmentMinutes: number | null
}
