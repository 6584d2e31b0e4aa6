/** The API reference under the store's content security policy, with calls to the running store. */
import { expect, test } from 'vitest'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

test('the API reference contacts only the store', async () => {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== store.origin) elsewhere.push(request.url())
  })
  await page.goto(`${store.origin}/api/docs`)
  await page.locator('[data-path="/places/{zip}"]').waitFor()
  await page.locator('#api-list').waitFor({ state: 'hidden' })
  expect(await page.getByRole('link', { name: 'openapi.json' }).isVisible()).toBe(true)

  await page.goto(`${store.origin}/api/docs#/Catalog/listBrands`)
  await page.reload()
  const call = page.locator('#operations-Catalog-listBrands')
  await call.getByRole('button', { name: 'Try it out' }).click()
  const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/brands')
  await call.getByRole('button', { name: 'Execute' }).click()
  expect((await answered).status()).toBe(200)
  expect(await call.getByText('widgetId').count()).toBe(1)

  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => !name.startsWith('sw_')))).toEqual([])
  expect(elsewhere).toEqual([])
  expect(complaints).toEqual([])
})

test('the API reference passes axe, except for Swagger UI’s own structure', async () => {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true })
  const { page } = await openPage(context)
  await page.goto(`${store.origin}/api/docs#/Catalog/listBrands`)
  await page.locator('#operations-Catalog-listBrands').getByText('widgetId').first().waitFor()
  const ownStructure = /^(?:nested-interactive|heading-order|aria-allowed-role):/
  expect((await axeFindings(page)).filter((finding) => !ownStructure.test(finding))).toEqual([])
})

test('a problem’s URL shows its description', async () => {
  await using context = await browser.newContext({ javaScriptEnabled: false })
  const { page } = await openPage(context)
  await page.goto(`${store.origin}/api/docs#SlotTaken`)
  await page.getByText('This time was just taken').waitFor()
})
