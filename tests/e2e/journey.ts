/** The steps of buying tires in the browser, by button and field labels, with and without JavaScript. */
import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFailed, TestRunner } from 'vitest'
import type { RunningStore } from '#tests/support/store.ts'

export type Journey = { page: Page; store: RunningStore }

export const dana = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  email: 'dana@example.com',
  phone: '312-555-0142',
  address: '1 Elm St',
}

/**
 * Opens a page that collects script errors and failed requests in `complaints`, to be checked at the end. A failed test
 * prints what the page showed.
 */
export async function openPage(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage()
  const complaints: string[] = []
  if (TestRunner.getCurrentTest()) onTestFailed(() => printPage(page, complaints))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refused form answers 4xx, which Chromium reports as a page error.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`)
  })
  return { page, complaints }
}

async function printPage(page: Page, complaints: readonly string[]): Promise<void> {
  const main = page.locator('main')
  if (page.isClosed() || (await main.count()) === 0) return
  const shown = await main.innerText({ timeout: 5_000 })
  console.warn([`Where the test failed: ${page.url()}`, shown.slice(0, 4_000), ...complaints].join('\n'))
}

/** Opens a page for keyboard input, because the browser drops keys before the first paint. */
export async function openDrawn(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await waitUntilDrawn(page)
}

export async function waitUntilDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Waits until the page is painted and idle. By then it has requested everything that it loads without interaction. */
export async function waitUntilIdle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(() => requestIdleCallback(idle))))
}

/** Uses the ZIP page, to which the header's chip links without script. */
export async function setZip({ page, store }: Journey, zip: string): Promise<void> {
  await page.goto(`${store.origin}/zip`)
  await page.getByRole('main').getByLabel('ZIP code').fill(zip)
  await page.getByRole('button', { name: 'Use this ZIP' }).click()
  await page.waitForURL(`${store.origin}/`)
}

/** Adds four of the listing's first tire to the cart. */
export async function chooseFirstTire({ page }: Journey): Promise<string> {
  await page.getByRole('link', { name: 'Choose' }).first().click()
  await page.waitForURL(/\/p\/\d+/)
  const name = (await page.getByRole('heading', { level: 1 }).innerText()).replace(/\s+/g, ' ')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.waitForURL(/\/cart$/)
  return name
}

/** Holds a time at the list's first shop. */
export async function holdFirstTime({ page }: Journey): Promise<string> {
  await page.getByRole('link', { name: 'Choose shop and time' }).click()
  await page.waitForURL(/\/checkout\/shipping/)
  const slot = page.locator('.shop-card .slot').first()
  const label = await slot.innerText()
  await slot.click()
  await page.getByText(`${label} is held for you`).first().waitFor()
  await page
    .getByRole('button', { name: `Keep ${label}` })
    .first()
    .click()
  // The URL changes before the page, so this resolves only on the new page.
  await page.waitForURL(/shipping-confirmation/)
  await page.getByRole('heading', { name: 'Your details' }).waitFor()
  return label
}

export async function fillDetails(journey: Journey): Promise<void> {
  await enterDetails(journey)
  await expectServices(journey)
}

/** Same, without waiting for the next page. */
export async function enterDetails({ page }: Journey): Promise<void> {
  await page.getByLabel('First name').fill(dana.firstName)
  await page.getByLabel('Last name').fill(dana.lastName)
  await page.getByLabel('Email').fill(dana.email)
  await page.getByLabel('Phone', { exact: true }).fill(dana.phone)
  await page.getByLabel('Phone type').selectOption('mobile')
  await page.getByLabel('Address', { exact: true }).fill(dana.address)
  const vehicle = page.getByLabel('Year, make and model')
  if ((await vehicle.count()) > 0) await vehicle.fill('2019 Honda CR-V EX')
  await page.getByRole('button', { name: 'Continue' }).click()
}

export async function expectServices({ page }: Journey): Promise<void> {
  await page.waitForURL(/checkout\/services/)
  await page.getByRole('heading', { name: 'Protect your tires?' }).waitFor()
}

/** Adds coverage for the tires, then goes to payment. */
export async function goToPayments({ page }: Journey): Promise<void> {
  await page.getByRole('checkbox', { name: 'Replacement coverage' }).check()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.waitForURL(/checkout\/payments$/)
}

/** The same, and on to the card form, with billing as shipping. */
export async function chooseServices({ page, store }: Journey): Promise<void> {
  await goToPayments({ page, store })
  await page.getByRole('button', { name: /Continue/ }).click()
  await page.waitForURL(/checkout\/payments\/card/)
}

/** Enters the card in the provider's fields inside the page. */
export async function payInFields({ page }: Journey, number: string): Promise<void> {
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiration (MM/YY)').fill('12/39')
  await frame.getByLabel('Security code').fill('123')
  await frame.getByLabel('Billing ZIP code').fill('60614')
  await page.getByRole('button', { name: /Use this card/ }).click()
}

/** Enters the card on the provider's hosted page. */
export async function payOnHostedPage({ page }: Journey, number: string): Promise<void> {
  await page.getByRole('button', { name: 'Pay on the secure page' }).click()
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiration (MM/YY)').fill('12/39')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Billing ZIP code').fill('60614')
  const email = page.getByLabel('Email for the receipt')
  if ((await email.count()) > 0 && (await email.inputValue()) === '') await email.fill(dana.email)
  await page.getByRole('button', { name: /^Pay / }).click()
}

/** Ticks the required boxes and places the order; returns its number. */
export async function placeOrder({ page }: Journey): Promise<number> {
  await page.waitForURL(/order-summary/)
  const conditions = page.getByLabel('I have read what the fit depends on')
  if ((await conditions.count()) > 0) await conditions.check()
  await page.getByLabel(/I accept the/).check()
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.waitForURL(/order-confirmation/)
  return Number(new URL(page.url()).searchParams.get('order'))
}

/** From the sign-in page through the provider's to the account. */
export async function signInAsDana(journey: Journey, back = '/account'): Promise<void> {
  await signInAs(journey, dana.email, back)
}

/** The same for any of the demo's people. */
export async function signInAs({ page, store }: Journey, email: string, back = '/account'): Promise<void> {
  await page.goto(`${store.origin}/sign-in?back=${back}`)
  await page.getByRole('main').getByRole('button', { name: 'Continue to sign in' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('sidewall-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${store.origin}${back}`)
}

/** Opens the back office, or the portal of shops, as one of the demo's people. */
export async function signInAtWork(
  { page, store }: Journey,
  email: string,
  door: '/office' | '/portal' = '/office',
): Promise<void> {
  await page.goto(`${store.origin}${door}/sign-in`)
  await page.getByRole('button', { name: 'Continue to sign in' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('sidewall-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${store.origin}${door}`)
}

/**
 * Returns the rule and element of axe's findings for the current page. Evaluated instead of added as a script, which
 * the page's policy would block. With `isLayered`, parts overlap on purpose (an open menu, map pins next to a list), so
 * covered elements aren't measured.
 */
export async function axeFindings(page: Page, { isLayered = false } = {}): Promise<string[]> {
  await page.waitForLoadState()
  await page.evaluate(axe.source)
  return page.evaluate(async (measuresTargets) => {
    const { axe: run } = globalThis as unknown as {
      axe: {
        run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
      }
    }
    const { violations } = await run.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { 'target-size': { enabled: measuresTargets } },
      // Findings are shown by their HTML, and finding a selector for each element takes a fifth of the time.
      selectors: false,
      resultTypes: ['violations'],
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }, !isLayered)
}

/** Expects no axe findings for the page in its current state. */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  expect(await axeFindings(page), page.url()).toEqual([])
}
