/**
 * Every page of the store by keyboard, with a screen reader, zoomed, on a small phone, with reduced motion and without
 * script. These checks are independent of content; tests/support/pages.ts lists the pages.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { giveCompany } from '#tests/support/company.ts'
import { templates } from '#tests/support/crawler.ts'
import { pageless, pages, type PageRow } from '#tests/support/pages.ts'
import { inTurn } from '../../tools/rotation.testing.ts'
import {
  axeFindings,
  chooseFirstTire,
  chooseServices,
  dana,
  fillDetails,
  holdFirstTime,
  openPage,
  payInFields,
  placeOrder,
  setZip,
  signInAs,
  signInAtWork,
  waitUntilIdle,
} from './journey.ts'
import {
  brokenValues,
  brokenWords,
  deadButtons,
  keyboardFaults,
  layoutFaults,
  shiftFaults,
  smallTargets,
  staticFaults,
} from './page-faults.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

type Row = Omit<PageRow, 'addresses'>
type Cookies = Exclude<BrowserContextOptions['storageState'], string | undefined>

const { store, browser } = await startStoreAndBrowser()
let order: number
let email: string
let customer: string

const desk = { width: 1280, height: 900 }
/**
 * At 200 % zoom a window has half as many CSS pixels each way, which is all a page can detect. At 400 % it equals this
 * phone, as WCAG 1.4.10 requires.
 */
const enlarged = { width: 640, height: 450 }
const phone = { width: 320, height: 640 }
/** The narrowest window that shows lists as tables. */
const tablet = { width: 768, height: 900 }
/** The width of most phones. */
const commonPhone = { width: 360, height: 800 }

beforeAll(async () => {
  const [cookies, number] = await shop(async (page) => {
    await pay(page)
    return placeOrder({ page, store })
  })
  known.set('customer', Promise.resolve(cookies))
  order = number
  const message = await store.database.db
    .selectFrom('message')
    .select('id')
    .where('order_id', '=', number)
    .limit(1)
    .executeTakeFirstOrThrow()
  email = message.id
  const buyerOf = store.database.db.selectFrom('sales_order').select('customer_id as id').where('id', '=', order)
  customer = (await buyerOf.executeTakeFirstOrThrow()).id
}, 300_000)

type Visitor = NonNullable<PageRow['as']>

/** How each visitor becomes known to the store, once, and only if this rotation has a page for the visitor. */
const visitors: Record<Exclude<Visitor, 'customer'>, () => Promise<Cookies>> = {
  buyer: async () => (await shop(async () => {}))[0],
  payer: async () => (await shop(pay))[0],
  member: () => signIn(dana.email),
  async owner() {
    const cookies = await signIn('lee@example.com')
    await giveCompany(store.database.db, 'lee@example.com')
    return cookies
  },
  fleet: () => signIn('fern@example.com'),
  seller: () => signIn('sam@example.com'),
  staff: () => cookiesAtWork('owner@example.com', '/office'),
  shop: () => cookiesAtWork('shop-owner@example.com', '/portal'),
}
const known = new Map<Visitor, Promise<Cookies>>()

function cookiesOf(visitor: Visitor): Promise<Cookies> {
  const cookies = known.get(visitor) ?? (visitor === 'customer' ? expect.fail('No order.') : visitors[visitor]())
  known.set(visitor, cookies)
  return cookies
}

test('every route is listed as a page or with a reason', () => {
  expect([...Object.keys(pages), ...Object.keys(pageless)].toSorted()).toEqual(templates.toSorted())
})

/**
 * Opens every URL with and without JavaScript, and runs axe each time. In the daily run, pages without scripts and
 * additional page states are opened one way, staff and shop pages alternate between both ways, and axe alternates on
 * pages opened both ways.
 */
const isLong = process.env['EVERY_PAGE'] === 'all'

const isAtWork = ({ as }: Row) => as === 'staff' || as === 'shop'
const addresses = Object.values(pages).flatMap(({ addresses: all, ...row }, place) =>
  all.map((address, index) => {
    const isOdd = place % 2 === 1
    const withScript = !row.isForeign && (isLong || (row.scriptKb > 0 && !(isAtWork(row) && isOdd && index === 0)))
    const withoutScript =
      isLong ||
      (index === 0 && !(isAtWork(row) && row.scriptKb > 0 && !isOdd)) ||
      row.scriptKb === 0 ||
      row.isForeign === true
    const isAxeInTurn = !isLong && withScript && withoutScript
    return { ...row, address, withScript, withoutScript, isAxeInTurn, isOdd }
  }),
)

test.for(inTurn(addresses))('$address', async ({ address, withScript, withoutScript, isAxeInTurn, isOdd, ...row }) => {
  const asked = `${store.origin}${address.replace('{order}', String(order)).replace('{email}', email).replace('{customer}', customer)}`
  const faults = await Promise.all([
    withScript ? lookWithScript(asked, row, { hasAxe: !(isAxeInTurn && isOdd) }) : [],
    withoutScript ? lookWithoutScript(asked, row, { hasAxe: !(isAxeInTurn && !isOdd) }) : [],
  ])
  expect(faults.flat(), address).toEqual([])
})

const openers: [path: string, size: { width: number; height: number }, opener: string, opens: string][] = [
  ['/', desk, '.header-account', '#account-menu'],
  ['/', phone, '.header-menu', '#site-menu'],
  ['/', phone, '.zip-link', 'dialog[open]'],
  ['/tire-sizes/225-65r17', phone, '.filters-open', '#filters'],
  ['/tire-sizes/225-65r17', desk, '.site-header [data-interaction=modal]', 'dialog[open]'],
]

test.for(inTurn(openers))(
  'on %s at %o, what %s opens fits the screen, closes with Escape and returns the focus',
  async ([path, viewport, opener, opens]) => {
    await using context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce', viewport })
    const { page, complaints } = await openPage(context)
    await page.goto(`${store.origin}${path}`)
    await page.keyboard.press('Shift')
    await page.waitForFunction(isHydrated)
    const button = page.locator(opener).first()
    await button.focus()
    await page.keyboard.press('Enter')
    await page.locator(opens).waitFor()
    const faults = await axeFindings(page, { isLayered: true })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await page.locator(opens).waitFor({ state: 'hidden' })
    const isBack = await button.evaluate((element) => element === document.activeElement)
    if (!isBack) faults.push('the focus is lost')
    expect([...complaints, ...faults]).toEqual([])
  },
)

test('reports with amounts of millions keep their tables in their panels', async () => {
  const { page } = await tabOf('staff', false)
  await page.goto(`${store.origin}/office/reports/margin`)
  const amounts = page.locator('td.amount', { hasText: '$' })
  expect(await amounts.count()).toBeGreaterThan(20)
  await amounts.evaluateAll((cells) => cells.forEach((cell) => (cell.textContent = '$1,234,567.89')))
  const faults: string[] = []
  for (const width of [1600, 1280, 1200, 976, 768, 360]) {
    await page.setViewportSize({ width, height: 800 })
    faults.push(...(await layoutFaults(page)))
  }
  expect(faults).toEqual([])
})

test('the first tab stop skips the header', async () => {
  await using context = await browser.newContext({ javaScriptEnabled: false })
  const { page } = await openPage(context)
  await page.goto(store.origin)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

/** On a desktop, then at 200 % and 400 % zoom. */
async function lookWithScript(address: string, row: Row, { hasAxe }: { hasAxe: boolean }): Promise<string[]> {
  return visit(address, row, true, async (page) => {
    const early = row.isCatalog ? await tooMuchUnused(page) : []
    await page.keyboard.press('Shift')
    await page.waitForFunction(isHydrated)
    const faults = [
      ...early,
      ...(await staticFaults(page)),
      ...(hasAxe ? await axeFindings(page, { isLayered: row.isLayered ?? false }) : []),
      ...(await keyboardFaults(page)),
      ...(await shiftFaults(page)),
    ]
    for (const size of [enlarged, phone, commonPhone]) {
      await page.setViewportSize(size)
      faults.push(...(await layoutFaults(page)))
    }
    faults.push(...(await smallTargets(page)))
    await page.setViewportSize(tablet)
    return [...faults, ...(await brokenWords(page)), ...(await brokenValues(page))]
  })
}

/** On a phone, as loaded and with everything expanded; what loads no script on a desktop and at 200 %, too. */
async function lookWithoutScript(address: string, row: Row, { hasAxe }: { hasAxe: boolean }): Promise<string[]> {
  return visit(address, row, false, async (page, allowScript) => {
    const faults = [
      ...(await staticFaults(page)),
      ...(await deadButtons(page)),
      ...(await tooMuchScript(page, row.scriptKb)),
    ]
    // Except overlays, which are closed before continuing.
    await page
      .locator('details:not(.share, .list-menu, .office-more, .portal-menu)')
      .evaluateAll((all) => all.forEach((details) => details.setAttribute('open', '')))
    for (const size of row.scriptKb === 0 ? [desk, enlarged, phone, commonPhone] : [phone, commonPhone]) {
      await page.setViewportSize(size)
      faults.push(...(await layoutFaults(page)))
    }
    faults.push(...(await smallTargets(page)))
    // The page stays as loaded, but axe and the focus recorder need script.
    await allowScript()
    return [...faults, ...(hasAxe ? await axeFindings(page) : []), ...(await keyboardFaults(page))]
  })
}

type Look = (page: Page, allowScript: () => Promise<unknown>) => Promise<string[]>

/**
 * Opens the page as the visitor given by `row`, and returns the findings of `look` and the browser's errors, without
 * duplicates.
 */
async function visit(asked: string, { as, status = 200 }: Row, hasScript: boolean, look: Look): Promise<string[]> {
  const { page, complaints, allowScript } = await tabOf(as, hasScript)
  complaints.length = 0
  await page.setViewportSize(hasScript ? desk : phone)
  await allowScript(hasScript)
  const answer = await page.goto(asked)
  if (page.url() !== asked) complaints.push(`leads to ${page.url()}`)
  if (answer?.status() !== status) complaints.push(`answers ${answer?.status()}`)
  const faults = await look(page, () => allowScript(true))
  return [...new Set([...complaints, ...faults])].map((fault) => `${hasScript ? 'with' : 'without'} script: ${fault}`)
}

type Tab = Awaited<ReturnType<typeof openPage>> & { allowScript(value: boolean): Promise<unknown> }

const tabs = new Map<string, Promise<Tab>>()

/** One tab per kind of visitor, because a new tab is a new browser process, and later pages use the cache. */
function tabOf(as: PageRow['as'], hasScript: boolean): Promise<Tab> {
  const key = `${as} ${hasScript}`
  const tab = tabs.get(key) ?? openTab(as)
  tabs.set(key, tab)
  return tab
}

async function openTab(as: PageRow['as']): Promise<Tab> {
  const context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    ...(as ? { storageState: await cookiesOf(as) } : {}),
  })
  const { page, complaints } = await openPage(context)
  page.on('response', (answer) => {
    // The page itself may be a 404; its resources must load.
    if (answer.status() >= 400 && !answer.request().isNavigationRequest())
      complaints.push(`${answer.status()} ${answer.url()}`)
  })
  const devtools = await context.newCDPSession(page)
  const allowScript = (value: boolean) => devtools.send('Emulation.setScriptExecutionDisabled', { value: !value })
  return { page, complaints, allowScript }
}

/**
 * Returns an error if the document's scripts exceed the limit, including those after the first paint. Excludes scripts
 * loaded later, for a map scrolled into view or on interaction.
 */
async function tooMuchScript(page: Page, mostKb: number): Promise<string[]> {
  const asked = await page
    .locator('script[src], link[rel=modulepreload], link[rel=late]')
    .evaluateAll((parts) =>
      parts.map(
        (part) => new URL(part.getAttribute('src') ?? part.getAttribute('href') ?? '', document.baseURI).pathname,
      ),
    )
  const bytes = await Promise.all([...new Set(asked)].map(gzippedBytes))
  const kb = bytes.reduce((sum, each) => sum + each, 0) / 1000
  return kb > mostKb ? [`${kb.toFixed(1)} kB of script, ${mostKb} at most`] : []
}

/** The most script that a catalog page may load before it is used, in kB after gzip. */
const unusedKb = 60

/** Returns an error if the page loaded too much script without any interaction, including scripts in the document. */
async function tooMuchUnused(page: Page): Promise<string[]> {
  await waitUntilIdle(page)
  const { loaded, inline } = await page.evaluate(() => ({
    loaded: performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith('/assets/') && path.endsWith('.js')),
    inline: [...document.querySelectorAll('script:not([src], [type*=json])')].map(({ textContent }) => textContent),
  }))
  const bytes = await Promise.all([...new Set(loaded)].map(gzippedBytes))
  const kb = bytes.reduce((sum, each) => sum + each, gzipSync(inline.join('')).length) / 1000
  return kb > unusedKb ? [`${kb.toFixed(1)} kB of script before it is used, ${unusedKb} at most`] : []
}

const sizes = new Map<string, Promise<number>>()

function gzippedBytes(path: string): Promise<number> {
  const size = sizes.get(path) ?? readFile(join('build', 'client', path)).then((script) => gzipSync(script).length)
  sizes.set(path, size)
  return size
}

/** React marks hydrated nodes. Pages that are never hydrated count as ready. */
function isHydrated(): boolean {
  return !('__reactRouterContext' in window) || Object.keys(document.body).some((key) => key.startsWith('__reactFiber'))
}

/**
 * A shopper with a vehicle, four tires, a time at a shop and an address; then runs `next`. Returns the browser's
 * cookies.
 */
async function shop<Result>(next: (page: Page) => Promise<Result>): Promise<[Cookies, Result]> {
  await using context = await browser.newContext({ viewport: desk })
  const { page } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60614')
  await page.goto(`${store.origin}/vehicles/honda/cr-v/2019?trim=ex`)
  await page.getByRole('button', { name: 'My door label matches' }).click()
  await page.getByText('Fits front and rear').first().waitFor()
  await chooseFirstTire(journey)
  await holdFirstTime(journey)
  await fillDetails(journey)
  await chooseServices(journey)
  const result = await next(page)
  return [await context.storageState(), result]
}

/** A shopper with a vehicle, signed in. */
async function signIn(email: string): Promise<Cookies> {
  await using context = await browser.newContext({ viewport: desk })
  const { page } = await openPage(context)
  await page.goto(`${store.origin}/vehicles/honda/cr-v/2019?trim=ex`)
  await page.getByRole('button', { name: 'My door label matches' }).click()
  await page.getByText('Fits front and rear').first().waitFor()
  await signInAs({ page, store }, email)
  return await context.storageState()
}

async function cookiesAtWork(person: string, door: '/office' | '/portal'): Promise<Cookies> {
  await using context = await browser.newContext({ viewport: desk })
  const { page } = await openPage(context)
  await signInAtWork({ page, store }, person, door)
  return await context.storageState()
}

async function pay(page: Page): Promise<void> {
  await payInFields({ page, store }, '4242424242424242')
  await page.waitForURL(/order-summary/)
}
