/**
 * Demo data with a plausible catalog and shops in real places. Places, vehicles, and sizes are real
 * (THIRD-PARTY-DATA.md). Brands, tires, prices, shops, and reviews are generated from a fixed seed, so they're the same
 * on every machine. What people enter is added by use cases; only keys that those draw at random differ
 * (tools/seed-tables.test.ts).
 */
import type { PoolClient } from 'pg'
import { createPool } from '#platform/db.ts'
import { openStore, readStoreState } from '#domain/kernel/settings/settings.server.ts'
import { loadAccounts, loadCustomers, loadGrants, loadStaff } from './accounts.ts'
import { addReferenceData } from '#db/reference/reference-data.ts'
import { brandRows } from './brands.ts'
import { taxRuleFor } from '#domain/pricing/pricing/pricing.ts'
import { loadFinishedReturns } from './returned-orders.ts'
import { loadReturns } from './returns.ts'
import { loadGarages, loadReferralLinks, membershipRows, membershipSpan, type DemoKeys } from './demo-pasts.ts'
import { loadCompanies } from './demo-companies.ts'
import { loadContent } from './demo-content.ts'
import { loadParts } from './demo-parts.ts'
import { loadCoupons } from './demo-coupons.ts'
import { loadPriceLists } from './demo-price-lists.ts'
import { loadPrograms } from './demo-programs.ts'
import { loadPromotionDraft } from './demo-promotions.ts'
import { loadAdjustments, loadPurchaseOrders, supplySomeOrders } from './demo-supplies.ts'
import { loadQuotes, sendFamilyQuote } from './demo-quotes.ts'
import { loadJobs, readPayRates, rowsOfJobs } from './finished-jobs.ts'
import { insertRows, type Row } from '#db/insert-rows.ts'
import { deliveryPlaces, readZips, type Place } from '#db/reference/zips.ts'
import { scales, type Scale, type ScaleName } from './scales.ts'
import { loadCatalog, ownedVehicle } from './load-catalog.ts'
import { randomStream } from './random.ts'
import { makeBuyerReviews } from './reviews.ts'
import { makeCalendars } from './sample-bookings.ts'
import { makeStories, type Market } from './sample-orders.ts'
import { orderTables, rowsOfOrders } from './order-rows.ts'
import { certifyShops, loadShopInSetUp, loadVisitors, loadWorkingTeams } from './portal.ts'
import { accepted, byDemo, deleteQueuedEmails, depsAt } from './seed-transaction.ts'
import { baysOf, closuresOf, hoursOf, ratesOf, servicePricesOf } from './shop-details.ts'
import { makeShops, readShopSites, vanAreas, type Shop } from './shops.ts'
import { loadSupport } from './support.ts'
import { readVehicles } from '#db/reference/vehicles.ts'

export type SeedOptions = { scale: ScaleName; log: (line: string) => void; now: Temporal.Instant }

/**
 * Fills the migrated, empty database at `databaseUrl`. Returns immediately if it contains demo data of any scale. Runs
 * in one transaction, so an interrupted run leaves no data. Doesn't change a database with other data. Scales: empty
 * (reference data only), small, default, large (100,000 items), and 1m (a million items).
 */
export async function seed(databaseUrl: string, { scale, log, now }: SeedOptions): Promise<void> {
  const pool = createPool(databaseUrl, { size: 1, application: 'sidewall-seed' })
  try {
    const client = await pool.connect()
    try {
      await client.query('begin')
      // A concurrent seed is blocked here and then finds the data.
      await client.query("select pg_advisory_xact_lock(hashtext('sidewall seed'))")
      if (await isFilled(client, log)) {
        await client.query('rollback')
        return
      }
      await fill(client, scales[scale], { log, now })
      await client.query('insert into seed_run (scale, finished_at) values ($1, $2)', [scale, now.toString()])
      await client.query('commit')
      log('Tidying up')
      await client.query('vacuum analyze')
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  } finally {
    await pool.end()
  }
}

async function isFilled(client: PoolClient, log: (line: string) => void): Promise<boolean> {
  await client.query('create table if not exists seed_run (scale text not null, finished_at timestamptz not null)')
  const { rows } = await client.query<{ scale: string; filled: boolean }>(
    'select (select scale from seed_run limit 1) as scale, ' +
      ['brand', 'shop', 'account', 'warehouse', 'staff_grant']
        .map((table) => `exists (select from ${table})`)
        .join(' or ') +
      ' as filled',
  )
  const [state] = rows
  if (state?.scale) {
    log(`Demo data is there (${state.scale})`)
    return true
  }
  if (state?.filled) log('The database already has data. Skipping demo data')
  return state?.filled ?? false
}

async function fill(client: PoolClient, scale: Scale, { log, now }: Omit<SeedOptions, 'scale'>): Promise<void> {
  log('Places and vehicles')
  await addReferenceData(client)
  if (scale.items === 0) return
  const zips = readZips()
  const { vehicles, fitments } = readVehicles()
  await insertRows(client, 'brand', brandRows.slice(0, scale.brands), 'id')
  const cache = await loadCatalog(client, scale, { vehicles, fitments, log, now })
  const keys = await loadPeople(client, { ...cache, vehicles, fitments }, now)
  await loadPriceLists(client, cache, now)
  await loadQuotes(client, cache, now)
  await loadCoupons(client, now)
  await loadPromotionDraft(client, cache, now)
  await loadContent(client, now)
  log('Shops')
  const places = deliveryPlaces(zips)
  const shops = await loadShops(client, scale, places, now)
  if (scale.busyShops > 0) {
    log('Sample orders')
    await loadOrders(client, { ...cache, ...shops, vehicles, fitments, keys }, scale.busyShops, places, now)
  }
  await loadCustomers(client)
  await loadReturns(client, now)
  await loadPrograms(client, now)
  // A warehouse stocks what it ships, so that canceled units come back.
  await client.query(`
    insert into stock (item_id, warehouse_id, on_hand)
    select distinct line.item_id, part.warehouse_id, 0
    from stock_allocation part join order_line line on line.order_id = part.order_id and line.line_no = part.line_no
    on conflict do nothing`)
  await loadParts(client, now)
  await loadAdjustments(client, now)
  await sendFamilyQuote(client, now)
  await loadSupport(client, now)
  // The demo accepts orders immediately. A real store opens after onboarding.
  const { db } = depsAt(client, now)
  if (!(await readStoreState(db)).isOpen)
    accepted('Opening the store', await db.transaction().execute((tx) => openStore(tx, byDemo, now)))
  await deleteQueuedEmails(client)
}

/** The demo people with their possessions and companies. Returns the keys that orders refer to. */
async function loadPeople(
  client: PoolClient,
  market: Pick<Market, 'vehicles' | 'fitments'>,
  now: Temporal.Instant,
): Promise<DemoKeys> {
  await loadStaff(client)
  await loadAccounts(client, now)
  await loadGrants(client, membershipSpan(now))
  await loadGarages(client, market, now)
  const membership = membershipRows(now)
  await insertRows(client, 'membership_term', membership.membership_term)
  await insertRows(client, 'membership_event', membership.membership_event)
  await insertRows(client, 'payment', membership.payment)
  await insertRows(client, 'payment_event', membership.payment_event)
  await insertRows(client, 'ledger_entry', membership.ledger_entry)
  return { companies: await loadCompanies(client), referralCodes: await loadReferralLinks(client, now) }
}

type LoadedShops = {
  shops: Shop[]
  bays: Row<'shop_bay'>[]
  hours: Row<'shop_hours'>[]
  closures: Row<'shop_closure'>[]
  rates: Row<'shop_rate'>[]
}

async function loadShops(
  client: PoolClient,
  scale: Scale,
  places: readonly Place[],
  now: Temporal.Instant,
): Promise<LoadedShops> {
  const shops = makeShops(scale.sites(readShopSites(places)), scale.vans, places)
  const [bays, hours, rates, closures] = [
    baysOf(shops),
    hoursOf(shops),
    ratesOf(shops),
    closuresOf(shops, now.toZonedDateTimeISO('America/New_York').toPlainDate()),
  ]
  await insertRows(
    client,
    'shop',
    shops.map(
      (shop) => Object.fromEntries(Object.entries(shop).filter(([name]) => name !== 'slot_minutes')) as Row<'shop'>,
    ),
    'id',
  )
  await client.query(
    'update shop_capacity set slot_minutes = grid.minutes from unnest($1::int[], $2::int[]) as grid (shop_id, minutes) where shop_capacity.shop_id = grid.shop_id',
    [shops.map(({ id }) => id), shops.map((shop) => shop.slot_minutes)],
  )
  await insertRows(client, 'shop_bay', bays, 'id')
  await insertRows(client, 'shop_hours', hours)
  await insertRows(client, 'shop_closure', closures)
  await insertRows(client, 'shop_rate', rates)
  await insertRows(client, 'shop_service_price', servicePricesOf(shops))
  await insertRows(client, 'van_area', vanAreas(shops, places))
  const [busy] = shops
  if (busy) await loadVisitors(client, busy.id, now)
  await certifyShops(client, shops.slice(0, 2), now)
  await loadShopInSetUp(client, now)
  return { shops, bays, hours, closures, rates }
}

/** Orders at some shops, every seventh of them a van; in larger markets also at the three named Chicago shops. */
async function loadOrders(
  client: PoolClient,
  market: Omit<Market, 'calendars' | 'rates'> & LoadedShops,
  busyShops: number,
  places: readonly Place[],
  now: Temporal.Instant,
): Promise<void> {
  const random = randomStream('busy shops')
  const [named, others] = [
    busyShops < 10 ? [] : market.shops.slice(0, 3),
    market.shops
      .slice(3)
      .filter((shop) => taxRuleFor(shop.state, now.toZonedDateTimeISO('UTC').toPlainDate()) !== undefined),
  ]
  const busy = [
    ...named,
    ...random.shuffled(others.filter((shop) => shop.kind === 'shop')).slice(0, busyShops),
    ...random.shuffled(others.filter((shop) => shop.kind === 'van')).slice(0, Math.ceil(busyShops / 6)),
  ]
  const stories = makeStories(
    {
      ...market,
      calendars: makeCalendars(busy, market.bays, market.hours, market.closures),
      rates: Map.groupBy(market.rates, (rate) => rate.shop_id),
    },
    now,
  )
  const homes = random.shuffled(places.filter((place) => place.region === 'CONUS')).slice(0, 200)
  const rows = rowsOfOrders(stories, homes, now)
  const supplies = supplySomeOrders(rows)
  const technicians = new Map<number, string>()
  const [halsted] = named
  if (halsted) {
    const vanId = stories.find(({ shop }) => shop?.kind === 'van')?.shop?.id
    technicians.set(halsted.id, await loadWorkingTeams(client, { shopId: halsted.id, vanId }, now))
  }
  for (const table of orderTables) await insertRows(client, table, rows[table])
  await loadPurchaseOrders(client, supplies)
  await loadFinishedReturns(client, rows, stories)
  const rates = await readPayRates(client)
  await loadJobs(client, rowsOfJobs(stories, rows, { rates, lines: market.lines, technicians, now }))

  const deliveries = new Map(rows.shipment.map((shipment) => [shipment.order_id, shipment.delivered_at]))
  const lineOf = new Map(market.lines.map((line) => [line.id, line]))
  const buyers = stories.flatMap(({ id, firstName, item, vehicle, placedAt }) => {
    const [line, deliveredAt] = [lineOf.get(item.product_line_id), deliveries.get(id)]
    return line && deliveredAt instanceof Temporal.Instant
      ? [{ orderId: id, firstName, line, vehicle: ownedVehicle(vehicle), placedAt, deliveredAt }]
      : []
  })
  await insertRows(client, 'review', makeBuyerReviews(buyers, now))
}
