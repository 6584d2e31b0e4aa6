/** Scalar's API reference under the store's content security policy, with calls to the running store. */
import { expect, test } from 'vitest'
import { openPage } from './journey.ts'
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
  await page.getByRole('heading', { level: 1, name: /API$/ }).and(page.locator('#api-in-full *')).waitFor()
  await page.locator('#api-list').waitFor({ state: 'hidden' })
  expect(await page.getByRole('link', { name: 'openapi.json' }).isVisible()).toBe(true)

  await page.goto(`${store.origin}/api/docs#tag/catalog/GET/brands`)
  await page.reload()
  await page.getByRole('button', { name: /^Test Request\s*\(get \/brands\)/ }).click()
  const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/brands')
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click()
  expect((await answered).status()).toBe(200)

  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => !name.startsWith('sw_')))).toEqual([])
  expect(elsewhere).toEqual([])
  expect(complaints).toEqual([])
})

test('a problem’s URL shows its description', async () => {
  await using context = await browser.newContext({ javaScriptEnabled: false })
  const { page } = await openPage(context)
  await page.goto(`${store.origin}/api/docs#SlotTaken`)
  await page.getByText('This time was just taken').waitFor()
})
