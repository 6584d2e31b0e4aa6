/** Tests that third-party frames, which load late, don't shift the layout. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { tireInStock, usualTire } from '#tests/support/items.ts'
import { openPage } from './journey.ts'
import { layoutFaults } from './page-faults.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

const widths = [320, 360, 768, 1280]

type Kind = { kind: string; path: string; cookies: Record<string, string>; hasWallet: boolean }

/**
 * Returns the kinds of product pages (with and without a ZIP code, a vehicle, a set of four, and a set of two sizes).
 */
async function productPages(): Promise<Kind[]> {
  const { db } = store.database
  const pathOf = ({ brand, line, id }: { brand: string; line: string; id: number }) =>
    `/brands/${brand}/${line}/p/${id}`
  const fitting = pathOf(await usualTire(db))
  const zip = { sw_zip: '60614' }
  const vehicle = { sw_vehicle: await rav4() }
  return [
    { kind: 'a guest', path: fitting, cookies: {}, hasWallet: true },
    { kind: 'a ZIP', path: fitting, cookies: zip, hasWallet: true },
    { kind: 'two tires', path: `${fitting}?quantity=2`, cookies: { ...zip, ...vehicle }, hasWallet: true },
    { kind: 'a set of two sizes', path: await staggeredSet(), cookies: zip, hasWallet: true },
    {
      kind: 'does not fit',
      path: pathOf(await tireInStock(db, '225/40R18')),
      cookies: { ...zip, ...vehicle },
      hasWallet: false,
    },
  ]
}

async function rav4(): Promise<string> {
  const trim = await store.database.db
    .selectFrom('vehicle')
    .innerJoin('oe_fitment as fitment', 'fitment.vehicle_id', 'vehicle.id')
    .select(['vehicle.id', 'fitment.id as fitmentId'])
    .where('year', '=', 2021)
    .where('model_slug', '=', 'rav4')
    .where('trim_slug', '=', 'xle')
    .executeTakeFirstOrThrow()
  return encodeChosenVehicle({
    vehicleId: trim.id,
    fitmentId: trim.fitmentId,
    year: 2021,
    makeSlug: 'toyota',
    modelSlug: 'rav4',
    name: '2021 Toyota RAV4 XLE',
    confirmed: true,
    label: null,
  })
}

/** The page of the first set in a listing of two sizes. */
async function staggeredSet(): Promise<string> {
  const { front, rear } = await store.database.db
    .selectFrom('oe_fitment as fitment')
    .innerJoin('size as front', 'front.designation', 'fitment.front_size')
    .innerJoin('size as rear', 'rear.designation', 'fitment.rear_size')
    .select(['front.slug as front', 'rear.slug as rear'])
    .whereRef('fitment.front_size', '<>', 'fitment.rear_size')
    .orderBy('fitment.id')
    .executeTakeFirstOrThrow()
  const html = await (await fetch(`${store.origin}/tire-sizes/${front}?rear=${rear}`)).text()
  return /href="(\/brands\/[^"]*\/p\/\d+\?rear=\d+)/.exec(html)?.[1] ?? expect.fail('no set is listed')
}

test('a wallet’s button on a product page squeezes no other button', { timeout: 240_000 }, async () => {
  for (const { kind, path, cookies, hasWallet } of await productPages()) {
    await using context = await browser.newContext({ reducedMotion: 'reduce' })
    await context.addCookies([
      ...Object.entries(cookies).map(([name, value]) => ({ name, value, url: store.origin })),
      { name: 'wallet_device', value: 'apple-pay', url: store.sandboxOrigin },
    ])
    const { page, complaints } = await openPage(context)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(store.origin + path)
      const before = await buttonWidths(page)
      const box = page.locator('.buy-form .express-box')
      expect(await box.count(), kind).toBe(hasWallet ? 1 : 0)
      if (hasWallet) {
        await box.evaluate((element) => element.scrollIntoView({ block: 'center' }))
        await page.locator('.express-box.is-offered iframe').waitFor()
        // React accepts the buttons that are there before it.
        await page.keyboard.press('Shift')
        await page.waitForFunction(isHydrated)
        expect(await page.locator('.express-box.is-offered iframe').count()).toBe(1)
      }
      expect(await buttonWidths(page), `${kind} ${width}`).toEqual(before)
      expect(await layoutFaults(page), kind).toEqual([])
    }
    expect(complaints).toEqual([])
  }
})

function isHydrated(): boolean {
  return Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber'))
}

/** Returns the rounded widths of all buttons in the main part, by text. */
function buttonWidths(page: Page): Promise<string[]> {
  return page
    .locator('main')
    .locator('button:visible, .btn:visible, .input:visible')
    .evaluateAll((all) =>
      all.map((each) => `${Math.round(each.getBoundingClientRect().width)} ${each.textContent?.trim().slice(0, 30)}`),
    )
}
