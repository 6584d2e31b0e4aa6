/** The reasons of returns, the states of their tires, the fee, and how all are worded. */
import { REFUND_WITHIN_HOURS, RETURN_PHOTOS_MAX } from '#platform/business-constants.ts'
import type { OrderTerms } from '#domain/ordering/orders/orders.ts'
import { formatCents } from '#platform/money.ts'
import type { Transitions } from '#platform/transitions.ts'
import { countOf } from '#platform/count-text.ts'

export const returnPhotosMax = RETURN_PHOTOS_MAX
export const refundWithinHours = REFUND_WITHIN_HOURS

/** States of a return's tire. The database has the same table (`return_tire_life`). */
export type ReturnTireState =
  | 'requested'
  | 'labeled'
  | 'shipped'
  | 'received'
  | 'accepted'
  | 'refused'
  | 'refunded'
  | 'canceled'
export const returnTireLife: Transitions<ReturnTireState> = {
  requested: ['labeled', 'received', 'canceled'],
  labeled: ['shipped', 'received', 'canceled'],
  shipped: ['received'],
  received: ['accepted', 'refused'],
  accepted: ['refunded'],
  refused: [],
  refunded: [],
  canceled: [],
}
export const returnTireStates = Object.keys(returnTireLife) as ReturnTireState[]

/** Whether a tire may go from one state to another. */
export function mayTireMove(from: ReturnTireState, to: ReturnTireState): boolean {
  return returnTireLife[from].includes(to)
}

/** A return is as far as the tire that is behind; tires that are done count once all are. */
export function returnState(tires: readonly { state: ReturnTireState }[]): ReturnTireState {
  const order: ReturnTireState[] = [
    'requested',
    'labeled',
    'shipped',
    'received',
    'accepted',
    'refunded',
    'refused',
    'canceled',
  ]
  return order.find((state) => tires.some((tire) => tire.state === state)) ?? 'canceled'
}

/**
 * Returns whether a return can be canceled. Canceling applies to the whole return, and ends when the first tire ships.
 */
export function canCancelReturn(tires: readonly { state: ReturnTireState }[]): boolean {
  return tires.length > 0 && tires.every(({ state }) => mayTireMove(state, 'canceled'))
}

export const returnReasons = ['wrong-size', 'changed-mind', 'damaged', 'wrong-item', 'late', 'short'] as const
export type ReturnReason = (typeof returnReasons)[number]

/** The reasons in the shopper's words. */
export const returnReasonWords: Readonly<Record<ReturnReason, string>> = {
  'wrong-size': 'They’re the wrong size for my car',
  'changed-mind': 'I changed my mind',
  damaged: 'One is damaged or has a defect',
  'wrong-item': 'I got the wrong item',
  late: 'They arrived too late',
  short: 'A tire is missing',
}

/** The states of a return in a shopper's words. */
export const returnStateWords: Readonly<Record<ReturnTireState, string>> = {
  requested: 'Return requested',
  labeled: 'Labels emailed',
  shipped: 'On the way to us',
  received: 'Received',
  accepted: 'Accepted, refund due',
  refused: 'Refused',
  refunded: 'Refunded',
  canceled: 'Canceled',
}

/** Returns whether a reason must be reported soon after delivery, because later the cause of damage is unclear. */
export function mustReportSoon(reason: ReturnReason): boolean {
  return reason === 'damaged' || reason === 'short'
}

/** Reasons that a picture has to show. */
export function requiresPhotos(reason: ReturnReason): boolean {
  return reason === 'damaged' || reason === 'wrong-item'
}

/** Returns whether the tires ship back to us, which excludes those that never arrived. */
export function shipsBack(reason: ReturnReason): boolean {
  return reason !== 'short'
}

/** Outcomes for a returned tire. `send-back` means that it is refused. */
export const returnOutcomes = ['restock', 'blemished', 'supplier', 'scrap', 'send-back'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]
export const returnOutcomeWords: Readonly<Record<ReturnOutcome, string>> = {
  restock: 'Back to stock',
  blemished: 'Sell as blemished',
  supplier: 'To the supplier',
  scrap: 'Scrap',
  'send-back': 'Refuse, send back',
}

export const feeReasons = ['due', 'reordered', 'said-to-fit', 'our-mistake'] as const
export type FeeReason = (typeof feeReasons)[number]

/** Text for the fee row, explaining the handling fee or its waiver. */
export function feeReasonText(reason: FeeReason, terms: Pick<OrderTerms, 'returnFeeCents'>): string {
  return reason === 'due' ? `${formatCents(terms.returnFeeCents)} a tire` : waiverWords[reason]
}

const waiverWords: Readonly<Record<Exclude<FeeReason, 'due'>, string>> = {
  reordered: 'Waived: the right size is ordered',
  'said-to-fit': 'Waived: we said they fit',
  'our-mistake': 'Waived: this one is on us',
}

/**
 * Returns the handling fee decision. It is waived for our mistakes, for a wrong size that we said fits, and when the
 * right size is ordered.
 */
export function feeReasonFor(asked: {
  reason: ReturnReason
  wasSaidToFit: boolean
  /** Whether the right size was ordered instead, and that order was not canceled. */
  isReordered: boolean
}): FeeReason {
  switch (asked.reason) {
    case 'damaged':
    case 'wrong-item':
    case 'late':
    case 'short':
      return 'our-mistake'
    case 'changed-mind':
      return 'due'
    case 'wrong-size':
      return asked.wasSaidToFit ? 'said-to-fit' : asked.isReordered ? 'reordered' : 'due'
  }
}

/** The handling fee per tire in cents, of an order under these terms. */
export function feePerTire(reason: FeeReason, terms: Pick<OrderTerms, 'returnFeeCents'>): number {
  return reason === 'due' ? terms.returnFeeCents : 0
}

/** "M-1042", as displayed and typed. */
export function returnNumber(id: number): string {
  return `M-${id}`
}

/** By when a tire received at `receivedAt` has to be refunded. */
export function refundDue(receivedAt: Temporal.Instant): Temporal.Instant {
  return receivedAt.add({ hours: REFUND_WITHIN_HOURS })
}

/** "43 h left", "52 min left", "3 h late": how much of the 48 hours is left at `now`. */
export function refundTimer(receivedAt: Temporal.Instant, now: Temporal.Instant): { text: string; isLate: boolean } {
  const minutes = Math.trunc(refundDue(receivedAt).since(now).total('minutes'))
  const isLate = minutes < 0
  const left = Math.abs(minutes)
  const amount = left >= 60 ? `${Math.floor(left / 60)} h` : `${left} min`
  return { text: `${amount} ${isLate ? 'late' : 'left'}`, isLate }
}

/** "Report it within 5 business days of delivery." */
export function damageReportText({ damageDays }: Pick<OrderTerms, 'damageDays'>): string {
  return `within ${countOf(damageDays, 'business day')} of delivery`
}

/** The last day on which tires that were delivered on a day can be returned. */
export function lastReturnDay(
  deliveredOn: Temporal.PlainDate,
  { returnDays }: Pick<OrderTerms, 'returnDays'>,
): Temporal.PlainDate {
  return deliveredOn.add({ days: returnDays })
}
