/**
 * Counts the clicks that frequent tasks take from Home. A pressed button or link, a search result, and a chosen option
 * are clicks, by pointer or by Enter, and so is putting the cursor into a field. Sending typed text with Ctrl+Enter
 * isn't. The table in docs/performance.md compares them with the office before its redesign.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { contactSubjects } from '#domain/messaging/support/support.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { createVisitor } from '#tests/support/visitor.ts'
import { openPage, signInAtWork, waitUntilDrawn } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()
const { db } = store.database

type Taken = { task: string; clicks: number; fields: number; seconds: string }
const taken: Taken[] = []
afterAll(() => console.table(taken))

/** A staff member at Home who counts what they do. */
type Desk = {
  page: Page
  click(what: Locator): Promise<void>
  choose(what: Locator, option: Parameters<Locator['selectOption']>[0]): Promise<void>
  /** Types into a field, after a click into it unless it has the focus. */
  fill(what: Locator, text: string): Promise<void>
  /** Types into the search, which opens by its shortcut. */
  search(text: string): Promise<void>
  /** Chooses a result of the search. */
  take(result: Locator): Promise<void>
}

const hasFocus = (what: Locator) => what.evaluate((element) => element === document.activeElement)

/** Does a task as this role, and expects so many clicks and filled fields. */
async function perform(
  task: string,
  role: BuiltInRole,
  expected: { clicks: number; fields: number },
  does: (desk: Desk) => Promise<void>,
): Promise<void> {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, `${role}@example.com`)
  await page.locator('.office-command').waitFor()
  await waitUntilDrawn(page)
  const counts = { clicks: 0, fields: 0 }
  const began = performance.now()
  await does({
    page,
    async click(what) {
      counts.clicks += 1
      await what.click()
    },
    async choose(what, option) {
      counts.clicks += 1
      await what.selectOption(option)
    },
    async fill(what, text) {
      counts.fields += 1
      await what.waitFor()
      if (!(await hasFocus(what))) {
        counts.clicks += 1
        await what.click()
      }
      await page.keyboard.type(text)
    },
    async search(text) {
      counts.fields += 1
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(text)
    },
    async take(result) {
      counts.clicks += 1
      await result.click()
    },
  })
  taken.push({ task, ...counts, seconds: ((performance.now() - began) / 1_000).toFixed(1) })
  expect(complaints).toEqual([])
  expect(counts, task).toEqual(expected)
}

/** Returns the smallest charged order with four of a tire and without refunds. */
async function chargedOrder(): Promise<number> {
  const { id } = await db
    .selectFrom('payment')
    .innerJoin('sales_order', 'sales_order.id', 'payment.order_id')
    .innerJoin('order_line', 'order_line.order_id', 'sales_order.id')
    .select('sales_order.id')
    .where('payment.state', '=', 'captured')
    .where('sales_order.state', '=', 'confirmed')
    .where('refunded_cents', '=', 0)
    .where('order_line.kind', '=', 'tire')
    .where('order_line.quantity', '=', 4)
    .orderBy('captured_cents')
    .executeTakeFirstOrThrow()
  return id
}

test('refunding two of four tires takes four clicks', async () => {
  const id = await chargedOrder()
  await perform('Refund two of four tires', 'support', { clicks: 4, fields: 1 }, async (desk) => {
    const { page } = desk
    await desk.search(orderNumber(id))
    await desk.take(page.getByRole('option', { name: /^Refund…/ }))
    await desk.choose(page.locator('#refund select').first(), '2')
    await desk.choose(page.getByLabel('Reason', { exact: true }), 'late')
    await expect.poll(() => page.getByLabel('Cost charged to').inputValue()).toBe('carrier')
    await desk.click(page.getByRole('button', { name: /^Refund \$/ }))
    await page.getByText('Refund issued. We’ll email the customer when the money is sent.').waitFor()
  })
})

test('finding a customer by four digits of their phone takes one click', async () => {
  const { phone, name } = await db
    .selectFrom('customer')
    .select(['phone', 'name'])
    .where('phone', 'is not', null)
    .where('name', 'is not', null)
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  await perform('Find a customer by four digits', 'support', { clicks: 1, fields: 1 }, async (desk) => {
    await desk.search(phone?.slice(-4) ?? '')
    await desk.take(desk.page.locator('[role=option][href^="/office/customers/"]', { hasText: name ?? '' }).first())
    await desk.page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor()
  })
})

test('answering the oldest message takes one click', async () => {
  await createVisitor().ask(`${store.origin}/contact`, {
    form: {
      firstName: 'Ann',
      lastName: 'Asker',
      email: 'ann-asker@example.net',
      phone: '3125550142',
      subject: contactSubjects[0],
      message: 'Where is my order?',
    },
  })
  await perform('Answer a message', 'support', { clicks: 1, fields: 1 }, async (desk) => {
    const { page } = desk
    await desk.click(page.locator('#requests .office-queue-first a').first())
    await desk.fill(page.getByLabel('Text', { exact: true }), 'It arrives on Friday.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sent. Their answer comes back here.').waitFor()
  })
})

test('approving a return of two tires takes four clicks', async () => {
  await perform('Approve a return', 'support', { clicks: 4, fields: 0 }, async (desk) => {
    const { page } = desk
    await desk.click(page.locator('#returns a').first())
    await desk.click(page.getByRole('button', { name: 'Accept 2 received tires' }))
    await page.getByText('Tires accepted. You can refund them now.').waitFor()
    const refund = page.getByRole('button', { name: /^Refund \$/ }).first()
    await page.locator('button[value=refund][aria-haspopup=dialog]').first().waitFor()
    await desk.click(refund)
    await desk.click(page.getByRole('button', { name: /^Yes, refund \$/ }))
    await page.getByText('Refund issued. We emailed the customer.').waitFor()
  })
})

test('adding a note to an order takes one click', async () => {
  const id = await chargedOrder()
  await perform('Add a note', 'support', { clicks: 1, fields: 2 }, async (desk) => {
    const { page } = desk
    await desk.search(orderNumber(id))
    await desk.take(page.getByRole('option', { name: /^Add note…/ }))
    await desk.fill(page.locator('#note').getByLabel('Note', { exact: true }), 'Called about the late parcel.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Note added.').waitFor()
  })
})

test('moving an appointment takes two clicks', async () => {
  const { id } = await db
    .selectFrom('sales_order')
    .innerJoin('booking', 'booking.order_id', 'sales_order.id')
    .select('sales_order.id')
    .where('sales_order.state', '=', 'confirmed')
    .where('booking.state', '=', 'confirmed')
    .where('released_at', 'is not', null)
    .orderBy('booking.during', 'desc')
    .executeTakeFirstOrThrow()
  await perform('Move an appointment', 'manager', { clicks: 2, fields: 2 }, async (desk) => {
    const { page } = desk
    await desk.search(orderNumber(id))
    await desk.take(page.getByRole('option', { name: /^Move appointment…/ }))
    await desk.click(page.locator('#act li a').nth(3))
    await desk.fill(page.getByLabel('Reason', { exact: true }), 'The customer called.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Appointment rescheduled. We emailed the customer.').waitFor()
  })
})
