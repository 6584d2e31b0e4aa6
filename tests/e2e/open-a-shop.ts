/** The steps by which a shop or a van joins a store without demo data, by button and field labels. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { typedApplication } from '#domain/installer-portal/shop-applications/shop-applications.testing.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { ownPassword } from '#tests/support/visitor.ts'
import { axeFindings } from './journey.ts'

type Person = { name: string; email: string }
type Door = '/office' | '/portal'

/** Registers at the sign-in provider and follows the link in its email, from a page that requires sign-in. */
export async function registerAndVerify(
  store: RunningStore,
  page: Page,
  { name, email }: Person,
  door: Door,
): Promise<void> {
  await page.getByRole('button', { name: 'Continue to sign in' }).click()
  await page.getByRole('link', { name: 'Create one' }).click()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(ownPassword)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Your email is not verified yet').waitFor()
  await page.goto(linkIn(await newestMail(store, email, 'Verify'), '/verify-email/'))
  await page.goto(`${store.origin}${door}`)
  await page.getByRole('button', { name: 'Continue to sign in' }).click()
  // The provider recognizes the browser from the registration, and doesn't require a password.
  await page.waitForURL(
    (url) => url.origin === store.origin && url.pathname.startsWith(door) && !url.pathname.endsWith('/sign-in'),
  )
}

/** Fills in the form for installers as a mobile van, and sends it. */
export async function applyAsVan(store: RunningStore, page: Page, owner: Person, zip: string): Promise<void> {
  await page.goto(`${store.origin}/installer-signup`)
  const form = page.locator('form#form')
  const [ownerFirstName = '', ownerLastName = ''] = owner.name.split(' ')
  const typed = {
    ...typedApplication,
    ownerFirstName,
    ownerLastName,
    ownerEmail: owner.email,
    zip,
    'tire-mobile-van': '1',
  }
  for (const [name, value] of Object.entries(typed)) {
    const field = form.locator(`[name="${name}"]`)
    if (value === '1') await field.check()
    else if (/^(?:opens|closes)-|^state$/.test(name)) await field.selectOption(value)
    else await field.fill(value)
  }
  await form.getByRole('button', { name: 'Send application' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'We have your application' }).waitFor()
}

/**
 * Follows the email that mentions `about`, completes every step of the set-up, and opens the shop. Returns the URL of
 * the shop in the portal.
 */
export async function setUpShop(
  store: RunningStore,
  page: Page,
  { owner, about, isVan = false }: { owner: Person; about: string; isVan?: boolean },
): Promise<string> {
  await page.goto(linkIn(await newestMail(store, owner.email, about), '/portal'))
  await registerAndVerify(store, page, owner, '/portal')
  const shop = page.url().split('?')[0] ?? ''
  const saved = async (button: string) => {
    await page.getByRole('button', { name: button }).click()
    await page.waitForURL(/done=saved/)
  }
  await page.goto(`${shop}/set-up/hours`)
  for (let day = 1; day <= 7; day += 1) {
    await page.locator(`[name=opens-${day}]`).selectOption({ label: '8:00 AM' })
    await page.locator(`[name=closes-${day}]`).selectOption({ label: '6:00 PM' })
  }
  await saved('Save hours')
  await page.goto(`${shop}/set-up/bays`)
  await page.getByLabel('Bays with a lift').fill(isVan ? '1' : '2')
  await page.getByLabel('Cars that can be dropped off').fill('0')
  await saved('Save bays')
  await page.goto(`${shop}/set-up/prices`)
  for (const kind of ['standard', 'low-profile'])
    for (const rim of [12, 17, 19, 21]) await page.locator(`[name=${kind}-${rim}]`).fill('25')
  await page.getByLabel('Sensor service kit').fill('8')
  await page.getByLabel('Disposal of an old tire').fill('4')
  await saved('Save prices')
  await page.goto(`${shop}/set-up/lengths`)
  await saved('Save job lengths')
  await page.goto(`${shop}/set-up/blackout-days`)
  await saved('No blackout days')
  if (isVan) {
    await page.goto(`${shop}/area`)
    await page.getByLabel('ZIP codes').fill('60657 60613 60618')
    await saved('Save the area')
    await page.getByText('Chicago, IL: 3 ZIPs').waitFor()
    await page.goto(`${shop}/set-up`)
  }
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Open the shop' }).click()
  await page.getByText('Your shop is open. Shoppers can book it now.').waitFor()
  return shop
}
