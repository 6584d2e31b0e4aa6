/**
 * Tests forms with JavaScript when the store or the connection fails: the message is accurate, and input is preserved.
 */
import type { BrowserContext, Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, chooseFirstTire, holdFirstTime, openPage, setZip } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

type Failure = [what: string, fails: (page: Page, calls: string) => Promise<unknown>, says: RegExp]

const answering = (does: (route: Route) => Promise<void>) => async (page: Page, calls: string) =>
  page.route(calls, (route) => (route.request().method() === 'POST' ? does(route) : route.continue()))

const failures: Failure[] = [
  [
    'breaks',
    answering((route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Oops</h1>' })),
    /We're experiencing a technical problem\. Please try again\./,
  ],
  [
    'is down',
    answering((route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Busy</h1>' })),
    /the store is busy right now/i,
  ],
  ['drops the connection', answering((route) => route.abort('connectionreset')), /the store cannot be reached/i],
  ['is out of reach, since the line is gone', (page) => page.context().setOffline(true), /you seem to be offline/i],
]

/** Expects no trace of the failure. */
async function recover(page: Page, calls: string): Promise<void> {
  await page.unroute(calls)
  await page.context().setOffline(false)
}

test('on the contact page each failure is named, and the message can be sent afterward', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${store.origin}/contact`)
  await page.getByLabel('First name').fill('Dana')
  await page.getByLabel('Last name').fill('Ruiz')
  await page.getByLabel('Email').fill('dana.sending@example.com')
  await page.getByLabel('Phone', { exact: true }).fill('(312) 555-0142')
  await page.getByLabel('What is it about?').selectOption('A return or refund')
  await page.getByLabel('Message').fill('Two tires, never mounted.')
  for (const [, fails, says] of failures) {
    await fails(page, '**/contact')
    await page.getByRole('button', { name: 'Send message' }).click()
    const told = page.locator('[data-send-status]')
    await told.filter({ hasText: says }).waitFor()
    expect(await told.innerText()).toContain('Message failed to send')
    expect(await page.getByLabel('Message').inputValue()).toBe('Two tires, never mounted.')
    await recover(page, '**/contact')
  }
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.waitForURL(/contact\/thanks/)
  await context.close()
})

async function openDetails(context: BrowserContext): Promise<Page> {
  const { page } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60614')
  await page.goto(`${store.origin}/tire-sizes/235-60r18`)
  await chooseFirstTire(journey)
  await holdFirstTime(journey)
  return page
}

test('in checkout each failure is named, and the details typed stay and can be sent afterward', async () => {
  const context = await browser.newContext()
  const page = await openDetails(context)
  const calls = '**/checkout/shipping-confirmation.data**'
  await page.getByLabel('First name').fill('Dana')
  await page.getByLabel('Address').fill('1430 N Halsted St')
  for (const [, fails, says] of failures) {
    await fails(page, calls)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').filter({ hasText: says }).waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Dana')
    expect(await page.getByLabel('Address').inputValue()).toBe('1430 N Halsted St')
    await recover(page, calls)
  }
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue' }).click()
  // The store received it and lists the missing fields.
  await page.locator('.error-summary').first().waitFor()
  expect(await page.getByRole('alert').filter({ hasText: 'What you typed is still here' }).count()).toBe(0)
  expect(await page.getByLabel('First name').inputValue()).toBe('Dana')
  await context.close()
})

test('a button pressed twice is sent without a word about a failure', async () => {
  const context = await browser.newContext()
  const { page, complaints } = await openPage(context)
  await page.addInitScript(() => {
    const said: string[] = []
    Object.assign(window, { said })
    window.addEventListener('told', (event) => {
      if (event instanceof CustomEvent && typeof event.detail === 'string') said.push(event.detail)
    })
  })
  await setZip({ page, store }, '60614')
  await page.goto(`${store.origin}/tire-sizes/235-60r18`)
  await chooseFirstTire({ page, store })
  await page.getByRole('link', { name: 'Choose shop and time' }).click()
  await page.waitForURL(/\/checkout\/shipping/)
  // The first press is still on its way when the second comes.
  await page.route('**/checkout/shipping.data**', async (route) => {
    await new Promise((done) => void setTimeout(done, 300))
    await route.continue().catch(() => {})
  })
  await page.locator('.shop-card .slot').first().dblclick()
  await page.getByText('is held for you').first().waitFor()
  expect(await page.evaluate('said')).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('a slow store shows a notice and continues with the response', async () => {
  const context = await browser.newContext()
  const page = await openDetails(context)
  const isSeen = Promise.withResolvers<void>()
  await page.route('**/checkout/shipping-confirmation.data**', async (route) => {
    if (route.request().method() === 'POST') await isSeen.promise
    await route.continue()
  })
  await page.getByLabel('First name').fill('Dana')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').filter({ hasText: 'The store is responding slowly.' }).waitFor()
  isSeen.resolve()
  await page.locator('.error-summary').first().waitFor()
  expect(await page.getByRole('alert').filter({ hasText: 'takes long' }).count()).toBe(0)
  await context.close()
})
