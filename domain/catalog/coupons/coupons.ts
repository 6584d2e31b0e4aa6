/** Coupons: codes that shoppers enter in the cart. Their states, forms and effect on a price. Safe in the browser. */
import { BUY_THREE_GET_ONE_UNITS } from '#platform/business-constants.ts'
import { parseDollars } from '#platform/money.ts'
import { z } from 'zod'
import { articleId } from '#domain/catalog/offers/offers.ts'
import type { CouponOffer, CouponReduction } from '#domain/pricing/pricing/pricing.ts'
import {
  amountFaults,
  filterFields,
  officeText,
  promotionStates,
  readAmount,
  replacesField,
  stateAt,
  subjectField,
  versionField,
  yesOrNo,
  type PromotionState,
} from '#domain/catalog/promotions/promotions.ts'

export const couponStates = promotionStates
export type CouponState = PromotionState

/** Why a coupon does not count. */
export type CouponRefusal = 'not-found' | 'ended' | 'used-up' | 'used-by-you'

export const couponKindNames = {
  'Flat Amount': 'Dollars off the order',
  Percentage: 'Percent off tires',
  Buy3Get1: 'Buy 3, get the cheapest 1 free',
  Free: 'A tire or service free',
} as const

/** Services a Free coupon can make free, in addition to tires, with their names. */
export const freeServices = {
  installation: 'installation',
  disposal: 'old tire disposal',
  coverage: 'replacement coverage',
  roadside: 'roadside assistance',
  shipping: 'shipping',
} as const
export type FreeService = keyof typeof freeServices

export function isFreeService(word: string): word is FreeService {
  return Object.hasOwn(freeServices, word)
}

/** The state of a coupon at `now`; one without times is a draft. */
export function couponStateAt(
  { startsAt, endsAt }: { startsAt: Temporal.Instant | null; endsAt: Temporal.Instant | null },
  now: Temporal.Instant,
): CouponState {
  return startsAt && endsAt ? stateAt({ startsAt, endsAt }, now) : 'draft'
}

/** A code as shoppers type it, in any case, with surrounding spaces and dashes. */
export const couponCode = z
  .string('Enter a code of 4 to 20 letters and digits.')
  .trim()
  .max(40, 'Enter a code of 4 to 20 letters and digits.')
  .transform((typed) => typed.toUpperCase().replaceAll(/[\s-]/g, ''))
  .refine((code) => /^[A-Z0-9]{4,20}$/.test(code), 'Enter a code of 4 to 20 letters and digits.')

/** The cart's form. */
export const couponForm = z.object({ coupon: couponCode })

const wholeNumber = (most: number, message: string) =>
  z
    .string(message)
    .trim()
    .regex(/^\d{1,7}$/, message)
    .transform(Number)
    .refine((number) => number >= 1 && number <= most, message)
    .meta({ formUnit: 'number' })

const couponFields = {
  code: couponCode,
  name: officeText(3, 80),
  kind: z.enum(['Flat Amount', 'Buy3Get1', 'Free', 'Percentage'], 'Choose what it takes off.'),
  amount: z.string().trim().max(14).default(''),
  subject: subjectField,
  ...filterFields,
  fundedBy: z.enum(['store', 'maker', 'lender', 'bank'], 'Choose who pays.'),
  stacks: yesOrNo,
  minimum: z
    .string()
    .trim()
    .max(14)
    .default('')
    .transform((typed, issues) => {
      const cents = typed === '' ? null : parseDollars(typed)
      if (cents === null || (cents !== undefined && cents >= 1 && cents <= 1_000_000)) return cents
      issues.addIssue({ code: 'custom', message: 'Enter dollars from 0.01 to 10,000, or leave blank.' })
      return z.NEVER
    })
    .meta({ formUnit: 'cents' }),
  advertised: yesOrNo.default(false),
  usesMost: wholeNumber(1_000_000, 'Enter 1 to 1,000,000 uses.'),
  personMost: wholeNumber(100, 'Enter 1 to 100 uses.'),
}

function readTerms<Draft extends { kind: keyof typeof couponKindNames; amount: string }>(
  { amount: typed, ...draft }: Draft,
  issues: z.RefinementCtx,
): Omit<Draft, 'amount'> & { amount: number } {
  const amount = readAmount(draft.kind, typed)
  const message =
    draft.kind === 'Flat Amount' ? 'Enter dollars off the order, from 0.01 to 1,000.' : amountFaults[draft.kind]
  if (amount === undefined) issues.addIssue({ code: 'custom', path: ['amount'], message })
  return { ...draft, amount: amount ?? 0 }
}

export const couponDraftForm = z
  .object({ formKey: z.uuid(), ...couponFields, replaces: replacesField })
  .transform(readTerms)
export type CouponDraft = z.output<typeof couponDraftForm>

/** Why the subject of a coupon is refused. */
export const couponSubjectMessages = {
  'no-subject': 'Enter a SKU, a model as brand/model, or a brand.',
  'not-free': `Enter the free item, as a SKU or ${Object.keys(freeServices).join(', ')}.`,
} as const

/** The form that changes a draft. */
export const couponChangeForm = z.object({ ...couponFields, version: versionField }).transform(readTerms)
export type CouponChange = z.output<typeof couponChangeForm>

/** What a coupon takes off, and from what. */
export type CouponTerms = {
  code: string
  kind: CouponDraft['kind']
  amount: number
  service: FreeService | null
  itemId: number | null
  lineId: number | null
  brandId: number | null
  /** Requested tires that match its filter, or null if it has no filter. */
  filteredItemIds: readonly number[] | null
  fundedBy: CouponDraft['fundedBy']
  stacks: boolean
  /** What its tires cost at least, in cents; null without a minimum. */
  minimumCents: number | null
}

/** A coupon as shown to shoppers; `subject` is the name of its brand, model or tire. */
export type CouponAbout = CouponTerms & { subject: string }

/** The brand, line or tire that a coupon is for, and its filter; null for every tire. */
export function brandedTires(coupon: CouponAbout): string | null {
  return isForEveryTire(coupon) ? null : coupon.subject
}

function isForEveryTire({ itemId, lineId, brandId, filteredItemIds }: CouponTerms): boolean {
  return itemId === null && lineId === null && brandId === null && filteredItemIds === null
}

/**
 * Returns whether a coupon discounts these tires. Some eligible tires must not be on promotion, unless it stacks, and
 * the minimum price must be met. Pricing decides which program is used in the end.
 */
export function couponWorksOn(
  terms: CouponTerms,
  lines: readonly {
    itemId: number
    lineId: number
    brandId: number
    cents: number
    quantity: number
    isPromoted: boolean
  }[],
): boolean {
  if (terms.kind === 'Free') return false
  const { reduction } = couponOffer(terms, lines)
  const meant = lines.filter(
    ({ itemId, isPromoted }) =>
      (terms.stacks || !isPromoted) &&
      reduction.type !== 'Free' &&
      (reduction.articleIds === 'all' || reduction.articleIds.includes(articleId(itemId))),
  )
  const cents = meant.reduce((sum, line) => sum + line.cents, 0)
  const tires = meant.reduce((sum, line) => sum + line.quantity, 0)
  return (
    cents > 0 && cents >= (terms.minimumCents ?? 0) && (terms.kind !== 'Buy3Get1' || tires >= BUY_THREE_GET_ONE_UNITS)
  )
}

/** The coupon as step 3 of the price takes it, for a cart of these articles. */
export function couponOffer(
  terms: CouponTerms,
  articles: readonly { itemId: number; lineId: number; brandId: number }[],
): CouponOffer {
  const { code, fundedBy, stacks, minimumCents } = terms
  return {
    kind: 'coupon',
    code,
    fundedBy,
    stacksWithPromotions: stacks,
    minimumCents,
    reduction: reductionOf(terms, articles),
  }
}

function reductionOf(terms: CouponTerms, articles: Parameters<typeof couponOffer>[1]): CouponReduction {
  const { kind, amount, service, itemId, lineId, brandId, filteredItemIds } = terms
  if (kind === 'Free')
    return {
      type: 'Free',
      item: service === null ? { articleId: articleId(itemId ?? 0) } : { service },
      units: service === null ? amount : 'all',
    }
  const isMeant = (article: (typeof articles)[number]) =>
    (itemId === null || article.itemId === itemId) &&
    (lineId === null || article.lineId === lineId) &&
    (brandId === null || article.brandId === brandId) &&
    (filteredItemIds === null || filteredItemIds.includes(article.itemId))
  const articleIds = isForEveryTire(terms)
    ? ('all' as const)
    : articles.filter(isMeant).map((each) => articleId(each.itemId))
  if (kind === 'Percentage') return { type: 'Percentage', ratePpm: amount * 10_000, articleIds }
  if (kind === 'Flat Amount') return { type: 'Flat Amount', amountCents: amount, articleIds }
  return { type: 'Buy3Get1', articleIds }
}
