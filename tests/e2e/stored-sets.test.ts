/** A technician stores a set after its changeover and marks it as picked up, in a browser at three widths. */
import { expect, test } from 'vitest'
import { moveToToday } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { placeServiceOrder } from '#tests/support/order-by-api.ts'
import { createVisitor, signInToPortal } from '#tests/support/visitor.ts'
import { axeFindings, openPage } from './journey.ts'
import { smallTargets, tooWide } from './phone.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

test('a technician stores a set, saves its place, and marks it as picked up', { timeout: 120_000 }, async () => {
  const orderId = await placeServiceOrder(store, createVisitor(), 'changeover-storage')
  const { id } = await store.database.db
    .selectFrom('booking')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await moveToToday(store.database, id, Temporal.Now.instant())
  const technician = createVisitor()
  await signInToPortal(store.origin, technician, 'technician@example.com')
  const { value = '' } = technician.cookie('sw_portal') ?? {}
  await using context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 640 },
  })
  await context.addCookies([{ name: 'sw_portal', value, url: store.origin }])
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/portal/SW-00001/jobs/${id}`)
  await page.getByRole('button', { name: 'Car is here' }).click()
  await page.getByRole('button', { name: 'Into the bay' }).click()
  await page.getByLabel('Miles on the odometer').fill('41836')
  await page.getByText('No code? Take a signature').click()
  await page.getByLabel('Customer’s full name').fill('Dana Ruiz')
  await page.getByLabel(/^I am the customer\. The work was done/).check()
  await page.getByRole('button', { name: 'Finish job' }).click()
  await page.getByText('Done', { exact: true }).first().waitFor()

  await page.getByRole('link', { name: 'Storage', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Dana R., 2019 Honda CR-V' }).waitFor()
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await tooWide(page)).toEqual([])
    expect(await axeFindings(page, { isLayered: true })).toEqual([])
  }
  await page.setViewportSize({ width: 360, height: 640 })
  await page.getByText('Customer picked it up').click()
  expect(await smallTargets(page)).toEqual([])
  await page.getByLabel('Place in the shop').fill('Rack 4, shelf B')
  await page.getByRole('button', { name: `Save the place of S-${orderId}` }).click()
  await page.getByRole('status').getByText('Saved.').waitFor()
  expect(await page.getByLabel('Place in the shop').inputValue()).toBe('Rack 4, shelf B')
  await page.getByText('Customer picked it up').click()
  await page.getByRole('button', { name: `Mark S-${orderId} as picked up` }).click()
  await page.getByRole('status').getByText('Marked as picked up.').waitFor()
  await page.getByText('No stored sets.').waitFor()
  expect(complaints).toEqual([])
})
