/** A shopper's appointment in a real browser at the width of a phone, without script: confirmed, moved, late, canceled. */
import { expect, test } from 'vitest'
import { appointmentToken } from '#domain/ordering/orders/order-access.server.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { expectNoAxeFindings, openPage } from './journey.ts'
import { keyboardFaults, staticFaults } from './page-faults.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()
const widths = [360, 1280]
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')
const { secret } = config.value.session

/** Returns the appointment link for a demo order with unshipped tires and an upcoming appointment. */
async function linkOf(state: 'confirmed' | 'no-show'): Promise<string> {
  const { db } = store.database
  const orders = await db
    .selectFrom('booking')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select('sales_order.id')
    .where('booking.state', '=', state)
    // The seed books any available time on that day, including drop-offs.
    .$if(state === 'confirmed', (query) => query.where('booking.kind', '=', 'wait'))
    .where('sales_order.state', '=', 'confirmed')
    .where(({ not, exists, selectFrom }) =>
      state === 'no-show'
        ? exists(selectFrom('shipment').select('id').whereRef('order_id', '=', 'sales_order.id'))
        : not(
            exists(
              selectFrom('shipment')
                .select('id')
                .whereRef('order_id', '=', 'sales_order.id')
                .where('state', 'not in', ['processed', 'pending-pickup']),
            ),
          ),
    )
    .orderBy('sales_order.id', 'desc')
    .executeTakeFirstOrThrow()
  return `${store.origin}/appointment/${appointmentToken(secret, orders.id, systemClock.now())}`
}

test('from the reminder to the last act, on a phone and without script', { timeout: 120_000 }, async () => {
  await using context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  async function look() {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      complaints.push(...(await staticFaults(page)))
    }
    if (!page.url().includes('#')) complaints.push(...(await keyboardFaults(page)))
    await expectNoAxeFindings(page)
    await page.setViewportSize({ width: 360, height: 800 })
  }
  const link = await linkOf('confirmed')
  await page.goto(link)
  await look()
  await page.getByRole('button', { name: 'Yes, I’ll be there' }).click()
  await page.getByText('We told the shop that you’re coming.').waitFor()
  await look()

  await page.getByRole('link', { name: 'Reschedule' }).click()
  await page.getByRole('heading', { name: 'Pick another time' }).waitFor()
  await page.getByRole('navigation', { name: 'Days' }).getByRole('link').last().click()
  await look()
  await page.locator('.appointment-times button').first().click()
  await page.getByText('Your new time is booked.').waitFor()
  await look()

  await page.getByText('Add to calendar').click()
  await page.getByRole('link', { name: 'Calendar file' }).waitFor()
  await page.getByRole('link', { name: 'Cancel the installation' }).click()
  await page.getByRole('heading', { name: 'Cancel the installation, keep the tires' }).waitFor()
  await look()
  await page.getByRole('button', { name: 'Cancel the installation' }).click()
  await page.getByText('Your order is changed.').waitFor()
  await look()
  expect(complaints).toEqual([])
})

test('a missed shopper rebooks with one tap', { timeout: 120_000 }, async () => {
  await using context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(await linkOf('no-show'))
  await page.getByRole('heading', { name: 'We missed you. Pick a new time' }).waitFor()
  complaints.push(...(await staticFaults(page)))
  await expectNoAxeFindings(page)
  await page.locator('.appointment-first button').first().click()
  await page.getByText('Your new time is booked.').waitFor()
  expect(complaints).toEqual([])
})
