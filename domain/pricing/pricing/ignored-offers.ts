import { formatCents } from '#platform/money.ts'
import { BUY_THREE_GET_ONE_UNITS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { compareText } from './price-line.ts'

/** Something requested that does not count in this price, with the reason, which the shopper always sees. */
export type IgnoredOffer = {
  readonly what: IgnoredWhat
  /** Promotion id, coupon code or referral id; `null` where there is only one of its kind. */
  readonly id: string | null
  /** The line it concerns; `null` for the whole order. */
  readonly lineId: string | null
  readonly reason: IgnoredReason
  /** Ready to display. */
  readonly text: string
}

export type IgnoredWhat =
  | 'item-promotion'
  | 'military'
  | 'referral'
  | 'coupon'
  | 'install-discount'
  | 'tender'
  | 'coverage'
  | 'roadside'
  | 'exemption'

export type IgnoredReason = keyof typeof WORDS

const WORDS = {
  'account-price': (name: string) => `${name} does not combine with your account's price.`,
  'quoted-price': (name: string) => `${name} does not combine with a quoted price.`,
  'already-in-price': (name: string) => `${name} is already in the price.`,
  'better-promotion': (name: string) => `Another promotion on this tire saves you more than ${name}.`,
  'needs-more-tires': (name: string) =>
    `${name} frees one of every ${countOf(BUY_THREE_GET_ONE_UNITS, 'tire')}. Add tires to use it.`,
  'nothing-eligible': (name: string) => `No items in your cart are eligible for ${name}.`,
  'tires-on-promotion': (name: string) => `${name} does not work on tires that are already on promotion.`,
  'better-program': (name: string, { by, cents = 0 }: Better = {}) =>
    `${name} was left out: ${by ?? 'another discount'} ${cents > 0 ? `saves ${formatCents(cents)} more` : 'saves as much'}, and only one can be used.`,
  'below-minimum': (name: string, { cents = 0 }: Better = {}) =>
    `${name} is for tires from ${formatCents(cents)} in all.`,
  'no-lower-total': (name: string) => `${name} would not lower your total, so it was not used.`,
  'needs-four-tires-and-installation': (name: string, { tires = 1 }: Better = {}) =>
    `${name} comes only with ${tires} or more tires and installation, so it was removed.`,
  'no-tire-to-cover': (name: string) => `${name} was removed for tires that are not in your cart.`,
  'certificate-expired': (name: string) =>
    `${name} has expired, so sales tax applies. Send us a new one to shop tax-free.`,
  'certificate-for-another-state': (name: string) => `${name} is for another state, so sales tax applies.`,
} satisfies Record<string, (name: string, better?: Better) => string>

/** What is used instead, in a sentence, and how much more it saves; or what is missing. */
type Better = { by?: string; cents?: number; tires?: number }

/** @param name the offer's name in a sentence, such as "Coupon SAVE10" */
export function ignored(
  what: IgnoredWhat,
  reason: IgnoredReason,
  name: string,
  about: { id?: string; lineId?: string } & Better = {},
): IgnoredOffer {
  return { what, id: about.id ?? null, lineId: about.lineId ?? null, reason, text: WORDS[reason](name, about) }
}

/** Offers a shopper requests explicitly, so the price explains when one doesn't apply. */
const asked: ReadonlySet<IgnoredWhat> = new Set(['military', 'referral', 'coupon', 'tender', 'exemption'])

/** What of the offers a shopper asked for does not count in a price, in words. */
export function leftOut({ ignored }: { readonly ignored: readonly IgnoredOffer[] }): string[] {
  return ignored.filter(({ what }) => asked.has(what)).map(({ text }) => text)
}

/** Sorts the list independently of the order in which the cart and codes were entered. */
export function inStableOrder(offers: readonly IgnoredOffer[]): IgnoredOffer[] {
  const key = ({ what, id, lineId, reason }: IgnoredOffer) => JSON.stringify([what, lineId, id, reason])
  return offers.toSorted((a, b) => compareText(key(a), key(b)))
}
