/**
 * Tests the error page's exact message for failures on our side, with and without JavaScript, and without internals.
 */
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser({ env: { LOG_LEVEL: 'silent' } })
const sentence = "We're experiencing a technical problem. Please try again."
const call = 'Please call (800) 555-0142 for sales or try to refresh this page.'

/** A missing table is an error that no page anticipates. */
const broken: string[] = []
async function breakTable(name: string): Promise<void> {
  await sql`alter table ${sql.table(name)} rename to ${sql.table(`${name}_away`)}`.execute(store.database.db)
  broken.push(name)
}
afterEach(async () => {
  for (const name of broken.splice(0))
    await sql`alter table ${sql.table(`${name}_away`)} rename to ${sql.table(name)}`.execute(store.database.db)
})

test('a failing page shows the specification’s sentence and whom to call, no internals; the next page works', async () => {
  await breakTable('zip')
  const address = `${store.origin}/tire-shops?zip=60614`
  const answer = await fetch(address)
  const html = await answer.text()
  expect(answer.status).toBe(500)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(html).not.toMatch(/relation|does not exist|select |node_modules|\.tsx?:\d/)
  expect(html).toContain(`Reference: <!-- -->${answer.headers.get('x-request-id')}`)

  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 360, height: 800 } })
    const { page, complaints } = await openPage(context)
    await page.goto(address, { waitUntil: 'networkidle' })
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([sentence])
    expect(await page.getByText(call).count()).toBe(1)
    expect(await tooWide(page)).toEqual([])
    if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([])
    expect(complaints.filter((complaint) => !/^500 |status of 500/.test(complaint))).toEqual([])
    await context.close()
  }
})

test('a failing form shows an error, retains the page, and succeeds on resubmission', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${store.origin}/tire-sizes/225-65r17`)
  await page.getByRole('link', { name: 'Choose' }).first().click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.waitForURL(/\/cart$/)
  await page.goto(`${store.origin}/zip`)
  await page.getByRole('main').getByLabel('ZIP code').fill('60614')
  await page.getByRole('button', { name: 'Use this ZIP' }).click()
  await page.goto(`${store.origin}/checkout/shipping?tab=home`, { waitUntil: 'networkidle' })
  await breakTable('cart_line')
  await page.getByRole('button', { name: 'Ship to my address' }).click()
  await page.getByRole('alert').getByText(sentence).waitFor()
  expect(await page.getByRole('banner').count()).toBe(1)

  await sql`alter table cart_line_away rename to cart_line`.execute(store.database.db)
  broken.pop()
  await page.getByRole('button', { name: 'Ship to my address' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shipped to your address' }).waitFor()
  await context.close()
})

test('a failing API call returns the specification’s message', async () => {
  await breakTable('zip')
  // A ZIP code that isn't cached yet.
  const answer = await fetch(`${store.origin}/api/places/99501`)
  const body = await answer.text()
  expect(answer.status).toBe(500)
  expect(JSON.parse(body)).toMatchObject({
    code: 'ServerError',
    statusCode: 500,
    message: 'Oops, something went wrong',
    data: null,
  })
  expect(body).not.toMatch(/relation|does not exist/)
})
