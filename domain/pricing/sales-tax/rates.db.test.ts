/** Imported sales tax rates, from the file to a cart's price, a shop's card and the order. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listShopChoices, placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import {
  makePaidCart,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { discardRates, findTaxRule, importRates, previewRates, uploadRates } from './sales-tax.server.ts'

const [port = 0] = await freePorts(3)
const header = 'state,zip,starts,ends,state_percent,county,county_percent,city,city_percent,special_percent,source'

function upload(store: TestStore, ...rows: string[]) {
  const file = { formKey: randomUUID(), fileName: 'il.csv', text: [header, ...rows].join('\n') }
  return uploadRates(store, desk, file)
}

async function setRates(store: TestStore, ...rows: string[]): Promise<void> {
  must(await importRates(store, desk, must(await upload(store, ...rows))))
}

const chicago = (zip: string, starts = '2025-01-01', ends = '') =>
  `IL,${zip},${starts},${ends},6.25,Cook County,1.75,Chicago,1.25,1,test`

test('a ZIP with rates is charged all parts, the same on the card of a shop, in the cart and in the order', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  const quoteNow = async () => quoteCart(store, cart, (await readDetails(store, cart.id)).contact)
  const before = await quoteNow()
  expect(before.breakdown?.tax).toMatchObject({ basis: 'state-base', ratePpm: 62_500 })

  await setRates(store, chicago(before.shop?.zip ?? ''))
  const after = await quoteNow()
  expect(after.breakdown?.tax).toMatchObject({
    basis: 'destination',
    ratePpm: 102_500,
    parts: [
      { level: 'state', name: 'Illinois', ratePpm: 62_500 },
      { level: 'county', name: 'Cook County', ratePpm: 17_500 },
      { level: 'city', name: 'Chicago', ratePpm: 12_500 },
      { level: 'special', name: 'Special districts', ratePpm: 10_000 },
    ],
  })
  const choices = must(await listShopChoices(store, cart, { zip: '60614', kind: 'shop' }))
  const card = choices.find(({ shop }) => shop.id === cart.shopId)
  expect(card?.totalCents).toBe(after.breakdown?.totals.totalCents)

  const input = await makePaidCart(store, { openingAt: 1 })
  const { orderId } = must(await placeOrder(store, input))
  const order = await readOrder(store.db, orderId)
  expect(order?.breakdown.tax.ratePpm).toBe(order?.shop?.zip === before.shop?.zip ? 102_500 : 62_500)
})

test('an import between the review and the button is a changed price', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store)
  const { shop } = await quoteCart(store, await makeReadyCart(store), null)
  await setRates(store, chicago(shop?.zip ?? ''))
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'price-changed' })
})

test('rows apply on their days; a ZIP without one is charged its state’s row, then the built-in rate', async () => {
  await using store = await openTestStore(port)
  const ruleOn = async (zip: string, state: string, day: string) =>
    findTaxRule(store.db, { zip, state }, Temporal.PlainDate.from(day))
  await setRates(
    store,
    chicago('60614', '2026-01-01', '2026-06-30'),
    chicago('60614', '2026-07-01').replace('1.25', '1.5'),
    'IL,,2026-01-01,,6.5,,,,,,test',
  )
  expect((await ruleOn('60614', 'IL', '2026-06-30'))?.ratePpm).toBe(102_500)
  expect((await ruleOn('60614', 'IL', '2026-07-01'))?.ratePpm).toBe(105_000)
  expect(await ruleOn('60657', 'IL', '2026-07-01')).toMatchObject({ ratePpm: 65_000, basis: 'state-base' })
  expect(await ruleOn('60657', 'IL', '2025-07-01')).toMatchObject({ ratePpm: 62_500, basis: 'state-base' })
  expect(await ruleOn('97201', 'OR', '2026-07-01')).toMatchObject({ ratePpm: 0, basis: 'state-base' })
  expect(await ruleOn('09001', 'AE', '2026-07-01')).toBeNull()
})

test('a file replaces only its own states’ rows, in one transaction, once', async () => {
  await using store = await openTestStore(port)
  await setRates(store, chicago('60614'), chicago('60657'))
  await setRates(store, 'NY,10001,2025-01-01,,4,,,New York City,4.5,0.375,test')
  const counted = async () =>
    (await store.db.selectFrom('sales_tax_rate').select('zip').orderBy('zip').execute()).length
  expect(await counted()).toBe(3)

  expect(await upload(store, chicago('60614'), chicago('60614'))).toMatchObject({
    ok: false,
    detail: ['Line 3: line 2 is for the same place on some of the same days.'],
  })
  expect(await upload(store, chicago('10001'))).toMatchObject({ detail: ['Line 2: ZIP 10001 is in NY, not in IL.'] })

  const id = must(await upload(store, chicago('60614')))
  expect((await previewRates(store.db, id))?.changes).toEqual({ added: 0, removed: 1, changed: 0, same: 1 })
  expect(await counted()).toBe(3)
  must(await importRates(store, desk, id))
  expect(await counted()).toBe(2)
  expect(await importRates(store, desk, id)).toMatchObject({ ok: false, reason: 'gone' })
  const dropped = must(await upload(store, chicago('60614')))
  must(await discardRates(store, desk, dropped))
  expect(await importRates(store, desk, dropped)).toMatchObject({ ok: false, reason: 'gone' })
  const acts = await store.db
    .selectFrom('audit_entry')
    .select('act')
    .where('act', 'like', 'sales-tax.%')
    .orderBy('id')
    .execute()
  expect(acts.map(({ act }) => act.replace('sales-tax.', ''))).toEqual([
    'uploaded',
    'imported',
    'uploaded',
    'imported',
    'uploaded',
    'imported',
    'uploaded',
    'discarded',
  ])
})

test('the database refuses two rows of one place on one day', async () => {
  await using store = await openTestStore(port)
  await setRates(store, chicago('60614'), 'IL,,2026-01-01,,6.5,,,,,,test')
  const copy = (zip: string | null) =>
    store.db
      .insertInto('sales_tax_rate')
      .values({
        state: 'IL',
        zip,
        starts_on: '2026-05-01',
        state_ppm: 0,
        county_ppm: 0,
        city_ppm: 0,
        special_ppm: 0,
        source: 'test',
      })
      .execute()
  const refusalOf = (zip: string | null) => copy(zip).then(() => 'taken', violatedConstraint)
  expect(await refusalOf('60614')).toBe('sales_tax_rate_of_zip_once')
  expect(await refusalOf(null)).toBe('sales_tax_rate_of_state_once')
  expect(await refusalOf('60657')).toBe('taken')
})
