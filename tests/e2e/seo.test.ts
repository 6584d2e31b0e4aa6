/** Data that the server adds to documents for search engines, outside React's tree: hydration leaves it alone. */
import { expect, test } from 'vitest'
import { openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

test('pages hydrate without changing the data for search engines', async () => {
  const { page, complaints } = await openPage(await browser.newContext())
  const block = () => page.locator('head script[type="application/ld+json"]').allTextContents()
  const { brand, line } = await store.database.db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .select(['brand.slug as brand', 'product_line.slug as line'])
    .where('item.active', '=', true)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  for (const path of ['/', `/brands/${brand}`, '/tire-sizes/235-60r18', `/brands/${brand}/${line}`]) {
    const sent = await (await page.request.get(`${store.origin}${path}`)).text()
    await page.goto(`${store.origin}${path}`)
    await page.keyboard.press('Shift')
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
    )
    expect(await page.title(), path).toEqual(/<title>([^<]+)<\/title>/.exec(sent)?.[1]?.replaceAll('&amp;', '&'))
    const [text = '', ...more] = await block()
    expect(more, path).toEqual([])
    expect(sent).toContain(text)
    expect(JSON.parse(text)).toHaveProperty('@graph')
  }
  expect(complaints).toEqual([])
})
