/**
 * Measures page weight and timing on a slow phone, using the test browser with a CPU slowed down four times and slow
 * 4G.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#tests/support/browser.ts'
import { median } from './rounds.ts'

/**
 * Milliseconds; `blocked` is what tasks take beyond 50 ms each while the page loads; layout shift as browsers score it;
 * script bytes after gzip, whatever compression the server used.
 */
export type PageVitals = {
  largestPaint: number
  blocked: number
  layoutShift: number
  interaction: number
  scriptBytes: number
  transferBytes: number
}

/** Chrome DevTools' preset with the effective values for 1.6 Mbit/s and 150 ms, and connection overhead per request. */
const slow4g = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1_000_000 * 0.9) / 8,
  uploadThroughput: (750_000 * 0.9) / 8,
}
const slowdown = 4
const phoneProfile = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
/** How long a person presses a link. */
const pressMs = 90

/** Opens the page `rounds` times in a fresh browser profile, runs `act` once it has settled, and returns medians. */
export async function measurePage(
  url: string,
  rounds: number,
  act: (page: Page) => Promise<void>,
): Promise<PageVitals> {
  await using browser = await launchBrowser()
  const all: PageVitals[] = []
  for (let round = 0; round < rounds; round++) {
    await using context = await browser.newContext(phoneProfile)
    all.push(await visit(await context.newPage(), url, act))
  }
  const of = (read: (vitals: PageVitals) => number) => median(all.map(read))
  return {
    largestPaint: of((vitals) => vitals.largestPaint),
    blocked: of((vitals) => vitals.blocked),
    layoutShift: of((vitals) => vitals.layoutShift),
    interaction: of((vitals) => vitals.interaction),
    scriptBytes: of((vitals) => vitals.scriptBytes),
    transferBytes: of((vitals) => vitals.transferBytes),
  }
}

/**
 * Opens the page `rounds` times in a fresh browser profile, and presses a link once it has settled. Returns the median
 * time from the end of the press to the next page's largest paint, in milliseconds.
 */
export async function measureNextPage(url: string, rounds: number, link: string): Promise<number> {
  await using browser = await launchBrowser()
  const paints: number[] = []
  for (let round = 0; round < rounds; round++) {
    await using context = await browser.newContext(phoneProfile)
    const page = await context.newPage()
    await throttle(page)
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForLoadState('networkidle')
    // On phones, browsers request the page at the press.
    await page.locator(link).first().click({ delay: pressMs })
    await page.waitForURL((next) => next.href !== url, { waitUntil: 'load' })
    await page.waitForLoadState('networkidle')
    paints.push((await page.evaluate(readLoad)).largestPaint)
  }
  return median(paints)
}

async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow4g)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(watch)
}

async function visit(page: Page, url: string, act: (page: Page) => Promise<void>): Promise<PageVitals> {
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then(async (body) => (await promisify(gzip)(body)).length))
  })
  await throttle(page)
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForLoadState('networkidle')
  const { largestPaint, blocked, transferBytes } = await page.evaluate(readLoad)
  await act(page)
  await page.waitForTimeout(500)
  const { layoutShift, interaction } = await page.evaluate(() => ({
    layoutShift: window.vitals.layoutShift,
    interaction: window.vitals.interaction,
  }))
  return {
    largestPaint,
    blocked,
    layoutShift,
    interaction,
    transferBytes,
    scriptBytes: (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0),
  }
}

declare global {
  interface Window {
    vitals: { largestPaint: number; blocked: number; layoutShift: number; interaction: number }
  }
}

/** Runs in the page before its own scripts. */
function watch(): void {
  const vitals = { largestPaint: 0, blocked: 0, layoutShift: 0, interaction: 0 }
  window.vitals = vitals
  new PerformanceObserver((list) => {
    vitals.largestPaint = list.getEntries().at(-1)?.startTime ?? 0
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) vitals.blocked += Math.max(0, duration - 50)
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) vitals.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId) vitals.interaction = Math.max(vitals.interaction, entry.duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

function readLoad(): { largestPaint: number; blocked: number; transferBytes: number } {
  const entries = [
    ...performance.getEntriesByType('resource'),
    ...performance.getEntriesByType('navigation'),
  ] as PerformanceResourceTiming[]
  return {
    largestPaint: window.vitals.largestPaint,
    blocked: window.vitals.blocked,
    transferBytes: entries.reduce((sum, { transferSize }) => sum + transferSize, 0),
  }
}
