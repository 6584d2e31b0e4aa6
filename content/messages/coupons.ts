/** Messages about coupons, for the cart, the payment page and the order review. The specification has the first word for word. */
import { brandedTires, type CouponAbout, type CouponRefusal } from '#domain/catalog/coupons/coupons.ts'
import { accountPriceNames, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { formatCents } from '#platform/money.ts'

export const eligibleOnlyMessage = 'Promo coupons apply to eligible items only.'

/** An invalid coupon's code and end date. */
type Faulty = { code: string; endedOn: string | null }

export const couponMessages: Readonly<Record<CouponRefusal, (about: Faulty) => string>> = {
  'not-found': () => "We can't find this code. Check its letters and numbers, or go on without it.",
  ended: ({ code, endedOn }) => (endedOn === null ? `${code} has ended.` : `${code} ended ${endedOn}.`),
  'used-up': ({ code }) => `${code} has reached its usage limit.`,
  'used-by-you': ({ code }) => `You have used ${code} as often as one customer can.`,
}

export const couponAttemptsMessage = 'Too many codes were tried. Wait an hour and try again.'

/** A coupon's effect on a price, or why it doesn't apply, split into a bold lead and the rest. */
export type CouponSaid = { isUsed: boolean; lead: string; words: string }

/** Words a coupon in a cart by what the price made of it. */
export function couponSaid(about: CouponAbout, breakdown: PriceBreakdown): CouponSaid {
  const { program } = breakdown
  if (program.kind === 'coupon' && program.id === about.code)
    return {
      isUsed: true,
      lead: `${about.code}: ${formatCents(program.discountCents)} off.`,
      words: usedWords(about, breakdown),
    }
  const reason = breakdown.ignored.find(({ what, id }) => what === 'coupon' && id === about.code)?.reason
  if (reason === 'better-program')
    return { isUsed: false, lead: `${about.code} isn't needed here.`, words: betterWords(about.code, breakdown) }
  return { isUsed: false, lead: `${about.code} doesn't apply here.`, words: offWords(about, breakdown, reason) }
}

/** Returns "It takes $40.00 off tires", for shoppers with a code that doesn't work. */
export function couponTakes(about: CouponAbout): string {
  const { kind, amount } = about
  const on = tiresOf(about)
  if (kind === 'Percentage') return `takes ${amount}% off ${on}`
  if (kind === 'Flat Amount') return `takes ${formatCents(amount)} off ${on}`
  if (kind === 'Buy3Get1') return `makes one of every four ${on} free`
  return `makes ${freeThing(about)} free`
}

function tiresOf(about: CouponAbout): string {
  const brand = brandedTires(about)
  return brand === null ? 'tires' : `${brand} tires`
}

function freeThing({ service, subject }: CouponAbout): string {
  return service === null ? `a ${subject}` : service
}

function usedWords(about: CouponAbout, { program, lines }: PriceBreakdown): string {
  const mine = program.considered.find(({ kind, id }) => kind === 'coupon' && id === about.code)
  const [next] = program.considered.filter((each) => each !== mine).toSorted((a, b) => a.totalCents - b.totalCents)
  if (mine && next)
    return `We used it in place of ${programNames[next.kind]}, because it saves ${formatCents(next.totalCents - mine.totalCents)} more. The two don't combine.`
  const isOnSale = about.stacks && lines.some(({ promotion }) => promotion !== null)
  const payer = payers[about.fundedBy]
  const words = [
    payer === null ? `It ${couponTakes(about)}.` : `${payer} pays it, so sales tax stays the same.`,
    isOnSale ? 'It works with the sale price.' : null,
  ]
  return words.filter((each) => each !== null).join(' ')
}

const payers = { store: null, maker: 'The maker', lender: 'The lender', bank: 'The bank' } as const
const programNames = {
  military: 'your military discount',
  referral: 'your referral discount',
  coupon: 'another coupon',
} as const

function betterWords(code: string, { program }: PriceBreakdown): string {
  const mine = program.considered.find(({ kind, id }) => kind === 'coupon' && id === code)
  const best = program.considered.find(({ kind, id }) => kind === program.kind && id === program.id)
  const more = mine && best ? mine.totalCents - best.totalCents : 0
  const name = program.kind === 'none' ? 'another discount' : programNames[program.kind]
  return `${capital(name)} saves ${more > 0 ? `${formatCents(more)} more` : 'as much'}. The two don't combine.`
}

function offWords(
  about: CouponAbout,
  { accountType }: PriceBreakdown,
  reason: PriceBreakdown['ignored'][number]['reason'] | undefined,
): string {
  switch (reason) {
    case 'tires-on-promotion':
      return `It ${couponTakes(about)} that aren't on sale.`
    case 'needs-more-tires':
      return `It ${couponTakes(about)}. Add tires to use it.`
    case 'below-minimum':
      return `It ${couponTakes(about)} from ${formatCents(about.minimumCents ?? 0)} in all.`
    case 'account-price':
      return `It doesn't combine with your ${accountPriceNames[accountType]?.toLowerCase() ?? "account's price"}.`
    case 'quoted-price':
      return "It doesn't combine with a quoted price."
    case 'no-lower-total':
      return `It ${couponTakes(about)}, which would not lower your total.`
    default:
      return `It ${couponTakes(about)}, and no items in your cart are eligible.`
  }
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
