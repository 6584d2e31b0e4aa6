/** Tests the scroll and focus position after client-side navigation: each checkout step, with mouse and keyboard. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { chooseFirstTire, dana, openPage, payInFields, setZip } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

test.for(['mouse', 'keyboard'] as const)(
  'each checkout step begins at its heading with the focus there, by %s',
  { timeout: 240_000 },
  async (by) => {
    await using context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    const { page, complaints } = await openPage(context)
    const press = (name: RegExp) => pressButton(page, name, by)
    await setZip({ page, store }, '60614')
    await page.goto(`${store.origin}/tire-sizes/225-65r17`)
    await chooseFirstTire({ page, store })
    await page.getByRole('link', { name: 'Choose shop and time' }).click()
    await page.locator('.shop-card .slot').first().click()
    await page.getByText('is held for you').first().waitFor()

    await press(/^Keep /)
    await expectAtHeading(page, /shipping-confirmation/)
    // A refused form is the same page, so the focus moves to the error.
    await press(/^Continue$/)
    await eventually('the focus at the refusal', () =>
      page.evaluate(() => document.activeElement?.classList.contains('error-summary')),
    )
    await fillAddress(page)
    await press(/^Continue$/)
    await expectAtHeading(page, /checkout\/services/)
    // Going back and forward without loading restores the position, with the focus on the heading.
    await page.goBack()
    await page.waitForURL(/shipping-confirmation/, { waitUntil: 'commit' })
    await eventually('the position at which the form was sent', () =>
      page.evaluate(() => window.scrollY > 200 && document.activeElement === document.querySelector('main h1')),
    )
    await page.goForward()
    await expectAtHeading(page, /checkout\/services/)
    await page.getByRole('checkbox', { name: 'Replacement coverage' }).check()
    await press(/^Continue to payment$/)
    await expectAtHeading(page, /checkout\/payments$/)

    // And with loading.
    await page.evaluate(() => window.scrollTo(0, 300))
    const left = await page.evaluate(() => window.scrollY)
    // Browsers report a scroll with the next frame, which a busy one may not have drawn yet.
    await eventually('the position in the history', () =>
      page.evaluate(() => (history.state as { scrollY?: number } | null)?.scrollY === window.scrollY),
    )
    await page.goBack()
    await page.waitForURL(/checkout\/services/)
    await page.goForward()
    await page.waitForURL(/checkout\/payments$/)
    await eventually('the old position', async () => (await page.evaluate(() => window.scrollY)) === left)

    await press(/^Continue/)
    await expectAtHeading(page, /checkout\/payments\/card/)
    await payInFields({ page, store }, '4242424242424242')
    await expectAtHeading(page, /order-summary/)
    const conditions = page.getByLabel('I have read what the fit depends on')
    if ((await conditions.count()) > 0) await conditions.check()
    await page.getByLabel(/I accept the/).check()
    await press(/^Place order$/)
    await expectAtHeading(page, /order-confirmation/)
    expect(complaints).toEqual([])
  },
)

/** From the end of the page, where a shopper on a phone presses it. */
async function pressButton(page: Page, name: RegExp, by: 'mouse' | 'keyboard'): Promise<void> {
  const button = page.getByRole('button', { name }).first()
  await button.scrollIntoViewIfNeeded()
  if (by === 'mouse') return button.click()
  await button.focus()
  await page.keyboard.press('Enter')
}

async function expectAtHeading(page: Page, address: RegExp): Promise<void> {
  await page.waitForURL(address, { waitUntil: 'commit' })
  await expect
    .poll(
      () =>
        page.evaluate(() => {
          const heading = document.querySelector('main h1')
          const { top = -1, bottom = 0 } = heading?.getBoundingClientRect() ?? {}
          return {
            focus: document.activeElement?.outerHTML.slice(0, 60),
            isAtHeading: document.activeElement === heading,
            isInSight: top >= 0 && bottom <= window.innerHeight,
            scrolled: window.scrollY,
          }
        }),
      { timeout: 30_000, message: address.source },
    )
    .toMatchObject({ isAtHeading: true, isInSight: true, scrolled: 0 })
}

async function fillAddress(page: Page): Promise<void> {
  await page.getByLabel('First name').fill(dana.firstName)
  await page.getByLabel('Last name').fill(dana.lastName)
  await page.getByLabel('Email').fill(dana.email)
  await page.getByLabel('Phone', { exact: true }).fill(dana.phone)
  await page.getByLabel('Phone type').selectOption('mobile')
  await page.getByLabel('Address', { exact: true }).fill(dana.address)
  const vehicle = page.getByLabel('Year, make and model')
  if ((await vehicle.count()) > 0) await vehicle.fill('2019 Honda CR-V EX')
}
