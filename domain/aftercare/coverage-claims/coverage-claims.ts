/** Automated checks, maximum payouts, and states for coverage claims. Safe in the browser. */
import type { OrderState } from '#domain/ordering/orders/orders.ts'
import type { CoveragePlan } from '#domain/pricing/pricing/pricing.ts'
import type { CoverageLimits } from '#domain/kernel/settings/settings.ts'
import { dateText } from '#platform/day-text.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'

/** A claim pays for a new tire or a repair. */
export const claimKinds = {
  replacement: 'The tire cannot be repaired',
  repair: 'The tire was repaired',
} as const
export type ClaimKind = keyof typeof claimKinds

/** Damage from the road, which the plan covers. */
export const coveredCauses = {
  puncture: 'Nail or screw',
  glass: 'Glass or metal',
  pothole: 'Pothole',
  curb: 'Curb',
  debris: 'Other road debris',
} as const
export type CoveredCause = keyof typeof coveredCauses

/** Causes the plan excludes, with the message shown immediately. */
export const excludedCauses = {
  wear: ['Wear', 'Coverage is for damage. Wear is a matter of the maker’s mileage warranty.'],
  'no-air': ['Driven without air', 'Coverage leaves out tires that were driven without air.'],
  collision: ['Collision', 'Coverage leaves out collisions. Your car insurance may pay for the tire.'],
  theft: ['Theft or vandalism', 'Coverage leaves out theft and damage on purpose. Your car insurance may pay.'],
  'off-road': [
    'Racing or off-road driving',
    'Coverage leaves out racing, and off-road damage to tires not made for it.',
  ],
  defect: ['A defect of the tire', 'Defects are a matter of the maker’s warranty. Write to us, and we help with it.'],
} as const satisfies Record<string, readonly [label: string, reason: string]>
export type ExcludedCause = keyof typeof excludedCauses

/** All causes that can be chosen, covered ones first. */
export const causeLabels: Readonly<Record<CoveredCause | ExcludedCause, string>> = {
  ...coveredCauses,
  ...(Object.fromEntries(Object.entries(excludedCauses).map(([cause, [label]]) => [cause, label])) as Record<
    ExcludedCause,
    string
  >),
}

/** Whether the plan covers damage of this cause at all. */
export function isCovered(cause: CoveredCause | ExcludedCause): cause is CoveredCause {
  return Object.hasOwn(coveredCauses, cause)
}

/** "C-12", as displayed and typed. */
export function claimNumber(id: number): string {
  return `C-${id}`
}

/** Parses a claim number in any common form; undefined if invalid. */
export function parseClaimNumber(text: string): number | undefined {
  const digits = /^(?:C-)?(\d{1,12})$/i.exec(text.trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A claim, with the order's data about its tires. */
export type ClaimFacts = {
  readonly kind: ClaimKind
  readonly cause: CoveredCause | ExcludedCause
  readonly tires: number
  readonly happenedOn: Temporal.PlainDate
  readonly today: Temporal.PlainDate
  readonly order: {
    readonly state: OrderState
    /** The day the last parcel came; null while one is on its way. */
    readonly deliveredOn: Temporal.PlainDate | null
    /** The plan sold with its tires; null without a plan. */
    readonly plan: CoveragePlan | null
    /** The limits of both plans under the terms of the order. */
    readonly limits: Pick<CoverageLimits, 'months'>
    /** The item's tires that the shopper still owns and the plan hasn't replaced. */
    readonly tiresLeft: number
  }
}

export type ClaimField = 'orderNumber' | 'kind' | 'cause' | 'happenedOn' | 'tires'
export type ClaimFinding = { readonly check: ClaimCheck; readonly field: ClaimField; readonly reason: string }

type Check = { readonly field: ClaimField; readonly reason: (facts: ClaimFacts) => string | undefined }

/** Each returns its failure message, or undefined. */
const checks = {
  'order-stands': {
    field: 'orderNumber',
    reason: ({ order }) =>
      order.state === 'canceled'
        ? 'This order was canceled.'
        : order.state === 'returned'
          ? 'These tires were returned and refunded with their coverage.'
          : undefined,
  },
  'coverage-bought': {
    field: 'orderNumber',
    reason: ({ order }) =>
      order.plan ? undefined : 'This order has neither replacement coverage nor a road hazard plan.',
  },
  'coverage-begun': {
    field: 'orderNumber',
    reason: ({ order }) =>
      order.deliveredOn ? undefined : 'Coverage starts when all tires in the order are delivered.',
  },
  'work-covered': {
    field: 'kind',
    reason: ({ kind, order }) =>
      order.plan === 'road-hazard' && kind === 'repair'
        ? 'The road hazard plan of this order pays for tires. Labor, such as a repair, is not covered.'
        : undefined,
  },
  'cause-covered': {
    field: 'cause',
    reason: ({ cause }) => (isCovered(cause) ? undefined : excludedCauses[cause][1]),
  },
  'day-has-come': {
    field: 'happenedOn',
    reason: ({ happenedOn, today }) =>
      Temporal.PlainDate.compare(happenedOn, today) > 0 ? 'This day has not come yet.' : undefined,
  },
  'after-delivery': {
    field: 'happenedOn',
    reason: ({ happenedOn, order: { deliveredOn } }) =>
      deliveredOn && Temporal.PlainDate.compare(happenedOn, deliveredOn) < 0
        ? `The tires were delivered on ${dateText(deliveredOn.toString())}, so coverage starts that day.`
        : undefined,
  },
  'within-plan': {
    field: 'happenedOn',
    reason: ({ happenedOn, order: { deliveredOn, plan, limits } }) => {
      if (!deliveredOn || !plan) return undefined
      const months = limits.months[plan]
      const end = deliveredOn.add({ months })
      return Temporal.PlainDate.compare(happenedOn, end) >= 0
        ? `Coverage ran ${countOf(months, 'month')}, until ${dateText(end.subtract({ days: 1 }).toString())}.`
        : undefined
    },
  },
  'tires-left': {
    field: 'tires',
    reason: ({ tires, order: { tiresLeft } }) =>
      tires <= tiresLeft
        ? undefined
        : tiresLeft === 0
          ? 'Coverage for these tires has ended.'
          : `At most ${tiresLeft} of this tire on the order ${pluralForm(tiresLeft, 'is', 'are')} covered.`,
  },
} as const satisfies Record<string, Check>
export type ClaimCheck = keyof typeof checks

/** Returns every failed check of a claim. If all pass, staff review it. */
export function checkClaim(facts: ClaimFacts): ClaimFinding[] {
  return (Object.entries(checks) as [ClaimCheck, Check][]).flatMap(([check, { field, reason }]) => {
    const text = reason(facts)
    return text === undefined ? [] : [{ check, field, reason: text }]
  })
}

/** A claim as evaluated by the plans' tables; `priceCents` is the amount paid for these tires. */
export type PaidClaim = {
  readonly plan: CoveragePlan
  readonly kind: ClaimKind
  readonly tires: number
  readonly paidCents: number | null
  readonly priceCents: number
  readonly deliveredOn: Temporal.PlainDate
  readonly happenedOn: Temporal.PlainDate
  /** What the plans pay under the terms of the order. */
  readonly limits: CoverageLimits
}

/**
 * Returns the plan's maximum payout for a claim in cents, by its own table (specification, section 9). Replacement
 * coverage pays toward new tires up to the cap of the year of the damage, and the cost of a repair up to the limit per
 * tire. The road hazard plan pays the tires' price less the customer's share in that year, without labor. Undefined
 * outside the plan's term, and for anything it doesn't cover.
 */
export function mostOfClaim(claim: PaidClaim): number | undefined {
  const { plan, kind, tires, paidCents, priceCents, deliveredOn, happenedOn, limits } = claim
  if (Temporal.PlainDate.compare(happenedOn, deliveredOn) < 0) return undefined
  const end = deliveredOn.add({ months: limits.months[plan] })
  if (Temporal.PlainDate.compare(happenedOn, end) >= 0) return undefined
  // Counted from delivery. Months since a leap day end on the 28th, so that each day is in exactly one year.
  const yearIn = (years: readonly number[]) =>
    years[
      years.findIndex((_, index) => Temporal.PlainDate.compare(happenedOn, deliveredOn.add({ years: index + 1 })) < 0)
    ]
  if (plan === 'road-hazard') {
    const customerPaysPpm = yearIn(limits.customerPaysPpmByYear)
    if (customerPaysPpm === undefined || kind === 'repair') return undefined
    return priceCents - Math.floor((priceCents * customerPaysPpm) / 1_000_000)
  }
  const capCents = yearIn(limits.capCentsByYear)
  if (capCents === undefined) return undefined
  return kind === 'repair' ? Math.min(paidCents ?? 0, limits.repairCents * tires) : capCents * tires
}

/**
 * Returns the amount paid for this many of an item's tires, without taxes and fees. Rounded down, and exact for all of
 * them.
 */
export function paidForTires(line: { quantity: number; netCents: number }, tires: number): number {
  return Math.floor((line.netCents * tires) / line.quantity)
}
