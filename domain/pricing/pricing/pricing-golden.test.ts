import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  priceCart,
  refundForReturn,
  type AccountType,
  type CouponReduction,
  type CoveragePlan,
  type ItemReduction,
  type PriceInput,
  type ProgramOffer,
  type ServiceLine,
  type TaxableKind,
  ACCOUNT_TYPES,
} from './pricing.ts'

/** Acceptance tables with the expected result of every step in cents and, in the second table, the charged label. */
const table = (name: string) =>
  parse<Record<string, string>>(readFileSync(new URL(name, import.meta.url)), { columns: true })
const rows = [...table('price-golden.csv'), ...table('price-labels.csv')]

test('the golden tables are complete', () => {
  const numbered = (prefix: string, length: number) =>
    Array.from({ length }, (_, index) => `${prefix}${String(index + 1).padStart(2, '0')}`)
  expect(rows.map(({ id }) => id)).toEqual([...numbered('PG', 26), ...numbered('PL', 9)])
})

test.each(rows.map((row) => [row.id, row.case, row] as const))('%s: %s', (_id, _case, row) => {
  const order = goldenOrder.parse(JSON.parse(row.order_json ?? ''))
  const breakdown = priceCart(inputOf(order))
  const { totals, program } = breakdown
  expect({
    label: breakdown.accountType,
    gross: totals.grossCents,
    item_promo: totals.itemPromotionCents,
    program: program.kind,
    program_disc: program.discountCents,
    install_disc: totals.installDiscountCents,
    tender_disc: totals.tenderCents,
    net: totals.netCents,
    tire_fee: totals.tireFeeCents,
    fet: totals.fetCents,
    tax_base: totals.taxBaseCents,
    tax: totals.taxCents,
    total: totals.totalCents,
    refund: order.return ? refundOf(breakdown, order.return) : '',
  }).toEqual({
    label: row.label_charged ?? order.label,
    gross: Number(row.gross),
    item_promo: Number(row.item_promo),
    program: row.program,
    program_disc: Number(row.program_disc),
    install_disc: Number(row.install_disc),
    tender_disc: Number(row.tender_disc),
    net: Number(row.net),
    tire_fee: Number(row.tire_fee),
    fet: Number(row.fet),
    tax_base: Number(row.tax_base),
    tax: Number(row.tax),
    total: Number(row.total),
    refund: (row.refund ?? '') === '' ? '' : Number(row.refund),
  })
})

const fundedBy = z.enum(['store', 'maker', 'lender', 'bank']).default('store')
const reduction = z.strictObject({
  type: z.enum(['Percentage', 'Flat Amount', 'Buy3Get1', 'Free']),
  amount: z.number(),
  already: z.literal(1).optional(),
  item: z.literal('install').optional(),
  funded_by: fundedBy,
})
const each = z.strictObject({ each: z.int() }).optional()
const goldenOrder = z.strictObject({
  label: z.enum(ACCOUNT_TYPES).default('Retail'),
  tires: z.array(
    z.strictObject({
      id: z.string(),
      prices: z.record(z.string(), z.int()),
      qty: z.int(),
      promo: reduction.optional(),
      eligible: z.boolean().default(true),
      fet: z.int().default(0),
    }),
  ),
  install: each,
  disposal: each,
  coverage: z.strictObject({ each: z.int(), plan: z.literal('road-hazard').optional() }).optional(),
  roadside: z.int().optional(),
  shipping: z.int().default(0),
  coupon: reduction.optional(),
  military: z.literal(1).optional(),
  referral: z.number().optional(),
  tender: z
    .strictObject({ name: z.enum(['store_card', 'pay_later']), percent: z.number(), funded_by: fundedBy })
    .optional(),
  exempt: z.literal(1).optional(),
  state: z.strictObject({
    code: z.string(),
    rate_ppm: z.int(),
    tire_fee: z.int().default(0),
    taxable: z.array(z.string()),
  }),
  return: z.strictObject({ A: z.int(), fee_each: z.int() }).optional(),
})
type GoldenOrder = z.infer<typeof goldenOrder>

function inputOf(order: GoldenOrder): PriceInput {
  const tires = order.tires.reduce((sum, tire) => sum + tire.qty, 0)
  const service = (
    kind: ServiceLine['kind'],
    offered: { each: number; plan?: CoveragePlan | undefined } | undefined,
  ): ServiceLine[] =>
    offered
      ? [
          {
            kind,
            articleId: null,
            eachCents: offered.each,
            quantity: tires,
            ...(offered.plan && { plan: offered.plan }),
          },
        ]
      : []
  const isTaxable = (kind: string) => order.state.taxable.includes(kind)
  return {
    accountType: order.label,
    date: Temporal.PlainDate.from('2026-11-20'),
    tires: order.tires.map((tire) => ({
      articleId: tire.id,
      name: tire.id,
      quantity: tire.qty,
      retailUnitCents: tire.prices.Retail ?? 0,
      accountUnitCents: accountPrice(tire.prices, order.label),
      rimInches: 17,
      fetUnitCents: tire.fet,
      promotions: tire.promo
        ? [
            {
              id: 'promo',
              name: 'Daily deal',
              fundedBy: tire.promo.funded_by,
              alreadyApplied: tire.promo.already === 1,
              reduction: itemReduction(tire.promo),
            },
          ]
        : [],
    })),
    services: [
      ...service('installation', order.install),
      ...service('disposal', order.disposal),
      ...service('coverage', order.coverage),
      ...(order.roadside === undefined
        ? []
        : [{ kind: 'roadside', articleId: null, eachCents: order.roadside, quantity: 1 } as const]),
    ],
    shipping: { cents: order.shipping, to: 'address' },
    programs: programsOf(order),
    tender: order.tender
      ? {
          kind: order.tender.name === 'store_card' ? 'store-card' : 'pay-later',
          ratePpm: order.tender.percent * 10_000,
          fundedBy: order.tender.funded_by,
        }
      : null,
    taxRule: {
      stateCode: order.state.code,
      stateName: order.state.code,
      ratePpm: order.state.rate_ppm,
      basis: 'state-base',
      tireFee: [{ belowRimInches: null, cents: order.state.tire_fee }],
      tireFeeRefundable: true,
      taxable: {
        tire: isTaxable('tire'),
        coverage: isTaxable('coverage'),
        installation: isTaxable('install'),
        'service-kit': isTaxable('tire'),
        disposal: isTaxable('disposal'),
        roadside: isTaxable('roadside'),
        shipping: isTaxable('shipping'),
        fet: isTaxable('fet'),
        'tire-fee': isTaxable('tire_fee'),
      } satisfies Record<TaxableKind, boolean>,
    },
    exemption: order.exempt ? { stateCode: order.state.code, validThrough: null } : null,
    shopName: null,
  }
}

function accountPrice(prices: Record<string, number>, accountType: AccountType): number | null {
  return accountType === 'Retail' ? null : (prices[accountType] ?? null)
}

function programsOf({ coupon, military, referral, tires }: GoldenOrder): ProgramOffer[] {
  const programs: ProgramOffer[] = []
  if (military) programs.push({ kind: 'military' })
  if (referral !== undefined) programs.push({ kind: 'referral', id: 'friend', ratePpm: referral * 10_000 })
  if (coupon) {
    const articleIds = tires.every(({ eligible }) => eligible)
      ? 'all'
      : tires.filter(({ eligible }) => eligible).map(({ id }) => id)
    programs.push({
      kind: 'coupon',
      code: 'CODE',
      fundedBy: coupon.funded_by,
      stacksWithPromotions: false,
      reduction: couponReduction(coupon, articleIds),
    })
  }
  return programs
}

function itemReduction({ type, amount }: z.infer<typeof reduction>): ItemReduction {
  switch (type) {
    case 'Percentage':
      return { type, ratePpm: amount * 10_000 }
    case 'Flat Amount':
      return { type, amountCents: amount }
    case 'Buy3Get1':
      return { type }
    case 'Free':
      return { type, units: amount }
  }
}

function couponReduction(
  { type, amount }: z.infer<typeof reduction>,
  articleIds: 'all' | readonly string[],
): CouponReduction {
  switch (type) {
    case 'Percentage':
      return { type, ratePpm: amount * 10_000, articleIds }
    case 'Flat Amount':
      return { type, amountCents: amount, articleIds }
    case 'Buy3Get1':
      return { type, articleIds }
    case 'Free':
      return { type, item: { service: 'installation' }, units: amount === 0 ? 'all' : amount }
  }
}

function refundOf(breakdown: ReturnType<typeof priceCart>, returned: NonNullable<GoldenOrder['return']>): number {
  const outcome = refundForReturn(
    breakdown,
    [{ lineId: 'tire:A', quantity: returned.A, alreadyReturned: 0 }],
    returned.fee_each,
  )
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.value.refundCents
}
