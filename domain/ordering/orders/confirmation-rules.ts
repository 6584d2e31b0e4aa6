/**
 * Which orders are placed but wait for the shopper to confirm them, as a table of small checks. See
 * docs/decisions/012-confirmations-and-fraud.md for the reasons behind the rules. Safe in the browser.
 */
import { hasHouseNumber } from '#domain/supply/delivery/delivery.ts'

/** How long the shopper has to confirm, and after how long of it we remind them. See decision 012. */
export const confirmWithinHours = 48
export const remindAfterHours = 24

/** What the checks look at. */
export type ConfirmationFacts = {
  fulfillment: 'shop' | 'mobile' | 'home' | 'carrier-pickup' | 'warehouse-pickup'
  /** Bought for a company that staff approved. */
  isForCompany: boolean
  tireCount: number
  totalCents: number
  /** The lines of the street the tires go to. */
  street: readonly (string | null)[]
  shipTo: { state: string; zip: string }
  billing: { state: string; zip: string }
}

type ConfirmationRule = {
  /** Stored with the order, so the name of a removed rule must not be reused. */
  name: string
  asks: (facts: ConfirmationFacts) => boolean
  /** The reason shown to staff. */
  staff: string
  /** The reason shown to the shopper, worded without blame. */
  shopper: string
}

/**
 * The total from which cards billed elsewhere need confirmation, and the number of tires from which home addresses do.
 * See decision 012.
 */
export const billedElsewhereFromCents = 150_000
export const mostTiresToAHome = 8

/** Stored with an order that staff questioned. The event's note has the reason. */
export const askedByStaff = 'asked-by-staff'

/** Stored with an order that a rule against fraud questioned. */
export const askedByFraudRule = 'asked-by-rule'

/**
 * All of them are about tires that go to an address. Shops, vans and counters see the car or the customer before
 * handover, and an appointment can't wait for a confirmation.
 */
export const confirmationRules: readonly ConfirmationRule[] = [
  {
    name: 'billed-elsewhere',
    asks: ({ isForCompany, totalCents, shipTo, billing }) =>
      !isForCompany &&
      totalCents >= billedElsewhereFromCents &&
      shipTo.state !== billing.state &&
      shipTo.zip !== billing.zip,
    staff: 'The card is billed in another state than the tires go to, for a high amount.',
    shopper: 'Your tires go to another state than the one your card is billed in.',
  },
  {
    name: 'many-tires',
    asks: ({ isForCompany, tireCount }) => !isForCompany && tireCount > mostTiresToAHome,
    staff: 'More tires go to a home than two cars need.',
    shopper: 'These are more tires than we usually send to one home.',
  },
  {
    name: 'street-without-number',
    asks: ({ street }) => !hasHouseNumber(street),
    staff: 'The street has no house number. The carrier may not find it.',
    shopper: 'The street of your address has no house number.',
  },
  {
    name: askedByFraudRule,
    // Of the rules that staff edit (domain/ordering/fraud).
    asks: () => false,
    staff: 'A fraud rule requires it.',
    shopper: 'Please check this order’s tires, address, and amount.',
  },
  {
    name: askedByStaff,
    // No rule: a staff member did.
    asks: () => false,
    staff: 'A staff member asked for it.',
    shopper: 'We would like you to check this order before we ship it.',
  },
]

/** Returns the names of the rules that require confirmation. Empty for an ordinary order. */
export function rulesThatAsk(facts: ConfirmationFacts): string[] {
  if (facts.fulfillment !== 'home') return []
  return confirmationRules.filter((rule) => rule.asks(facts)).map(({ name }) => name)
}

/** Returns the reasons for a confirmation, worded for the shopper or for staff. Removed rules have no text. */
export function confirmationReasons(names: readonly string[], to: 'shopper' | 'staff'): string[] {
  return confirmationRules.filter(({ name }) => names.includes(name)).map((rule) => rule[to])
}
