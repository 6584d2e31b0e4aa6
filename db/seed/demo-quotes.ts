/**
 * The demo's quotes. One can be opened by the special-order company, one is unsent, one belongs to a sales account, and
 * one is for two vehicles.
 */
import { createCatalog } from '#domain/catalog/catalog/catalog.server.ts'
import type { Item } from '#domain/catalog/catalog/catalog.ts'
import { priceOffer, type OfferedTires } from '#domain/catalog/offers/offers.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'
import { priceShipping } from '#domain/supply/delivery/delivery.ts'
import { standardShippingRates } from '#domain/kernel/rates/rates.ts'
import {
  findTires,
  findVehicleByName,
  saveQuote,
  sendQuote,
  startQuote,
  type QuoteDeps,
} from '#domain/ordering/quotes/quotes.server.ts'
import { endOf, quoteDays, salesActor } from '#domain/ordering/quotes/quotes.ts'
import { createPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { PoolClient } from 'pg'
import { accountIdOf } from './accounts.ts'
import { accepted, byStaff, depsAt } from './seed-transaction.ts'
import { insertRows } from '#db/insert-rows.ts'
import type { CatalogCache } from './load-catalog.ts'

const sentId = 2001
const draftId = 2002
const salesId = 2003
const quantity = 4

/** Inserts the quotes as of `now`. Skipped if the catalog lacks the items. */
export async function loadQuotes(client: PoolClient, cache: CatalogCache, now: Temporal.Instant): Promise<void> {
  const tires = tiresOf(cache)
  if (!tires) return
  const goodThrough = storeDay(now).add({ days: quoteDays.usual })
  const who = {
    name: 'Sol Marsh',
    email: 'sol@example.com',
    phone: '3125550177',
    account_id: accountIdOf('sol@example.com'),
    price_label: 'Special Order',
    zip: '60614',
    fulfillment: 'home',
    good_through_on: goodThrough.toString(),
    created_at: now.toString(),
    created_by: 'sales@example.com' as string | null,
    author_account_id: null as string | null,
    updated_at: now.toString(),
  }
  await insertRows(
    client,
    'sales_quote',
    [
      { ...who, id: sentId, form_key: keyOf(1), note: 'For the two trucks we spoke about.' },
      { ...who, id: draftId, form_key: keyOf(2), note: null },
      {
        ...who,
        id: salesId,
        form_key: keyOf(3),
        name: 'Rosa Whitfield',
        email: 'rosa@example.com',
        account_id: null,
        price_label: 'Retail',
        created_by: null,
        author_account_id: accountIdOf('sam@example.com'),
        note: 'As we said on the phone.',
      },
    ],
    'id',
  )
  const line = { item_id: tires.itemId, quantity, unit_cents: tires.quotedCents, cost_cents: tires.costCents }
  await insertRows(client, 'sales_quote_line', [
    { quote_id: sentId, ...line },
    { quote_id: draftId, ...line },
    { quote_id: salesId, ...line, unit_cents: tires.retailCents },
  ])
  const [staff, at] = ['sales@example.com', now.toString()]
  await insertRows(
    client,
    'sales_quote_event',
    [
      { quote_id: sentId, at, from_state: null, to_state: 'draft', actor: staff },
      { quote_id: sentId, at, from_state: 'draft', to_state: 'sent', actor: staff },
      { quote_id: draftId, at, from_state: null, to_state: 'draft', actor: staff },
      { quote_id: salesId, at, from_state: null, to_state: 'draft', actor: salesActor },
      { quote_id: salesId, at, from_state: 'draft', to_state: 'sent', actor: salesActor },
    ].map((event, index) => ({ id: index + 1, ...event })),
    'id',
  )
  const atRetail = { ...tires.offered, quote: { label: 'Retail' as const, unitCents: tires.retailCents } }
  for (const [id, offered] of [[sentId, tires.offered] as const, [salesId, atRetail] as const]) {
    const breakdown = priceOffer([offered], destination(offered), storeDay(now))
    await client.query(
      `update sales_quote set state = 'sent', mails = 1, sent_at = $2, expires_at = $3, breakdown = $4, total_cents = $5 where id = $1`,
      [id, at, endOf(goodThrough).toString(), JSON.stringify(breakdown), breakdown.totals.totalCents],
    )
  }
}

/** Sends a quote for two vehicles, as a salesperson does. Skipped if the catalog has no tires for one of them. */
export async function sendFamilyQuote(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const { db, clock } = depsAt(client, now)
  const businessTerms = { current: standardTerms }
  const catalog = createCatalog({ db, clock, businessTerms })
  const deps: QuoteDeps = { db, clock, businessTerms, catalog, priceLists: createPriceLists(db) }
  const cars = await Promise.all(
    ['2019 Honda CR-V EX', '2018 Toyota Camry LE'].map(async (name) => {
      const vehicle = (await findVehicleByName(deps, name)) ?? null
      const [offer] = vehicle ? await findTires(deps, '', vehicle) : []
      return { vehicle, lines: offer ? [lineOf(offer.items[0])] : [] }
    }),
  )
  const [first, ...others] = cars
  if (!first || cars.some(({ lines }) => lines.length === 0)) return
  const by = byStaff('sales@example.com')
  const who = { name: 'Nadia Flores', email: 'nadia@example.com', phone: null, accountId: null }
  const { id } = accepted('A quote', await startQuote(deps, by, { key: keyOf(4), ...who }))
  const draft = {
    ...who,
    ...first,
    others,
    revision: 1,
    label: 'Retail',
    fulfillment: 'home',
    zip: '60614',
    address: null,
    shopId: null,
    pickupWarehouseId: null,
    carrierLocationId: null,
    roadside: false,
    goodThrough: storeDay(now).add({ days: quoteDays.usual }),
    note: 'Both cars, as we discussed.',
  } as const
  const { revision } = accepted('Its tires', await saveQuote(deps, by, id, draft))
  accepted('Its email', await sendQuote(deps, by, { id, revision }))
}

const lineOf = ({ id: itemId, retailCents: unitCents }: Item) =>
  ({ itemId, axle: 'all', quantity, unitCents, coverage: false }) as const

function keyOf(index: number): string {
  return `00000000-0000-4000-8000-00000000000${index}`
}

/** Returns four of the first item at 10% below retail, limited by the price floor. */
function tiresOf({ items, lines, sizes }: CatalogCache) {
  const [item] = items
  const size = sizes.find(({ id }) => id === item?.size_id)
  const line = lines.find(({ id }) => id === item?.product_line_id)
  if (!item || item.id === undefined || !size || !line) return undefined
  const costCents = item.cost_cents ?? null
  const quotedCents = Math.max(Math.round(item.retail_cents * 0.9), Math.ceil(((costCents ?? 0) * 100) / 89))
  const offered: OfferedTires = {
    itemId: item.id,
    name: `${line.brand.name} ${line.name} ${size.designation} ${item.load_index}${item.speed}`,
    quantity,
    unitCents: item.retail_cents,
    quote: { label: 'Special Order', unitCents: quotedCents },
    fetUnitCents: item.fet_cents ?? 0,
    weightLb: item.weight_lb,
    coveredQuantity: 0,
    spec: { rimIn: size.rim, aspect: size.aspect, runFlat: item.run_flat ?? false, sizeKind: size.kind },
    promotions: [],
  }
  return { itemId: item.id, costCents, quotedCents, retailCents: item.retail_cents, offered }
}

function destination(tires: OfferedTires) {
  return {
    stateCode: 'IL',
    installation: null,
    shopName: null,
    shippingCents: priceShipping(standardShippingRates, { state: 'IL', zip: null }, [tires]).totalCents,
    shippingTo: 'address' as const,
    terms: standardTerms,
  }
}
