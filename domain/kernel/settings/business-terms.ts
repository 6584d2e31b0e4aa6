/**
 * The business terms that staff set without a release, each with the time from which it applies. A term is one entry
 * here, with its label, unit, range, and the specification's value, which applies until staff set another. Safe in the
 * browser. Over 400 lines: one table of terms.
 */
import { standardShippingRates, standardPriceRates, type ShippingPlan } from '#domain/kernel/rates/rates.ts'
import {
  BOOKABLE_DAYS_AHEAD,
  CANCEL_WITHIN_MINUTES,
  COVERAGE_PRICE_PPM,
  DAMAGE_REPORT_BUSINESS_DAYS,
  MAX_TIRE_AGE_YEARS,
  MEMBER_OFFERS,
  REFERRAL_FRIEND_MAX_PPM,
  REFERRER_REWARD_CENTS,
  REPLACEMENT_COVERAGE,
  RETURN_HANDLING_FEE_CENTS,
  RETURN_WINDOW_DAYS,
  ROAD_HAZARD_PLAN,
  STORE_CARD_FIRST_PURCHASE_PPM,
} from '#platform/business-constants.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import { endsOf, planAt } from './shipping-plan.ts'
import { shippingTerms, type ShippingTerm } from './shipping-terms.ts'

type TermUnit = 'yes-no' | 'cents' | 'ppm' | 'minutes' | 'days' | 'months' | 'years' | 'tires' | 'lb'

/** The parts of the page, in order. */
export const termGroups = {
  shipping: 'Shipping rates',
  orders: 'Tire age, appointments, cancellation, and returns',
  discounts: 'Discounts',
  protection: 'Tire protection',
  services: 'Roadside assistance and membership',
} as const
export type TermGroup = keyof typeof termGroups

type Term = {
  readonly group: TermGroup
  readonly label: string
  readonly unit: TermUnit
  /** The range, inclusive, in the unit. */
  readonly min: number
  readonly max: number
  /** The specification's value, which applies until staff set another. */
  readonly standard: number
  readonly hint?: string
  /** The word for 0, which an empty field means. The range is of other values. */
  readonly zeroText?: string
}

function coverageYear(year: string, standard: number) {
  const label = `Paid for a tire in the ${year} year`
  return {
    group: 'protection',
    label,
    unit: 'cents',
    min: 100,
    max: 200_000,
    standard,
    hint: 'At most, per tire.',
  } as const
}

/** Whether offers come off the member price. 1 is yes, and 0 is no. */
function memberPerk(label: string, standard: boolean) {
  return {
    group: 'services',
    label,
    unit: 'yes-no',
    min: 0,
    max: 1,
    standard: Number(standard),
    hint: 'If not, members get the lower of the two prices.',
  } as const
}

function roadHazardYear(year: string, standard: number) {
  return {
    group: 'protection',
    label: `Road hazard plan, ${year} year`,
    unit: 'ppm',
    min: 0,
    max: 1_000_000,
    standard,
    hint: 'What the customer pays, in percent of the tire.',
  } as const
}

const otherTerms = {
  'oversize-above-lb': {
    group: 'shipping',
    label: 'A tire is oversize above',
    unit: 'lb',
    min: 20,
    max: 500,
    standard: standardShippingRates.oversizeAboveLb,
    hint: 'In pounds.',
  },
  'tire-age-years': {
    group: 'orders',
    label: 'Maximum tire age',
    unit: 'years',
    min: 1,
    max: MAX_TIRE_AGE_YEARS,
    standard: MAX_TIRE_AGE_YEARS,
    hint: `In whole years since the DOT week, at most ${MAX_TIRE_AGE_YEARS}. Older tires aren’t sold. Orders placed before keep theirs.`,
  },
  'bookable-days': {
    group: 'orders',
    label: 'Appointments can be booked',
    unit: 'days',
    min: 1,
    max: BOOKABLE_DAYS_AHEAD,
    standard: BOOKABLE_DAYS_AHEAD,
    hint: `In days ahead, at most ${BOOKABLE_DAYS_AHEAD}. Booked appointments stay.`,
  },
  'cancel-minutes': {
    group: 'orders',
    label: 'Cancellation window',
    unit: 'minutes',
    min: 1,
    max: CANCEL_WITHIN_MINUTES,
    standard: CANCEL_WITHIN_MINUTES,
    hint: `In minutes after the order is placed, up to ${CANCEL_WITHIN_MINUTES}. Nothing is charged or shipped before.`,
  },
  'return-days': {
    group: 'orders',
    label: 'Return window',
    unit: 'days',
    min: 1,
    max: 365,
    standard: RETURN_WINDOW_DAYS,
    hint: 'In days after delivery.',
  },
  'return-fee-cents': {
    group: 'orders',
    label: 'Return handling fee',
    unit: 'cents',
    min: 0,
    max: 20_000,
    standard: RETURN_HANDLING_FEE_CENTS,
    hint: 'Per tire, unless it is waived.',
  },
  'damage-days': {
    group: 'orders',
    label: 'Damage report window',
    unit: 'days',
    min: 1,
    max: 60,
    standard: DAMAGE_REPORT_BUSINESS_DAYS,
    hint: 'In business days after delivery, for damaged and missing tires.',
  },
  'guarantee-days': {
    group: 'orders',
    label: 'Price match window',
    unit: 'days',
    min: 0,
    max: 365,
    standard: RETURN_WINDOW_DAYS,
    hint: 'In days after delivery. 0 matches prices only before delivery.',
  },
  'install-discount-cents': {
    group: 'discounts',
    label: 'Installation discount',
    unit: 'cents',
    min: 0,
    max: 50_000,
    standard: standardPriceRates.installDiscountCents,
    hint: 'Taken off installation once per order.',
  },
  'install-discount-tires': {
    group: 'discounts',
    label: 'Tires for the installation discount',
    unit: 'tires',
    min: 1,
    max: 20,
    standard: standardPriceRates.installDiscountTires,
    hint: 'The least number of tires in the order.',
  },
  'military-ppm': {
    group: 'discounts',
    label: 'Military discount',
    unit: 'ppm',
    min: 0,
    max: 500_000,
    standard: standardPriceRates.militaryPpm,
    hint: 'In percent, off the tires of verified customers.',
  },
  'store-card-ppm': {
    group: 'discounts',
    label: 'Store card discount',
    unit: 'ppm',
    min: 0,
    max: 500_000,
    standard: STORE_CARD_FIRST_PURCHASE_PPM,
    hint: 'In percent, off the first order paid with the store’s card.',
  },
  'friend-ppm': {
    group: 'discounts',
    label: 'Referred friend’s discount',
    unit: 'ppm',
    min: 0,
    max: REFERRAL_FRIEND_MAX_PPM,
    standard: 100_000,
    hint: `In percent, off the tires of a first order, at most ${formatRate(REFERRAL_FRIEND_MAX_PPM)}. Set by the time the friend opens the link.`,
  },
  'referrer-reward-cents': {
    group: 'discounts',
    label: 'Referral reward',
    unit: 'cents',
    min: 100,
    max: 50_000,
    standard: REFERRER_REWARD_CENTS,
    hint: 'Store credit for each friend whose return window has passed.',
  },
  'coverage-ppm': {
    group: 'protection',
    label: 'Price of tire protection',
    unit: 'ppm',
    min: 10_000,
    max: 500_000,
    standard: COVERAGE_PRICE_PPM,
    hint: 'In percent of the tire, rounded up to the next 99 cents.',
  },
  'coverage-months': {
    group: 'protection',
    label: 'Months of replacement coverage',
    unit: 'months',
    min: 1,
    max: REPLACEMENT_COVERAGE.months,
    standard: REPLACEMENT_COVERAGE.months,
    hint: `From delivery, at most ${REPLACEMENT_COVERAGE.months}. Orders placed before keep theirs.`,
  },
  'coverage-repair-cents': {
    group: 'protection',
    label: 'Paid for one repair',
    unit: 'cents',
    min: 100,
    max: 20_000,
    standard: REPLACEMENT_COVERAGE.repairCents,
    hint: 'At most, per tire.',
  },
  'coverage-year-1-cents': coverageYear('first', REPLACEMENT_COVERAGE.capCentsByYear[0]),
  'coverage-year-2-cents': coverageYear('second', REPLACEMENT_COVERAGE.capCentsByYear[1]),
  'coverage-year-3-cents': coverageYear('third', REPLACEMENT_COVERAGE.capCentsByYear[2]),
  'road-hazard-months': {
    group: 'protection',
    label: 'Months of the road hazard plan',
    unit: 'months',
    min: 1,
    max: ROAD_HAZARD_PLAN.months,
    standard: ROAD_HAZARD_PLAN.months,
    hint: `From delivery, at most ${ROAD_HAZARD_PLAN.months}. Orders placed before keep theirs.`,
  },
  'road-hazard-year-1-ppm': roadHazardYear('first', ROAD_HAZARD_PLAN.customerPaysPpmByYear[0]),
  'road-hazard-year-2-ppm': roadHazardYear('second', ROAD_HAZARD_PLAN.customerPaysPpmByYear[1]),
  'membership-cents': {
    group: 'services',
    label: 'Membership, per year',
    unit: 'cents',
    min: 100,
    max: 100_000,
    standard: 3_900,
    hint: 'Renewals that were announced keep their price.',
  },
  'membership-refund-days': {
    group: 'services',
    label: 'Refund of an unused membership',
    unit: 'days',
    min: 1,
    max: 365,
    standard: 30,
    hint: 'In days after it was bought. Memberships bought before keep theirs.',
  },
  'membership-grace-days': {
    group: 'services',
    label: 'Grace period of a membership',
    unit: 'days',
    // A renewal with a late notice is charged until 14 days after the year ends.
    min: 14,
    max: 90,
    standard: 14,
    hint: 'In days after it ends, with member prices and renewal without a gap. Memberships bought before keep theirs.',
  },
  'member-deals': memberPerk('Deals come off the member price', MEMBER_OFFERS.deals),
  'member-programs': memberPerk('Discount programs come off the member price', MEMBER_OFFERS.programs),
  'member-payments': memberPerk('Payment offers come off the member price', MEMBER_OFFERS.payments),
  'roadside-cents': {
    group: 'services',
    label: 'Price of roadside assistance',
    unit: 'cents',
    min: 0,
    max: 50_000,
    standard: 2_995,
    hint: 'Once per order.',
  },
  'roadside-tires': {
    group: 'services',
    label: 'Tires for roadside assistance',
    unit: 'tires',
    min: 1,
    max: 20,
    standard: standardPriceRates.roadsideTires,
    hint: 'The least number of installed tires in the order.',
  },
  'roadside-months': {
    group: 'services',
    label: 'Months of roadside assistance',
    unit: 'months',
    min: 1,
    max: 60,
    standard: standardPriceRates.roadsideMonths,
  },
} as const satisfies Record<string, Term>

export type TermName = ShippingTerm | keyof typeof otherTerms

/** Every term by its name. */
export const businessTerms: Readonly<Record<TermName, Term>> = { ...shippingTerms, ...otherTerms }
export const termNames = Object.keys(businessTerms) as TermName[]

/** The value of every term at one time, in its unit. The same object until a value changes. */
export type BusinessTerms = Readonly<Record<TermName, number>> & {
  /** The store's shipping zones and exceptions, if it has any. */
  readonly shippingPlan?: ShippingPlan
}

/** What applies until staff set something else. */
export const standardTerms: BusinessTerms = valuesOf((name) => businessTerms[name].standard)

/** A change of a term. Its value applies from `validFrom` until the next change. */
export type TermChange = { name: TermName; value: number; validFrom: Temporal.Instant }

/** The terms of every time, oldest first. `terms` apply from `from` on. Before the first, the standard terms apply. */
export type TermHistory = readonly { readonly from: Temporal.Instant; readonly terms: BusinessTerms }[]

/** A change of the shipping plan. */
export type PlanChange = { plan: ShippingPlan; validFrom: Temporal.Instant }

/**
 * Builds the terms of every time from all changes that were not canceled, in any order. Changes of unknown terms are
 * left out. The end of an exception is a change, too.
 */
export function termHistory(changes: readonly TermChange[], plans: readonly PlanChange[] = []): TermHistory {
  const steps = [
    ...changes
      .filter(({ name }) => isTerm(name))
      .map(({ name, value, validFrom: from }) => ({
        from,
        next: (terms: BusinessTerms): BusinessTerms => ({ ...terms, [name]: value }),
      })),
    ...plans.map(({ plan, validFrom: from }) => ({
      from,
      next: (terms: BusinessTerms): BusinessTerms => ({ ...terms, shippingPlan: planAt(plan, from) }),
    })),
    ...plans
      .flatMap(({ plan }) => endsOf(plan))
      .map((from) => ({
        from,
        next: (terms: BusinessTerms): BusinessTerms =>
          terms.shippingPlan ? { ...terms, shippingPlan: planAt(terms.shippingPlan, from) } : terms,
      })),
  ].toSorted((one, other) => Temporal.Instant.compare(one.from, other.from))
  const history: { from: Temporal.Instant; terms: BusinessTerms }[] = []
  for (const { from, next } of steps) {
    const last = history.at(-1)
    const terms = next(last?.terms ?? standardTerms)
    if (last?.from.equals(from)) history.pop()
    history.push({ from, terms })
  }
  return history
}

/** The terms at `at`. */
export function termsAt(history: TermHistory, at: Temporal.Instant): BusinessTerms {
  // The newest are requested most.
  const found = history.findLast(({ from }) => Temporal.Instant.compare(from, at) <= 0)
  return found?.terms ?? standardTerms
}

/** Whether there is such a term; rows of a later release may have others. */
export function isTerm(name: string): name is TermName {
  return Object.hasOwn(businessTerms, name)
}

/** "$24.75", "5%", "30 days": a value in words. */
export function termText(name: TermName, value: number): string {
  const { unit, zeroText } = businessTerms[name]
  if (zeroText !== undefined && value === 0) return zeroText
  switch (unit) {
    case 'yes-no':
      return value > 0 ? 'Yes' : 'No'
    case 'cents':
      return formatCents(value)
    case 'ppm':
      return formatRate(value)
    case 'minutes':
      return countOf(value, 'minute')
    case 'days':
      return countOf(value, 'day')
    case 'months':
      return countOf(value, 'month')
    case 'years':
      return countOf(value, 'year')
    case 'tires':
      return countOf(value, 'tire')
    case 'lb':
      return `${value} lb`
  }
}

/** A value as a form shows it: "24.75", "5", "30", and "yes". */
export function termInputText(name: TermName, value: number): string {
  const { unit, zeroText } = businessTerms[name]
  if (zeroText !== undefined && value === 0) return ''
  switch (unit) {
    case 'yes-no':
      return value > 0 ? 'yes' : 'no'
    case 'cents':
      return (value / 100).toFixed(2)
    case 'ppm':
      return String(value / 10_000)
    default:
      return String(value)
  }
}

function valuesOf(valueOf: (name: TermName) => number): BusinessTerms {
  return Object.fromEntries(termNames.map((name) => [name, valueOf(name)])) as Record<TermName, number>
}
