/** Tests one task of each role, with JavaScript and the keyboard, and without JavaScript. */
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactSubjects } from '#domain/messaging/support/support.ts'
import type { BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { linkIn, mailFor, newestMail } from '#tests/support/mailbox.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'
import { openDrawn, openPage, signInAtWork } from './journey.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { launchBrowser } from '#tests/support/browser.ts'

const browser = await launchBrowser()
afterAll(() => browser.close())

/** A staff member at the page they work on. `press` follows a link or a button, by keyboard where that works. */
type Desk = { page: Page; press(what: Locator): Promise<void>; tick(what: Locator): Promise<void> }

describe.for([
  { name: 'with script, by keyboard', isScripted: true },
  { name: 'without script', isScripted: false },
])('$name', ({ isScripted }) => {
  let store: RunningStore
  beforeAll(async () => {
    store = await startStore()
  }, 120_000)
  afterAll(() => store[Symbol.asyncDispose]())

  const db = () => store.database.db
  const open = (page: Page, path: string) =>
    isScripted ? openDrawn(page, `${store.origin}${path}`) : page.goto(`${store.origin}${path}`)

  /** Signs in as a role, does the work, and expects no complaint of the browser. */
  async function work(role: BuiltInRole, does: (desk: Desk) => Promise<void>): Promise<void> {
    await using context: BrowserContext = await browser.newContext({
      javaScriptEnabled: isScripted,
      reducedMotion: 'reduce',
    })
    const { page, complaints } = await openPage(context)
    await signInAtWork({ page, store }, `${role}@example.com`)
    await does({
      page,
      press: (what) => (isScripted ? what.press('Enter') : what.click()),
      tick: (what) => (isScripted ? what.press('Space') : what.check()),
    })
    expect(complaints).toEqual([])
  }

  /** Returns a charged order without refunds (the smallest over $200, or else the largest). */
  async function chargedOrder(which: 'small' | 'large') {
    const orders = await db()
      .selectFrom('payment')
      .innerJoin('sales_order', 'sales_order.id', 'payment.order_id')
      .select(['sales_order.id', 'sales_order.phone', 'captured_cents as cents'])
      .where('payment.state', '=', 'captured')
      .where('sales_order.state', '=', 'confirmed')
      .where('refunded_cents', '=', 0)
      .where('captured_cents', '>', 20_000)
      .orderBy('captured_cents')
      .execute()
    const order = which === 'small' ? orders[0] : orders.at(-1)
    if (!order) throw new Error('The demo has no charged order.')
    return order
  }

  test('support finds an order by phone, adds a note, refunds one tire', { timeout: 90_000 }, async () => {
    const order = await chargedOrder('small')
    await work('support', async ({ page, press }) => {
      const path = `/office/orders/${order.id}`
      if (isScripted) {
        await page.locator('.office-command').waitFor()
        await page.keyboard.press('/')
        await page.getByRole('combobox').fill(order.phone)
        await page.locator(`[role=option][href="${path}"]`).press('Enter')
      } else {
        const find = page.getByLabel(/^Find an order/)
        await find.fill(order.phone)
        await find.press('Enter')
        await page.waitForURL(/\/office\/(?:search|orders\/\d+)/)
        if (!page.url().includes(path)) await press(page.locator(`main a[href="${path}"]`).first())
      }
      await page.waitForURL(`${store.origin}${path}`)

      await press(page.locator('summary', { hasText: 'More' }))
      await press(page.locator('a[href*="act=note"]').first())
      await page.locator('#note').getByLabel('Note', { exact: true }).fill('Called about the late parcel.')
      await press(page.getByRole('button', { name: 'Add note' }))
      await page.getByText('Note added.').waitFor()
      await page.getByText('Called about the late parcel.').first().waitFor()

      await press(page.locator('a[href*="act=refund"]').first())
      await page.locator('select[name="units-1"]').selectOption('1')
      await page.getByLabel('Reason', { exact: true }).selectOption('late')
      await page.getByLabel('Cost charged to').selectOption('carrier')
      // With JavaScript, the preview follows the form.
      if (!isScripted) await press(page.getByRole('button', { name: 'Preview' }))
      await page.getByRole('heading', { name: 'Ledger entry' }).waitFor()
      await press(page.getByRole('button', { name: /^Refund \$/ }))
      await page.getByText('Refund issued. We’ll email the customer when the money is sent.').waitFor()
    })
    const refunds = await db()
      .selectFrom('order_refund')
      .select(['created_by as by', 'state'])
      .where('order_id', '=', order.id)
      .execute()
    expect(refunds).toEqual([{ by: 'support@example.com', state: 'approved' }])
  })

  test('support answers a message', { timeout: 90_000 }, async () => {
    const email = `ann-${newId()}@example.net`
    await createVisitor().ask(`${store.origin}/contact`, {
      form: {
        firstName: 'Ann',
        lastName: 'Asker',
        email,
        phone: '3125550142',
        subject: contactSubjects[0],
        message: 'Where is my order?',
      },
    })
    const { id } = await db()
      .selectFrom('support_request')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await work('support', async ({ page, press }) => {
      await open(page, '/office/messages')
      await press(page.locator(`main a[href^="/office/messages/${id}"]`).first())
      await page.getByText('Where is my order?').first().waitFor()
      await page.getByLabel('Text', { exact: true }).fill('It arrives on Friday.')
      await press(page.getByRole('button', { name: 'Send by email' }))
      await page.getByText('Sent. Their answer comes back here.').waitFor()
    })
    await expect
      .poll(async () => (await mailFor(store, email)).some(({ text }) => text.includes('It arrives on Friday.')))
      .toBe(true)
  })

  test('sales composes and sends a quote', { timeout: 90_000 }, async () => {
    const email = `rosa-${newId()}@example.net`
    const item = await db().selectFrom('item').select('sku').where('id', '=', 100_001).executeTakeFirstOrThrow()
    await work('sales', async ({ page, press, tick }) => {
      await open(page, '/office/quotes/new')
      await page.getByLabel('Name', { exact: true }).fill('Rosa Whitfield')
      await page.getByLabel('Email', { exact: true }).fill(email)
      await press(page.getByRole('button', { name: 'Start quote' }))
      await page.waitForURL(/\/office\/quotes\/\d+/)
      await page.getByLabel(/^Find tires/).fill(item.sku)
      await press(page.getByRole('button', { name: 'Find', exact: true }))
      await press(page.getByRole('button', { name: /^Add / }).first())
      await page.getByLabel('Quantity').waitFor()
      await page.getByLabel('ZIP', { exact: true }).fill('60614')
      await tick(page.getByRole('radio', { name: 'Delivered to an address' }))
      await press(page.getByRole('button', { name: 'Send quote' }))
      await page.getByText('Quote Sent Successfully').waitFor()
    })
    expect((await newestMail(store, email, 'Your quote Q-')).text).toContain('/quote/')
  })

  test('sales quotes two vehicles, and the customer opens the second', { timeout: 90_000 }, async () => {
    const email = `rosa-${newId()}@example.net`
    const item = await db().selectFrom('item').select('sku').where('id', '=', 100_001).executeTakeFirstOrThrow()
    await work('sales', async ({ page, press, tick }) => {
      await open(page, '/office/quotes/new')
      await page.getByLabel('Name', { exact: true }).fill('Rosa Whitfield')
      await page.getByLabel('Email', { exact: true }).fill(email)
      await press(page.getByRole('button', { name: 'Start quote' }))
      await page.waitForURL(/\/office\/quotes\/\d+/)
      await page.getByLabel('ZIP', { exact: true }).fill('60614')
      await tick(page.getByRole('radio', { name: 'Delivered to an address' }))
      await page.locator('#vehicle').fill('2019 Honda CR-V EX')
      await press(page.getByRole('button', { name: 'Add vehicle' }))
      await page.locator('#vehicle-2').fill('2018 Toyota Camry LE')
      for (const [index, vehicle] of ['1', '2'].entries()) {
        await page.getByLabel('For vehicle').selectOption(vehicle)
        await page.getByLabel(/^Find tires/).fill(item.sku)
        await press(page.getByRole('button', { name: 'Find', exact: true }))
        await press(page.getByRole('button', { name: /^Add (?!vehicle$)/ }).first())
        await expect.poll(() => page.getByLabel('Quantity').count()).toBe(index + 1)
      }
      await press(page.getByRole('button', { name: 'Send quote' }))
      await page.getByText('Quote Sent Successfully').waitFor()
    })
    const customer = await browser.newPage({ javaScriptEnabled: isScripted })
    await customer.goto(linkIn(await newestMail(store, email, 'Your quote Q-'), '/quote/'))
    await customer.getByRole('button', { name: 'Order for 2018 Toyota Camry LE' }).click()
    await customer.waitForURL(/\/cart$/)
    await customer.getByText('Quoted price').first().waitFor()
    await customer.close()
  })

  test('the warehouse receives a return', { timeout: 90_000 }, async () => {
    await work('warehouse', async ({ page, press, tick }) => {
      await open(page, '/office/returns')
      await press(page.locator('a[href="/office/returns/1001"]').first())
      await tick(page.getByRole('checkbox', { name: /^Tire 3,/ }))
      await press(page.getByRole('button', { name: 'Mark received and start the refund period' }))
      await page.getByText(/^Received\. Refund these tires within/).waitFor()
    })
    const tires = await db().selectFrom('return_tire').select('state').where('return_id', '=', 1001).execute()
    expect(tires.map(({ state }) => state)).toEqual(['received', 'received', 'received'])
  })

  test('finance records a payment on an invoice', { timeout: 90_000 }, async () => {
    const invoice = await db()
      .selectFrom('invoice')
      .innerJoin('sales_order', 'sales_order.id', 'invoice.order_id')
      .select(['invoice.order_id as id', 'sales_order.company_id as company', 'paid_cents as paid'])
      .where('invoice.state', '=', 'open')
      .where('sales_order.company_id', 'is not', null)
      .orderBy('invoice.order_id')
      .executeTakeFirstOrThrow()
    await work('finance', async ({ page, press }) => {
      await open(page, '/office/companies?state=approved')
      await press(page.locator(`main a[href^="/office/companies/${invoice.company}"]`).first())
      await page.getByLabel('Invoice', { exact: true }).selectOption(String(invoice.id))
      await page.getByLabel('Amount in dollars', { exact: true }).fill('12.50')
      await page.getByLabel('Transfer or check number').fill('ACH-77')
      await press(page.getByRole('button', { name: 'Record payment' }))
      await page.getByText('Payment recorded.').waitFor()
    })
    const paid = await db()
      .selectFrom('invoice')
      .select('paid_cents')
      .where('order_id', '=', invoice.id)
      .executeTakeFirstOrThrow()
    expect(paid.paid_cents).toBe(invoice.paid + 1_250)
  })

  test('finance approves a refund that a manager asked for', { timeout: 90_000 }, async () => {
    const { id } = await chargedOrder('large')
    const manager = createVisitor()
    await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
    const asked = { amount: '760.00', agreed: '76000', reason: 'late', bearer: 'carrier', note: '' }
    await manager.ask(`${store.origin}/office/orders/${id}`, { form: { intent: 'refund', key: newId(), ...asked } })
    await work('finance', async ({ page, press }) => {
      await open(page, `/office/orders/${id}`)
      await press(page.getByRole('button', { name: 'Approve', exact: true }))
      await page.getByText('Refund approved. We’ll email the customer when the money is sent.').waitFor()
    })
    const [refund] = await db()
      .selectFrom('order_refund')
      .select(['state', 'created_by as by', 'decided_by as second'])
      .where('order_id', '=', id)
      .execute()
    expect(refund).toEqual({ state: 'approved', by: 'manager@example.com', second: 'finance@example.com' })
  })

  test('catalog publishes a review', { timeout: 90_000 }, async () => {
    await work('catalog', async ({ page, press }) => {
      await open(page, '/office/reviews')
      const publish = page.getByRole('button', { name: /^Publish review/ }).first()
      const id = Number(/\d+/.exec((await publish.getAttribute('aria-label')) ?? '')?.[0])
      await press(publish)
      await page.waitForURL(/done=published/)
      const review = await db().selectFrom('review').select('state').where('id', '=', id).executeTakeFirstOrThrow()
      expect(review.state).toBe('published')
    })
  })

  test('a manager confirms an order', { timeout: 90_000 }, async () => {
    const { id } = await db()
      .selectFrom('sales_order')
      .select('id')
      .where('state', '=', 'needs-confirmation')
      .orderBy('placed_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await work('manager', async ({ page, press }) => {
      await open(page, '/office/orders?state=to-confirm')
      if (isScripted) {
        await page.locator('main table').first().waitFor()
        await page.keyboard.press('j')
        await page.keyboard.press('Enter')
      } else await page.locator(`main a[href^="/office/orders/${id}"]`).first().click()
      await page.waitForURL((url) => url.pathname === `/office/orders/${id}`)
      await press(page.locator(`main a[href^="/office/orders/${id}/confirm"]`).first())
      await page.getByLabel('Reason', { exact: true }).fill('The address is right: the customer said so.')
      await press(page.getByRole('button', { name: 'Confirm', exact: true }))
      await page.getByText('Order confirmed. We emailed the customer.').waitFor()
    })
  })

  test('an owner signs in again to invite a staff member, and changes a setting', { timeout: 90_000 }, async () => {
    await work('owner', async ({ page, press }) => {
      // Longer ago than inviting allows.
      await db()
        .updateTable('office_session')
        .set({ authenticated_at: Temporal.Now.instant().subtract({ minutes: 11 }) })
        .execute()
      await open(page, '/office/staff')
      await press(page.locator('main').getByRole('link', { name: 'Sign in again' }))
      await press(page.getByRole('button', { name: 'Continue' }))
      await page.getByLabel('Email').fill('owner@example.com')
      await page.getByLabel('Password').fill('sidewall-demo')
      await press(page.getByRole('button', { name: 'Sign in' }))
      await page.waitForURL(`${store.origin}/office/staff`)
      await page.getByLabel('Email', { exact: true }).fill('new@example.com')
      await page.getByLabel('Role', { exact: true }).selectOption('warehouse')
      await press(page.getByRole('button', { name: 'Invite', exact: true }))
      await page.getByText(/^Invited\. We email/).waitFor()
      await page.getByRole('cell', { name: 'new@example.com' }).or(page.getByText('new@example.com')).first().waitFor()

      await open(page, '/office/settings')
      await page.getByLabel('Return address').fill('1 Dock Road, Gary, IN 46402')
      await press(page.getByRole('button', { name: 'Save', exact: true }))
      await page.getByText('Saved. Every page shows it within a few seconds.').waitFor()
    })
  })
})
