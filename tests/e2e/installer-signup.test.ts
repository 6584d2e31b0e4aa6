/** Tests that a shop's half-completed form is preserved until the shop returns. */
import { expect, test } from 'vitest'
import { typedApplication } from '#domain/installer-portal/shop-applications/shop-applications.testing.ts'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

test('form entries persist after leaving the page and are sent once valid', async () => {
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/installer-signup`)
  const form = page.locator('form#form')
  for (const [name, value] of Object.entries(typedApplication)) {
    const field = form.locator(`[name="${name}"]`)
    if (value === '1') await field.check()
    else if (/^(?:opens|closes)-|^state$/.test(name)) await field.selectOption(value)
    else await field.fill(name === 'ownerPhone' ? '(773) 555-019' : value)
  }
  await page.goto(`${store.origin}/`)
  await expect
    .poll(async () => (await context.cookies(`${store.origin}/installer-signup`)).map(({ name }) => name))
    .toContain('sw_shop_application')
  await page.goto(`${store.origin}/installer-signup`)
  expect(await form.locator('[name="ownerFirstName"]').inputValue()).toBe('Renata')
  expect(await form.locator('[name="agree"]').isChecked()).toBe(false)
  await form.locator('[name="agree"]').check()
  await form.getByRole('button', { name: 'Send application' }).click()
  await page.getByRole('link', { name: 'Owner’s phone: Phone Number should contain 10 digits' }).click()
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
  await form.locator('[name="ownerPhone"]').fill(typedApplication['ownerPhone'] ?? '')
  await form.locator('[name="agree"]').check()
  await form.getByRole('button', { name: 'Send application' }).click()
  await page.getByRole('heading', { level: 1, name: 'We have your application' }).waitFor()
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})
