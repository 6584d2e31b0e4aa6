/**
 * API calls of pages while the shopper chooses, when the store, the network or something in between misbehaves: the
 * page names the problem and recovers.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Route } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

/** A server that disconnects in the middle of its response. */
const cutting = createServer((_, response) => {
  response
    .writeHead(200, {
      'content-type': 'application/json',
      'content-length': '1000',
      'access-control-allow-origin': '*',
    })
    .write('{"years":[2026')
  setTimeout(() => response.destroy(), 20)
})
await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise((resolve) => cutting.close(resolve)))

const problem = (status: number, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({
    title: 'Something',
    status,
    detail: message,
    code: 'ServerError',
    message,
    errorMessage: message,
    data: null,
  }),
})

const misbehaviours: [what: string, does: (route: Route) => Promise<void>, says: string][] = [
  ['nobody is there', (route) => route.abort('connectionrefused'), 'the store cannot be reached'],
  [
    'the answer is cut off',
    (route) => route.continue({ url: `http://127.0.0.1:${(cutting.address() as AddressInfo).port}/` }),
    'the store cannot be reached',
  ],
  ['the store is slow', (route) => route.request().frame().evaluate(timesOut), 'the store takes too long to answer'],
  [
    'the answer is half an answer',
    (route) => route.fulfill({ status: 200, body: '{"years":[2026' }),
    'the response was incomplete',
  ],
  ['the answer is empty', (route) => route.fulfill({ status: 204 }), 'the response was incomplete'],
  [
    'a proxy answers',
    (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    'the response was incomplete',
  ],
  [
    'every try is refused with 401',
    (route) => route.fulfill(problem(401, 'Sign in first.')),
    'the store asks you to sign in',
  ],
  [
    'there were too many requests',
    (route) => route.fulfill(problem(429, 'Slow down.', { 'retry-after': '7' })),
    'there were too many requests at once, so wait 7 seconds',
  ],
  [
    'the store is down',
    (route) => route.fulfill(problem(503, 'The store is busy.')),
    'the store says “The store is busy.”',
  ],
]

/** Opens the finder in a window with timeouts controlled by the test. */
async function openFinder(by: 'vehicle' | 'brand' = 'vehicle'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true })
  await context.addInitScript(() => {
    AbortSignal.timeout = () => {
      const controller = new AbortController()
      addEventListener('time-is-up', () => controller.abort(new DOMException('Time is up.', 'TimeoutError')))
      return controller.signal
    }
  })
  const page = await context.newPage()
  await page.goto(`${store.origin}/find?by=${by}`, { waitUntil: 'networkidle' })
  return page
}

function timesOut(): void {
  dispatchEvent(new Event('time-is-up'))
}

test.for(misbehaviours)(
  'while vehicles are chosen and %s, the finder says so, keeps the choice and continues on retry',
  async ([, does, says]) => {
    const page = await openFinder()
    const calls = '**/api/vehicles?**'
    await page.getByLabel('Year').selectOption('2021')
    await page.getByLabel('Make').selectOption({ label: 'Toyota' })
    await page.locator('#finder-model:enabled').waitFor()

    await page.route(calls, does)
    await page.getByLabel('Model').selectOption({ label: 'RAV4' })
    await page
      .getByRole('alert')
      .getByText(`The next list did not load: ${says}. What you chose is still here.`)
      .waitFor()
    const chosen = ['#finder-year', '#finder-make', '#finder-model'].map((list) => page.locator(list).inputValue())
    expect(await Promise.all(chosen)).toEqual(['2021', 'toyota', 'rav4'])
    expect(await axeFindings(page)).toEqual([])

    await page.unroute(calls)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('#finder-trim:enabled').waitFor()
    expect(await page.locator('.finder-problem').count()).toBe(0)
    await page.context().close()
  },
)

test('a call refused once with 401 is silently retried', async () => {
  const page = await openFinder()
  let calls = 0
  await page.route('**/api/vehicles?**', (route) => {
    calls += 1
    return calls === 1 ? route.fulfill(problem(401, 'Sign in first.')) : route.continue()
  })
  await page.getByLabel('Year').selectOption('2021')
  await page.locator('#finder-make:enabled').waitFor()
  expect(calls).toBe(2)
  expect(await page.locator('.finder-problem').count()).toBe(0)
  await page.context().close()
})

test('a brand’s lines that failed to load can be requested again', async () => {
  const page = await openFinder('brand')
  await page.route('**/api/brands/**', (route) => route.fulfill({ status: 200, body: '[' }))
  await page.locator('#finder-brand').selectOption('kestrel')
  await page
    .getByRole('alert')
    .getByText('The lines of this brand did not load: the response was incomplete.')
    .waitFor()
  await page.unroute('**/api/brands/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('#finder-line:enabled').selectOption({ label: 'Alltide AS2' })
  await page.getByRole('button', { name: 'Show Kestrel tires' }).click()
  await page.waitForURL(/\/brands\/kestrel\/alltide-as2$/)
  await page.context().close()
})

test('a failed ZIP change or comparison shows the error in place, and succeeds on retry', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true })
  const { page } = await openPage(context)
  await page.goto(`${store.origin}/tire-sizes/225-65r17`, { waitUntil: 'networkidle' })
  await page.route('**/compare/choice', (route) => route.fulfill(problem(429, 'Slow down.', { 'retry-after': '7' })))
  const toggle = page.locator('.tire-card .compare-toggle').first()
  await toggle.click()
  const note = page.getByText(
    'The comparison didn’t change. there were too many requests at once, so wait 7 seconds. Try again.',
  )
  await note.waitFor()
  // Text only for screen readers would be a pixel wide.
  expect((await note.boundingBox())?.width).toBe(1280)
  expect(await toggle.getAttribute('aria-pressed')).toBe('false')
  expect(await axeFindings(page)).toEqual([])
  await page.unroute('**/compare/choice')
  await toggle.click()
  await page.getByText('1 of 5').waitFor()
  expect(await toggle.getAttribute('aria-pressed')).toBe('true')
  expect(await note.count()).toBe(0)

  await page.route('**/zip/choice', (route) => route.abort())
  await page.locator('.zip-link').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('ZIP code').fill('60614')
  await page.keyboard.press('Enter')
  await dialog
    .getByText('We could not look it up: the store cannot be reached. Your ZIP is still here: try again.')
    .waitFor()
  expect(await dialog.getByLabel('ZIP code').inputValue()).toBe('60614')
  await page.unroute('**/zip/choice')
  await dialog.getByRole('button', { name: 'Use this ZIP' }).click()
  await page.getByRole('link', { name: /^60614/ }).waitFor()
  await context.close()
})
