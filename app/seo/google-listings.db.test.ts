/** Sends products to Google, with a changed catalog, crashes, refusals, and limits. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { changeTire, findTireCells } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import type { TireField } from '#domain/catalog/catalog-import/catalog-import.ts'
import { hideItem } from '#domain/catalog/catalog/catalog.server.ts'
import {
  listListings,
  readListingSummary,
  sendAllAgain,
  sendListings,
} from '#domain/catalog/google-listings/google-listings.server.ts'
import type { IssuePage, MerchantAnswer, MerchantCenter } from '#domain/catalog/google-listings/merchant-center.port.ts'
import { shippingTerm, standardTerms } from '#domain/kernel/settings/settings.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { returnStock, takeStock } from '#domain/supply/delivery/stock.sql.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createLog } from '#platform/log.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { listingSource } from './listing-source.server.ts'

type Call = { itemId: number; price: string | undefined } | { removed: number }
const idsOf = (calls: readonly Call[]) => calls.flatMap((call) => ('itemId' in call ? [call.itemId] : []))
const done = { ok: true, value: null } as const

type FakeCenter = MerchantCenter & {
  answer(): MerchantAnswer<null>
  issues(page: string | null): MerchantAnswer<IssuePage>
  /** The calls since the last time. */
  take(): Call[]
}

/** An account that accepts everything, until `answer` is replaced, and records the calls. */
function fakeCenter(): FakeCenter {
  const calls: Call[] = []
  const center: FakeCenter = {
    answer: () => done,
    issues: () => ({ ok: true, value: { listings: [], next: null } }),
    put({ itemId, fields }) {
      calls.push({ itemId, price: fields.find(([name]) => name === 'price')?.[1] })
      return Promise.try(() => center.answer())
    },
    remove(itemId) {
      calls.push({ removed: itemId })
      return Promise.try(() => center.answer())
    },
    readIssues: (page) => Promise.try(() => center.issues(page)),
    take: () => calls.splice(0),
  }
  return center
}

/** A small catalog with an account at Google. The first run is done, unless the limit stops it. */
async function openListings({ dailyCalls = 1_000_000 } = {}) {
  const database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const center = fakeCenter()
  const deps = {
    db: database.db,
    clock,
    log: createLog('silent', 'test'),
    merchantCenter: center,
    businessTerms: { current: standardTerms },
    config: { merchant: { dailyCalls }, web: { origin: 'https://tires.example' } },
  }
  const run = () => sendListings(deps, listingSource(deps))
  const pass = (duration: Temporal.DurationLike) => clock.set(clock.now().add(duration))
  /** Runs until everything is sent. */
  async function settle(): Promise<Call[]> {
    for (let runs = 0; runs < 100; runs += 1) {
      await run()
      const { waiting } = (await readListingSummary(deps)) ?? { waiting: 0 }
      if (waiting === 0) break
    }
    return center.take()
  }
  const first = await settle()
  const [tire] = idsOf(first)
  if (tire === undefined) throw new Error('No product was sent')
  return {
    deps,
    database,
    clock,
    center,
    run,
    pass,
    settle,
    first,
    tire,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
type Listings = Awaited<ReturnType<typeof openListings>>

async function setPrice({ deps }: Listings, itemId: number, price: string): Promise<void> {
  const found = await findTireCells(deps, itemId)
  if (!found) throw new Error('No such tire')
  const cells = { ...found.cells, price } as Record<TireField, string>
  must(await changeTire(deps, desk, itemId, { cells, mark: found.mark, accepts: true }))
}

type Units = { warehouseId: number; quantity: number }

/** Sells a tire's units in each warehouse. */
async function sellOut({ deps: { db, clock } }: Listings, itemId: number): Promise<Units[]> {
  const rows = await db
    .selectFrom('stock')
    .select(['warehouse_id as warehouseId', 'on_hand as quantity'])
    .where('item_id', '=', itemId)
    .where('on_hand', '>', 0)
    .execute()
  const shipments = rows.map(({ warehouseId, quantity }) => ({ warehouseId, items: [{ itemId, quantity }] }))
  const sold = await db.transaction().execute((tx) => takeStock(tx, shipments, { cartId: null, at: clock.now() }))
  if (!sold) throw new Error('The units are held')
  return rows
}

const giveBack = ({ deps: { db } }: Listings, itemId: number, [first]: Units[]) =>
  db
    .transaction()
    .execute((tx) =>
      returnStock(
        tx,
        sql`select ${itemId}::int as item_id, ${first?.warehouseId ?? 0}::smallint as warehouse_id, 8 as quantity`,
      ),
    )

const hide = ({ deps }: Listings, itemId: number, isHidden: boolean) =>
  hideItem(deps, desk, { itemId, isHidden, reason: 'Recalled.' })

test('all products are sent once, and then only changed ones', async () => {
  await using listings = await openListings()
  const { first, tire, settle } = listings
  const ids = idsOf(first)
  expect(ids.length).toBeGreaterThan(100)
  expect(new Set(ids).size).toBe(ids.length)
  expect(await settle()).toEqual([])

  await setPrice(listings, tire, '123.45')
  expect(await settle()).toEqual([{ itemId: tire, price: '123.45 USD' }])
  await setPrice(listings, tire, '123.45')
  expect(await settle()).toEqual([])
})

test('a hidden tire is removed, and is sent again when it is for sale', async () => {
  await using listings = await openListings()
  const { tire, settle, deps } = listings
  must(await hide(listings, tire, true))
  expect(await settle()).toEqual([{ removed: tire }])
  expect(await deps.db.selectFrom('google_listing').select('title').where('item_id', '=', tire).execute()).toEqual([])
  expect(await settle()).toEqual([])
  must(await hide(listings, tire, false))
  expect(await settle()).toMatchObject([{ itemId: tire }])
})

test('a tire that is sold out is removed without comparing the others', async () => {
  await using listings = await openListings()
  const { tire, settle, deps } = listings
  const compared: number[] = []
  const source = listingSource(deps)
  const sold = await sellOut(listings, tire)
  await sendListings(deps, {
    ...source,
    all: () => {
      throw new Error('All tires are compared')
    },
    of(ids) {
      compared.push(...ids)
      return source.of(ids)
    },
  })
  expect(new Set(compared)).toEqual(new Set([tire]))
  expect(await settle()).toEqual([{ removed: tire }])
  await giveBack(listings, tire, sold)
  expect(await settle()).toMatchObject([{ itemId: tire }])
})

test('a crash between the call and its record repeats the call and loses no product', async () => {
  await using listings = await openListings()
  const { tire, settle, run, center, pass, deps } = listings
  const crash = () => {
    throw new Error('The process ends here')
  }
  await setPrice(listings, tire, '123.45')
  center.answer = crash
  await expect(run()).rejects.toThrow('The process ends here')
  center.answer = () => done
  const call = { itemId: tire, price: '123.45 USD' }
  expect(await settle()).toEqual([call, call])

  // A tire that was sent for the first time may be at Google when it is hidden.
  must(await hide(listings, tire, true))
  await settle()
  must(await hide(listings, tire, false))
  center.answer = crash
  await expect(run()).rejects.toThrow('The process ends here')
  must(await hide(listings, tire, true))
  center.answer = () => done
  expect(await settle()).toEqual([call, { removed: tire }])

  // A process that ended without a word holds the run for three minutes.
  must(await hide(listings, tire, false))
  await deps.db
    .updateTable('google_listing_run')
    .set({ running_until: deps.clock.now().add({ minutes: 3 }) })
    .execute()
  await run()
  expect(center.take()).toEqual([])
  pass({ minutes: 3 })
  expect(await settle()).toMatchObject([{ itemId: tire }])
})

test('a refused row waits for a change or a day, and the list has the reason', async () => {
  await using listings = await openListings()
  const { tire, settle, center, pass, deps } = listings
  await setPrice(listings, tire, '123.45')
  center.answer = () => ({ ok: false, reason: 'refused', message: 'Invalid GTIN' })
  expect(await settle()).toHaveLength(1)
  expect(await settle()).toEqual([])
  const { listings: shown } = await listListings(deps, { view: 'problems', after: 0 }, 50)
  expect(shown).toMatchObject([{ itemId: tire, state: 'refused', problem: 'Invalid GTIN' }])
  expect(await readListingSummary(deps)).toMatchObject({ refused: 1, waiting: 0 })

  pass({ hours: 24 })
  expect(idsOf(await settle())).toContain(tire)
  center.answer = () => done
  pass({ hours: 24 })
  await settle()
  await setPrice(listings, tire, '130.00')
  expect(await settle()).toEqual([{ itemId: tire, price: '130.00 USD' }])
  expect((await listListings(deps, { view: 'problems', after: 0 }, 50)).listings).toEqual([])
})

test('while Google is unavailable it isn’t called, and the last change is sent first', async () => {
  await using listings = await openListings()
  const { tire, first, run, center, pass, deps } = listings
  const others = idsOf(first)
    .filter((id) => id !== tire)
    .slice(0, 12)
  center.answer = () => ({ ok: false, reason: 'unavailable', message: 'Too many calls', retrySeconds: 120 })
  for (const [index, itemId] of [...others, tire].entries()) {
    await setPrice(listings, itemId, `${900 + index}.00`)
    pass({ seconds: 1 })
    await run()
  }
  expect(center.take()).toHaveLength(1)
  const summary = await readListingSummary(deps)
  expect(summary).toMatchObject({ waiting: 13, refused: 0, pause: { problem: 'Too many calls' } })
  center.answer = () => done
  pass({ seconds: 120 })
  await run()
  expect(idsOf(center.take())).toEqual([tire, ...others.toReversed()])
  expect(await readListingSummary(deps)).toMatchObject({ waiting: 0, pause: null })
})

test('the daily limit stops calls until the next day', async () => {
  await using listings = await openListings({ dailyCalls: 25 })
  const { first, run, center, pass, deps } = listings
  expect(first).toHaveLength(25)
  expect(await readListingSummary(deps)).toMatchObject({ calls: 25, limit: 25 })
  await run()
  expect(center.take()).toEqual([])
  pass({ hours: 24 })
  expect(await readListingSummary(deps)).toMatchObject({ calls: 0 })
  await run()
  expect(center.take()).toHaveLength(25)
})

test('problems that Google reports are read each hour from all pages', async () => {
  await using listings = await openListings()
  const { tire, first, run, center, pass, deps } = listings
  const other = idsOf(first).at(-1) ?? 0
  const issue = { severity: 'disapproved', text: 'Invalid image', detail: 'Replace it.', help: null } as const
  const pages: Record<string, IssuePage> = {
    first: { listings: [{ itemId: tire, issues: [issue] }], next: 'second' },
    second: { listings: [{ itemId: other, issues: [{ ...issue, severity: 'notice' }] }], next: null },
  }
  center.issues = (page) => ({ ok: true, value: pages[page ?? 'first'] ?? { listings: [], next: null } })
  await run()
  expect(await readListingSummary(deps)).toMatchObject({ disapproved: 0 })
  pass({ hours: 1 })
  await run()
  expect(await readListingSummary(deps)).toMatchObject({ disapproved: 1 })
  const problems = async () => (await listListings(deps, { view: 'problems', after: 0 }, 50)).listings
  expect(new Set((await problems()).map(({ itemId }) => itemId))).toEqual(new Set([tire, other]))
  expect(await problems()).toContainEqual(expect.objectContaining({ itemId: tire, issues: [issue] }))
  center.issues = () => ({ ok: true, value: { listings: [], next: null } })
  pass({ hours: 1 })
  await run()
  expect(await problems()).toEqual([])
})

test('shipping rates, and 25 days, send products again, and so does the office', async () => {
  await using listings = await openListings()
  const { deps, first, settle, pass, center } = listings
  deps.businessTerms = { current: { ...standardTerms, [shippingTerm('conus', 'handling')]: 4_321 } }
  expect(await settle()).toHaveLength(first.length)

  // Promotions end, so some prices change.
  pass({ hours: 24 * 24 })
  const changed = new Set(idsOf(await settle()))
  const unchanged = idsOf(first).filter((id) => !changed.has(id))
  expect(unchanged.length).toBeGreaterThan(100)
  pass({ hours: 24 })
  const renewed = new Set(idsOf(await settle()))
  expect(unchanged.filter((id) => !renewed.has(id))).toEqual([])

  expect(must(await sendAllAgain(deps, desk)).count).toBeGreaterThan(0)
  expect((await settle()).length).toBeGreaterThan(100)
  expect(await sendAllAgain({ ...deps, merchantCenter: null }, desk)).toMatchObject({ reason: 'off' })
  expect(center.take()).toEqual([])
})
