/**
 * Which orders are placed but wait for the shopper to confirm them, as a table of small checks. Why these and not
 * others: docs/decisions/034-orders-to-confirm.md. Safe in the browser.
 */
import { hasHouseNumber } from '#domain/delivery/delivery.ts'

/** How long the shopper has to confirm, and after how long of it we remind them. Decision 034. */
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
  /** Stored with the order: a rule may be dropped, its name is not given to another. */
  name: string
  asks: (facts: ConfirmationFacts) => boolean
  /** For whoever looks at the order. */
  staff: string
  /** For the shopper, who did nothing wrong. */
  shopper: string
}

/** From which total a card billed elsewhere is asked about, and from how many tires on an address. Decision 034. */
export const billedElsewhereFromCents = 150_000
export const mostTiresToAHome = 8

/** Stored with an order that staff questioned; the note of its event says why. */
export const askedByStaff = 'asked-by-staff'

/** Stored with an order that a rule against fraud questioned. */
export const askedByFraudRule = 'asked-by-rule'

/**
 * All of them are about tires that go to an address. Where a shop, a van or a counter hands them over, someone sees the
 * car or the person first, and an appointment cannot wait for an answer.
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
    // Of the rules that staff edit (domain/fraud).
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

/** The names of the rules that ask the shopper to confirm; none for an ordinary order. */
export function rulesThatAsk(facts: ConfirmationFacts): string[] {
  if (facts.fulfillment !== 'home') return []
  return confirmationRules.filter((rule) => rule.asks(facts)).map(({ name }) => name)
}

/** Why a shopper, or staff, is asked. What a dropped rule said is not known any more. */
export function confirmationReasons(names: readonly string[], to: 'shopper' | 'staff'): string[] {
  return confirmationRules.filter(({ name }) => names.includes(name)).map((rule) => rule[to])
}
