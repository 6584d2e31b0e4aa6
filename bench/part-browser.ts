/** Page weight and timing on a shopper's phone. */
import type { Page } from 'playwright-core'
import type { Bench } from './bench.ts'
import { measureNextPage, measurePage } from './browser.ts'
import { amountRow, type Row } from './report.ts'

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
const shift = (score: number) => score.toFixed(3)
const milliseconds = (amount: number) => `${Math.round(amount)} ms`

export async function measureBrowser({ store, sample, pace, say }: Bench): Promise<Row[]> {
  const pages = [
    { name: 'listing', path: `/tire-sizes/${sample.sizes[0]}`, most: 100_000, use: filter },
    { name: 'product page', path: sample.product.path, most: 100_000, use: askZip },
    { name: 'vehicle page', path: '/vehicles/honda/cr-v/2019', most: 0, use: async () => {} },
    { name: 'content page', path: '/licenses', most: 0, use: async () => {} },
  ]
  const rows: Row[] = []
  for (const { name, path, most, use } of pages) {
    const vitals = await measurePage(`${store.origin}${path}`, pace.rounds, use)
    say(`${name}: ${seconds(vitals.largestPaint)}, ${kilobytes(vitals.transferBytes)} over the wire`)
    if (name !== 'vehicle page') rows.push(amountRow(`${name}: script, gzip`, vitals.scriptBytes, most, kilobytes))
    rows.push(amountRow(`${name}: largest paint`, vitals.largestPaint, 1800, seconds))
    rows.push(amountRow(`${name}: main thread blocked`, vitals.blocked, 200, milliseconds))
    rows.push(amountRow(`${name}: layout shift`, vitals.layoutShift, 0.02, shift))
    if (most > 0) rows.push(amountRow(`${name}: slowest interaction`, vitals.interaction, 120, milliseconds))
  }
  const next = await measureNextPage(`${store.origin}/tire-sizes/${sample.sizes[0]}`, pace.rounds, tireLink)
  return [...rows, amountRow('from a listing to a tire: largest paint', next, 200, seconds)]
}

const tireLink = 'article[id^=tire-] small + a'

/** Opens the filters and chooses one. */
async function filter(page: Page): Promise<void> {
  await page.locator('.filters-open').tap()
  await page.locator('#filters label:visible').first().tap()
}

/** Opens the ZIP dialog, and closes it. */
async function askZip(page: Page): Promise<void> {
  await page.locator('.zip-link').first().tap()
  await page.locator('dialog[open] button.link').tap()
}
