/** Prepares carts that are ready to order, with four tires, a shop installation, a held bay, and an authorized card. */
import { sql } from 'kysely'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { quoteInstallation } from '#domain/scheduling/installers/installers.ts'
import { articleId, priceOffer, type OfferedTires } from '#domain/catalog/offers/offers.ts'
import type { OrderDraft } from '#domain/ordering/orders/orders.server.ts'
import { breakdownFingerprint, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { systemClock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'

export type PreparedOrder = { draft: OrderDraft; cartVersion: number; paymentId: string }

/** What all orders of one article have in common. */
type Article = { itemId: number; warehouseId: number; breakdown: PriceBreakdown; description: string }
type Bay = { id: number; shop_id: number; zone: string }

const articlesUsed = 300
const batch = 500
/** Beyond the bookable days, so that sample appointments don't interfere. */
const firstDay = 60

/**
 * Writes `count` carts with line, hold and charge, and returns those that got their time with their drafts,
 * unordered. Call it again for more.
 */
export async function prepareOrders(db: Database, count: number): Promise<PreparedOrder[]> {
  const [articles, bays] = [await readArticles(db), await readBays(db)]
  const { held } = await db
    .selectFrom('booking')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('state', 'in', ['held', 'confirmed'])
    .executeTakeFirstOrThrow()
  const orders: PreparedOrder[] = []
  for (let from = 0; from < count; from += batch) {
    const drafts = Array.from({ length: Math.min(batch, count - from) }, (_, index) => {
      const [article, bay] = [pick(articles, from + index), pick(bays, held + from + index)]
      return {
        draft: draftOf(article, bay),
        article,
        bay,
        paymentId: newId(),
        day: workday(Math.floor((held + from + index) / bays.length)),
      }
    })
    await writeCarts(db, drafts)
    const holders = await readHolders(db)
    const withTime = drafts.filter(({ draft }) => holders.has(draft.cartId))
    orders.push(...withTime.map(({ draft, paymentId }) => ({ draft, cartVersion: 1, paymentId })))
  }
  // As pgbench does before measuring; in a running store, autovacuum does it.
  await sql`vacuum analyze`.execute(db)
  return orders
}

/** Articles of all kinds with endless stock in one warehouse each, priced at a shop in Chicago. */
async function readArticles(db: Database): Promise<Article[]> {
  const rows = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('stock')
          .select('warehouse_id')
          .whereRef('item_id', '=', 'item.id')
          .orderBy('warehouse_id')
          .limit(1)
          .as('stock'),
      (join) => join.onTrue(),
    )
    .select([
      'item.id',
      'item.sku',
      'item.retail_cents',
      'item.fet_cents',
      'item.weight_lb',
      'item.run_flat',
      'size.rim_in',
      'size.aspect',
      'size.kind',
      'size.designation',
      'stock.warehouse_id',
    ])
    .where('item.active', '=', true)
    .where('size.kind', '=', 'P')
    .where('size.rim_in', '=', 17)
    .where('size.aspect', '>=', 45)
    .where('item.run_flat', '=', false)
    .orderBy('item.sku')
    .limit(articlesUsed)
    .execute()
  await db
    .updateTable('stock')
    .set({ on_hand: 1_000_000 })
    .where((eb) => eb.or(rows.map((row) => eb.and({ item_id: row.id, warehouse_id: row.warehouse_id }))))
    .execute()
  const [shop] = await nearestShops(db)
  const today = Temporal.Now.plainDateISO('America/Chicago')
  return rows.flatMap((row) => {
    const spec = { rimIn: row.rim_in, aspect: row.aspect, runFlat: row.run_flat, sizeKind: row.kind }
    const tires: OfferedTires = {
      itemId: row.id,
      name: `${row.sku} ${row.designation}`,
      quantity: 4,
      unitCents: row.retail_cents,
      fetUnitCents: row.fet_cents,
      weightLb: row.weight_lb,
      coveredQuantity: 4,
      spec,
      promotions: [],
    }
    const quote = shop && quoteInstallation(shop, [{ ...spec, quantity: 4 }])
    if (!shop || !quote?.ok) return []
    const breakdown = priceOffer(
      [tires],
      {
        stateCode: shop.state,
        installation: quote.value,
        shopName: shop.name,
        shippingCents: 0,
        shippingTo: 'shop',
        terms: standardTerms,
      },
      today,
    )
    return [{ itemId: row.id, warehouseId: row.warehouse_id, breakdown, description: tires.name }]
  })
}

async function nearestShops(db: Database) {
  const near = await findShopsNear({ db, clock: systemClock }, { near: { zip: '60614' }, limit: 5 })
  if (!near.ok) throw new Error(near.reason)
  return near.value
}

function readBays(db: Database): Promise<Bay[]> {
  return db
    .selectFrom('shop_bay')
    .innerJoin('shop', 'shop.id', 'shop_bay.shop_id')
    .distinctOn('shop_bay.shop_id')
    .select(['shop_bay.id', 'shop_bay.shop_id', 'shop.time_zone as zone'])
    .where('shop_bay.kind', '=', 'bay')
    .where('shop.kind', '=', 'shop')
    .orderBy('shop_bay.shop_id')
    .orderBy('shop_bay.id')
    .execute()
}

/** Returns the carts with a held time. Bookings on closed days aren't inserted. */
async function readHolders(db: Database): Promise<Set<string | null>> {
  const rows = await db.selectFrom('booking').select('cart_id').where('state', '=', 'held').execute()
  return new Set(rows.map(({ cart_id: cartId }) => cartId))
}

function draftOf({ itemId, warehouseId, breakdown, description }: Article, bay: Bay): OrderDraft {
  const now = Temporal.Now.instant()
  const customerId = newId()
  return {
    cartId: newId(),
    customerId,
    buyerId: null,
    companyId: null,
    dealerShopId: null,
    email: `${customerId}@example.com`,
    placedAt: now,
    cancelUntil: now.add({ minutes: 30 }),
    confirmation: null,
    termsAcceptedAt: now,
    fulfillment: 'shop',
    shopId: bay.shop_id,
    carrierLocationId: null,
    pickupWarehouseId: null,
    contact: {
      firstName: 'Dana',
      lastName: 'Ruiz',
      company: null,
      address1: '1 Sample St',
      address2: null,
      city: 'Chicago',
      state: 'IL',
      zip: '60614',
      instructions: null,
      vehicleNote: null,
      phone: '3125550142',
      phoneExtension: null,
      phoneType: 'mobile',
    },
    shipTo: { name: 'Halsted Tire', street: '100 Sample Ave', city: 'Chicago', state: 'IL', zip: '60614' },
    vehicle: { year: 2021, makeSlug: 'toyota', modelSlug: 'rav4', name: '2021 Toyota RAV4 XLE', confirmed: true },
    verdict: {
      vehicleName: '2021 Toyota RAV4 XLE',
      verdict: 'fits',
      sets: [
        {
          verdict: 'fits',
          headline: 'Fits your RAV4',
          lines: ['Same size as the original', 'Load index and speed rating meet the need'],
          ruleBook: '2026.11.2',
        },
      ],
    },
    billing: {
      sameAsShipping: true,
      name: 'Dana Ruiz',
      address1: '1 Sample St',
      address2: null,
      city: 'Chicago',
      state: 'IL',
      zip: '60614',
      phone: '3125550142',
      phoneType: 'mobile',
      poNumber: null,
    },
    breakdown,
    creditCents: 0,
    lines: linesOf(itemId, description, breakdown),
    shipments: [
      {
        id: newId(),
        warehouseId,
        promisedOn: now.toZonedDateTimeISO('UTC').toPlainDate().add({ days: 3 }).toString(),
        shipsBy: now.add({ hours: 24 }),
        items: [{ itemId, quantity: 4, lineNo: 1 }],
      },
    ],
    parts: [],
  }
}

function linesOf(itemId: number, description: string, breakdown: PriceBreakdown): OrderDraft['lines'] {
  return breakdown.lines.map((line, index) => ({
    lineNo: index + 1,
    kind: line.kind,
    itemId: line.articleId === articleId(itemId) && line.kind === 'tire' ? itemId : null,
    axle: line.kind === 'tire' ? 'all' : null,
    partId: null,
    partWarehouseId: null,
    service: null,
    coveragePlan: line.kind === 'coverage' ? 'replacement' : null,
    description: line.kind === 'tire' ? description : line.kind,
    quantity: line.quantity,
    unitCents: line.unitCents,
    grossCents: line.grossCents,
    discountCents: line.grossCents - line.netCents,
    netCents: line.netCents,
    taxCents: line.taxCents,
    fetCents: line.fetCents,
    tireFeeCents: line.tireFeeCents,
  }))
}

type Written = { draft: OrderDraft; article: Article; bay: Bay; paymentId: string; day: Temporal.PlainDate }

async function writeCarts(db: Database, orders: readonly Written[]): Promise<void> {
  await db
    .insertInto('cart')
    .values(
      orders.map(({ draft, bay }) => ({
        id: draft.cartId,
        version: 1,
        zip: '60614',
        fulfillment: 'shop',
        shop_id: bay.shop_id,
        created_at: draft.placedAt,
        updated_at: draft.placedAt,
      })),
    )
    .execute()
  await db
    .insertInto('cart_line')
    .values(
      orders.map(({ draft, article }) => ({
        cart_id: draft.cartId,
        item_id: article.itemId,
        axle: 'all',
        quantity: 4,
        coverage: true,
        seen_unit_cents: article.breakdown.lines[0]?.unitCents ?? 0,
        added_at: draft.placedAt,
      })),
    )
    .execute()
  await db
    .insertInto('cart_quote')
    .values(
      orders.map(({ draft }) => ({
        cart_id: draft.cartId,
        fingerprint: breakdownFingerprint(draft.breakdown),
        breakdown: JSON.stringify(draft.breakdown),
        shown_at: draft.placedAt,
      })),
    )
    .execute()
  await db
    .insertInto('booking')
    .values(
      orders.map(({ draft, bay, day }) => {
        const start = day.toZonedDateTime({ timeZone: bay.zone, plainTime: '10:00' })
        return {
          id: newId(),
          shop_id: bay.shop_id,
          bay_id: bay.id,
          kind: 'wait',
          during: `[${start.toInstant().toString()},${start.add({ hours: 1 }).toInstant().toString()})`,
          state: 'held',
          hold_expires_at: draft.placedAt.add({ hours: 1 }),
          cart_id: draft.cartId,
          created_at: draft.placedAt,
        }
      }),
    )
    .execute()
  await db
    .insertInto('payment')
    .values(
      orders.map(({ draft, paymentId }) => ({
        id: paymentId,
        cart_id: draft.cartId,
        provider: 'stripe',
        provider_ref: `pi_${paymentId}`,
        flow: 'fields',
        amount_cents: draft.breakdown.totals.totalCents,
        state: 'authorized',
        created_at: draft.placedAt,
        updated_at: draft.placedAt,
      })),
    )
    .execute()
}

/** The `count`th Monday to Friday after `firstDay`. */
function workday(count: number): Temporal.PlainDate {
  const first = Temporal.Now.plainDateISO('UTC').add({ days: firstDay })
  const monday = first.add({ days: 8 - first.dayOfWeek })
  return monday.add({ days: Math.floor(count / 5) * 7 + (count % 5) })
}

function pick<Value>(list: readonly Value[], index: number): Value {
  const value = list[index % list.length]
  if (value === undefined) throw new Error('The demo data has nothing to choose from.')
  return value
}
