/** A vehicle's page lets a phone respond while it loads: its scripts block the main thread for at most 200 ms. */
import { expect, test } from 'vitest'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

const vehicle = '/vehicles/honda/cr-v/2019'
/** As Lighthouse counts: what each task takes beyond 50 ms, on a processor four times slower. */
const maxBlockedMs = 200
const slowdown = 4
/** A busy machine blocks too: the best of a few loads counts. */
const loads = 5

/** Loads the page as a first visit and returns how long its main thread was blocked; `script` runs in it first. */
async function blockedMs(path: string, script = ''): Promise<number> {
  await using context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  await context.addInitScript(`
    globalThis.blockedMs = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.blockedMs += Math.max(0, duration - 50)
    }).observe({ type: 'longtask', buffered: true })
    ${script}`)
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(store.origin + path, { waitUntil: 'load' })
  // Deferred scripts run when the page is idle; two idle moments later they have.
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))))
  await page.waitForLoadState('networkidle')
  return Number(await page.evaluate('globalThis.blockedMs'))
}

/** The least of several loads; ends with the first that is good enough. */
async function leastBlockedMs(path: string, script?: string): Promise<number> {
  let least = Infinity
  for (let load = 0; load < loads && least > maxBlockedMs; load += 1)
    least = Math.min(least, await blockedMs(path, script))
  return least
}

test('a vehicle’s page with all its tires, and with those of a trim', { timeout: 240_000 }, async () => {
  for (const path of [vehicle, `${vehicle}?trim=ex`])
    expect([path, (await leastBlockedMs(path)) <= maxBlockedMs]).toEqual([path, true])
})

test('a task of a second is noticed', { timeout: 240_000 }, async () => {
  const task = `addEventListener('DOMContentLoaded', () => {
    for (const end = performance.now() + 1000; performance.now() < end; );
  })`
  expect(await leastBlockedMs(vehicle, task)).toBeGreaterThan(900)
})
