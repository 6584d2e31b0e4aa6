/** What the office pages show of promotions, and their tests against a cart. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { salesTaxText } from '#domain/pricing/pricing/pricing.ts'
import { formRefusal, checkForm, type FormReply } from '#app/forms/form.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Application } from '#application'
import { listTireTypes } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { filterSeasons, filterVehicleClasses } from '#domain/catalog/catalog/catalog.ts'
import type { ReducedTire } from '#domain/catalog/catalog/catalog.server.ts'
import { listSuppliers } from '#domain/supply/stock/stock.server.ts'
import type {
  CartTest,
  OfficePromotion,
  TestedCart,
  TestRefusal,
} from '#domain/catalog/promotions/promotions.server.ts'
import {
  funderNames,
  maxDailyPercent,
  promotionKindNames,
  testCartForm,
} from '#domain/catalog/promotions/promotions.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Outcome } from '#platform/outcome.ts'
import { timeText } from '#platform/time-text.ts'

/** The key of its page. */
export function keyOf({ planId, promotionId }: OfficePromotion): string {
  return promotionId === null ? `d${planId}` : `p${promotionId}`
}

/** A row of the list; times are in the store's zone. */
export function promotionRow(promotion: OfficePromotion) {
  const { name, subject, fundedBy, startsAt, endsAt } = promotion
  return {
    id: keyOf(promotion),
    name,
    takes: takesText(promotion),
    subject,
    funder: funderNames[fundedBy],
    starts: startsAt ? timeText(startsAt, storeZone) : '',
    ends: endsAt ? timeText(endsAt, storeZone) : '',
  }
}

/** "$15.00 off each tire" */
function takesText({ kind, amount }: OfficePromotion): string {
  if (kind === 'Flat Amount') return `${formatCents(amount)} off each tire`
  if (kind === 'Percentage') return `${amount}% off each tire`
  return kind === 'Free' ? `${amount} free` : promotionKindNames[kind]
}

export type TestView = {
  reply: FormReply | null
  rows: { label: string; without: string; with: string; change: string }[]
  at: string
}

/** Returns the promotion or coupon test requested in the URL; null if not requested. */
export async function testView(
  fields: URLSearchParams,
  test: (cart: TestedCart) => Promise<Outcome<CartTest, TestRefusal>>,
): Promise<TestView | null> {
  if (!fields.has('cart')) return null
  const refusal = (reply: FormReply): TestView => ({ reply, rows: [], at: '' })
  const checked = checkForm(testCartForm, fields)
  if (!checked.ok) return refusal(checked.reply)
  const tested = await test(checked.value)
  if (!tested.ok)
    return refusal(
      formRefusal(
        fields,
        'Fix 1 field:',
        tested.reason === 'not-sold'
          ? { cart: `We don’t sell a tire with the SKU ${tested.detail}.` }
          : { state: 'We do not deliver there.' },
      ),
    )
  const { without, with: withIt, at } = tested.value
  const row = (label: string, was: number, is: number) => ({
    label,
    without: formatCents(was),
    with: formatCents(is),
    change: formatCents(is - was),
  })
  return {
    reply: { values: Object.fromEntries(fields), errors: {} },
    rows: [
      row('Tires and delivery before discounts', without.totals.grossCents, withIt.totals.grossCents),
      row('Promotions', -without.totals.itemPromotionCents, -withIt.totals.itemPromotionCents),
      row('Coupon', -without.totals.programCents, -withIt.totals.programCents),
      row(salesTaxText(withIt.tax), without.totals.taxCents, withIt.totals.taxCents),
      row('Total', without.totals.totalCents, withIt.totals.totalCents),
    ],
    at: timeText(at, storeZone),
  }
}

/** The choices of a promotion or coupon form. The server sends them, so that the page loads no code for them. */
export type OfferOptions = Readonly<
  Record<'kinds' | 'funders' | 'types' | 'categories' | 'seasons' | 'vehicleClasses' | 'suppliers', FieldOptions>
> & { readonly maxDailyPercent: number }

/** Returns the choices for discounts of these kinds, without retired types, categories, and suppliers. */
export async function offerOptions(
  app: Pick<Application, 'db'>,
  kinds: Readonly<Record<string, string>>,
): Promise<OfferOptions> {
  const [{ types, categories }, suppliers] = await Promise.all([listTireTypes(app), listSuppliers(app)])
  const named = (list: readonly { slug: string; name: string; isRetired: boolean }[]) =>
    list.flatMap(({ slug, name, isRetired }) => (isRetired ? [] : [[slug, name] as const]))
  return {
    kinds: Object.entries(kinds),
    funders: Object.entries(funderNames),
    types: named(types),
    categories: named(categories),
    seasons: Object.entries(filterSeasons),
    vehicleClasses: Object.entries(filterVehicleClasses),
    suppliers: suppliers.flatMap(({ code, name, retiredAt }) => (retiredAt === null ? [[code, name] as const] : [])),
    maxDailyPercent,
  }
}

/** Returns rows of discounted tires. Prices are per tire in a set of four. */
export function reducedRows(tires: readonly ReducedTire[]) {
  return tires.map(({ sku, tire, wasCents, cents }) => ({
    id: sku,
    cells: { sku, tire, was: formatCents(wasCents), now: formatCents(cents) },
  }))
}

/** Where the promotion and those around it are. */
export function linksOf({ replacesId, promotionId }: OfficePromotion) {
  return {
    replaces: replacesId === null ? null : officePaths.officePromotion(`p${replacesId}`),
    change: promotionId === null ? null : officePaths.officeNewPromotion({ from: promotionId }),
  }
}
