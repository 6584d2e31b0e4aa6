/** Tests registration, sign-in, the return to the previous page, and sign-out in a browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#tests/support/browser.ts'
import { giveCompany } from '#tests/support/company.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { axeFindings, openPage } from './journey.ts'
import { staticFaults } from './page-faults.ts'
import { tooWide } from './phone.ts'

let store: RunningStore
let browser: Browser
beforeAll(async () => {
  store = await startStore()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await store[Symbol.asyncDispose]()
})

async function openAccountMenu(page: Page, name = 'Account'): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name, exact: true }).click()
}

async function signInAtProvider(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('dana@example.com')
  await page.getByLabel('Password').fill('sidewall-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test.for([true, false])(
  'signing in returns to the page; signing out ends the session here and at the provider (script: %s)',
  async (javaScriptEnabled) => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    const { page, complaints } = await openPage(context)
    await page.goto(`${store.origin}/tire-sizes/225-65r17`)
    await openAccountMenu(page)
    await page.getByRole('navigation', { name: 'Account' }).getByRole('button', { name: 'Sign in' }).click()
    await signInAtProvider(page)
    await page.waitForURL(`${store.origin}/tire-sizes/225-65r17`)
    await openAccountMenu(page, 'Dana')
    const kept = (await context.cookies()).find(({ name }) => name === 'sw_session')
    expect(kept).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    if (javaScriptEnabled) expect(await page.evaluate(() => document.cookie)).not.toContain('sw_session')

    await page.getByRole('navigation', { name: 'Account' }).getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign out here too?' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${store.origin}/`)
    await page.getByRole('banner').getByRole('button', { name: 'Account', exact: true }).waitFor()

    // The provider's session has also ended, so it requires the password.
    await page.goto(`${store.origin}/sign-in`)
    await page.getByRole('main').getByRole('button', { name: 'Continue to sign in' }).click()
    await page.getByLabel('Password').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  },
)

test('one tap in the frame signs in; “not now” means that it is not offered again', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/sign-in?back=/brands`)
  await page.frameLocator('iframe').getByRole('button', { name: 'Go on as Dana Ruiz' }).click()
  await page.waitForURL(`${store.origin}/brands`)
  await page.getByRole('banner').getByRole('button', { name: 'Dana', exact: true }).waitFor()
  await context.clearCookies()
  await page.goto(`${store.origin}/sign-in`)
  await page.frameLocator('iframe').getByRole('button', { name: 'Not now' }).click()
  await page.locator('iframe').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Continue to sign in' }).waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

test.for([true, false])(
  'register, verify the email by mail, and see one’s own name (script: %s)',
  async (javaScriptEnabled) => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 360, height: 800 } })
    const { page, complaints } = await openPage(context)
    const email = `ann-${javaScriptEnabled}@example.com`
    await page.goto(`${store.origin}/register?back=/brands`)
    await page.getByRole('main').getByRole('button', { name: 'Continue to create it' }).click()
    await page.getByLabel('Your name').fill('Ann Smith')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Please choose 10 characters or more').waitFor()
    await page.getByLabel('Password').fill('ten letters')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(`${store.origin}/brands`)
    await page.goto(linkIn(await newestMail(store, email), 'verify-email'))
    await page.getByRole('heading', { name: 'Your email is verified' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  },
)

test('account pages pass axe, and do not scroll sideways at phone width', async () => {
  const context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 320, height: 800 },
  })
  await context.addCookies([{ name: 'sw_vehicle', value: '1~~~2019~honda~cr-v~~~~2019_Honda_CR-V', url: store.origin }])
  const page = await context.newPage()
  await page.goto(`${store.origin}/sign-in?back=/account/my-garage`)
  await page.getByRole('main').getByRole('button', { name: 'Continue to sign in' }).click()
  await signInAtProvider(page)
  await page.waitForURL(`${store.origin}/account/my-garage`)
  await page.getByRole('link', { name: 'Mileage and rotation of your 2019 Honda CR-V' }).click()
  await page.getByLabel('Last rotation').fill('13/45/2026')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Please enter a valid date format MM/DD/YYYY').waitFor()
  const pages = ['/account', '/account/my-orders', '/account/addresses', '/account/delete']
  for (const path of [undefined, ...pages]) {
    if (path !== undefined) await page.goto(`${store.origin}${path}`)
    expect(await axeFindings(page), path).toEqual([])
    expect(await tooWide(page), path).toEqual([])
  }
  await context.close()
})

test('the pages along the way pass axe, and do not scroll sideways at phone width', async () => {
  const context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 320, height: 800 },
  })
  const page = await context.newPage()
  const look = async (place: string) => {
    expect(await axeFindings(page), place).toEqual([])
    expect(await tooWide(page), place).toEqual([])
  }
  for (const path of ['/sign-in', '/register', '/api/sso-landing?state=x']) {
    await page.goto(`${store.origin}${path}`)
    await look(path)
  }
  await page.goto(`${store.origin}/register`)
  await page.getByRole('main').getByRole('button', { name: 'Continue to create it' }).click()
  await page.getByLabel('Your name').waitFor()
  await look('register at the provider')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await look('sign in at the provider')
  await context.close()
})

test('the longest possible name, email, company and invitation fit the smallest phone, at the provider too', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 320, height: 640 } })
  const { page, complaints } = await openPage(context)
  const long = 'wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren' // 55 letters
  await page.goto(`${store.origin}/register?back=/account`)
  await page.getByRole('main').getByRole('button', { name: 'Continue to create it' }).click()
  await page.getByLabel('Your name').fill(`${long} Ruiz`)
  await page.getByLabel('Email').fill(`${long}@long.example`)
  await page.getByLabel('Password').fill('ten letters')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${store.origin}/account`)
  const faults: string[] = []
  const look = async (place: string) => faults.push(...(await staticFaults(page)).map((fault) => `${place}: ${fault}`))
  await look('/account as a buyer for oneself')

  await giveCompany(store.database.db, `${long}@long.example`, { name: `${long} ${long.slice(0, 44)}` })
  await page.goto(`${store.origin}/account/company/members`)
  await page.getByLabel('Email').fill(`${long}@other.example`)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('Withdraw').waitFor()
  const places = [
    '',
    '/my-orders',
    '/my-garage',
    '/addresses',
    '/company',
    '/company/members',
    '/company/orders',
    '/company/exemptions',
  ]
  for (const path of [
    ...places.map((place) => `/account${place}`),
    '/dt-employees',
    '/membership',
    '/partner-program',
    '/invite',
    '/advocate-dashboard',
  ]) {
    await page.goto(`${store.origin}${path}`)
    await look(path)
  }
  await page.goto(`${store.origin}/account`)
  await page.getByRole('link', { name: 'Edit your details' }).click()
  await page.getByRole('heading', { name: 'Edit your profile' }).waitFor()
  await look('the profile at the provider')
  expect([...complaints, ...faults]).toEqual([])
  await context.close()
})
