/** A tire's page beyond the purchase, in a browser. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

/** A tire in the size of a vehicle with unknown drive, and the cookie that remembers the vehicle. */
async function tireForVehicle(): Promise<{ path: string; vehicle: string }> {
  const row = await store.database.db
    .selectFrom('vehicle')
    .innerJoin('oe_fitment as fitment', 'fitment.vehicle_id', 'vehicle.id')
    .innerJoin('size', 'size.designation', 'fitment.front_size')
    .innerJoin('item', 'item.size_id', 'size.id')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['vehicle.id as vehicleId', 'fitment.id as fitmentId', 'year', 'make', 'model', 'make_slug', 'model_slug'])
    .select(['item.id', 'line.slug as line', 'brand.slug as brand'])
    .where('vehicle.drive', '=', 'na')
    .where('fitment.source', '=', 'catalog')
    .whereRef('fitment.front_size', '=', 'fitment.rear_size')
    .whereRef('item.load_index', '>=', 'fitment.front_load_index')
    .whereRef('item.speed', '=', 'fitment.front_speed')
    .where('item.active', '=', true)
    .where(sql<number>`(select sum(on_hand) from stock where item_id = item.id)`, '>=', 16)
    .orderBy('fitment.id')
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const vehicle = encodeChosenVehicle({
    vehicleId: row.vehicleId,
    fitmentId: row.fitmentId,
    year: row.year,
    makeSlug: row.make_slug,
    modelSlug: row.model_slug,
    name: `${row.year} ${row.make} ${row.model}`,
    confirmed: true,
    label: null,
  })
  return { path: `/brands/${row.brand}/${row.line}/p/${row.id}`, vehicle }
}

test.for([true, false])(
  'all-wheel drive needs one answer, is remembered, and changes the advice for a pair, with script: %s',
  async (javaScriptEnabled) => {
    const { path, vehicle } = await tireForVehicle()
    const context = await browser.newContext({ javaScriptEnabled })
    await context.addCookies([{ name: 'sw_vehicle', value: vehicle, url: store.origin }])
    const { page, complaints } = await openPage(context)
    await page.goto(`${store.origin}${path}`)
    const fewer = page.getByRole('region', { name: /^Fewer than four/ })
    await fewer.getByText('Your two new tires go on the rear axle').waitFor()
    expect(await fewer.getByText('All-wheel drive: the four tires must match').count()).toBe(0)
    await fewer.getByRole('button', { name: 'Yes, all-wheel drive' }).click()
    await fewer.getByText('All-wheel drive: the four tires must match').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    expect(await fewer.getByRole('button').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  },
)

test('server-rendered parts stay after hydration, pass axe, and fit a phone', async () => {
  const { path, vehicle } = await tireForVehicle()
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 320, height: 800 } })
  await context.addCookies([{ name: 'sw_vehicle', value: vehicle, url: store.origin }])
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}${path}`, { waitUntil: 'networkidle' })
  await page.locator('summary', { hasText: 'Is it for snow?' }).press('Enter')
  await page.getByRole('link', { name: 'What the marks on a sidewall mean' }).waitFor()
  await page.getByRole('heading', { name: /^What we checked for your/ }).waitFor()
  await page.getByRole('button', { name: 'One fewer' }).click()
  await page.waitForURL(/quantity=3/)
  await page.getByRole('form', { name: /^Buy/ }).getByText('Is the other tire on that axle the same model?').waitFor()
  await page.getByRole('link', { name: 'What the marks on a sidewall mean' }).waitFor()
  expect(await tooWide(page)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})
