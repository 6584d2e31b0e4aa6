/** Tests the shop's day view in a browser with the keyboard on a phone, on two devices, and offline. */
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { openPage, signInAtWork } from './journey.ts'
import { isInWindow, smallTargets, tooWide } from './phone.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()
const shopPath = '/portal/SW-00001'
const dayAhead = (days: number) => Temporal.Now.plainDateISO('America/Chicago').add({ days }).toString()

async function atWork(options: Parameters<typeof browser.newContext>[0] = {}) {
  const context: BrowserContext = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'shop-owner@example.com', '/portal')
  return { context, page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

const jobsOf = async (name: string) =>
  store.database.db
    .selectFrom('own_job')
    .select(['id', 'first_name', 'note', 'revision'])
    .where('first_name', 'like', `${name}%`)
    .orderBy('first_name')
    .execute()

async function fillJob(page: Page, { name, time }: { name: string; time: string }): Promise<void> {
  await page.getByLabel('First name').fill(name)
  await page.getByLabel(/^Time/).fill(time)
}

test('on a phone and by keyboard a walk-in is entered, with script and without', { timeout: 90_000 }, async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using desk = await atWork({ javaScriptEnabled, viewport: { width: 360, height: 740 } })
    const { page } = desk
    const on = dayAhead(javaScriptEnabled ? 60 : 61)
    await page.goto(`${store.origin}${shopPath}?on=${on}`)
    expect(await tooWide(page)).toEqual([])
    await page.getByRole('link', { name: 'Add walk-in or block' }).press('Enter')
    await page.waitForURL(/jobs\/new/)
    expect(await tooWide(page)).toEqual([])
    await page.getByLabel('What it is').selectOption('walk-in')
    await fillJob(page, { name: `Kim${javaScriptEnabled}`, time: '09:30' })
    await page.getByRole('button', { name: 'Add job' }).press('Enter')
    await page.waitForURL(new RegExp(`on=${on}&done=own-job`))
    await page.getByText(`Walk-in: Kim${javaScriptEnabled}`).waitFor()
    await page.getByRole('link', { name: /^Change Walk-in/ }).press('Enter')
    await page.getByRole('button', { name: 'Cancel job' }).press('Enter')
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByText(`Walk-in: Kim${javaScriptEnabled}`).waitFor()
    await page.getByRole('link', { name: 'Week', exact: true }).press('Enter')
    await page.waitForURL(/\/week/)
    expect(await tooWide(page)).toEqual([])
    expect(desk.complaints).toEqual([])
  }
})

test('on a phone the owner’s pages have a low header and large controls', async () => {
  await using desk = await atWork({ viewport: { width: 360, height: 640 } })
  const { page } = desk
  for (const path of [
    '',
    '/week',
    '/pay',
    '/capacity',
    '/prices',
    '/profile',
    '/people',
    '/emails',
    '/feed',
    '/store',
  ]) {
    await page.goto(`${store.origin}${shopPath}${path}`)
    const head = await page.getByRole('banner').boundingBox()
    expect(head?.height, path).toBeLessThanOrEqual(56)
    expect(await tooWide(page), path).toEqual([])
    expect(await smallTargets(page, path === '/week' ? 48 : 44), path).toEqual([])
  }
  // A closed day has one short line.
  await page.goto(`${store.origin}${shopPath}?on=2027-01-03`)
  expect(await page.locator('.portal-empty').innerText()).toBe('Closed on Sundays')
  expect(desk.complaints).toEqual([])
})

test('an entry on one device appears on another without interaction', { timeout: 90_000 }, async () => {
  await using counter = await atWork({ viewport: { width: 1280, height: 900 } })
  await using phone = await atWork({ viewport: { width: 360, height: 740 } })
  const on = dayAhead(70)
  await counter.page.goto(`${store.origin}${shopPath}?on=${on}`)
  await counter.page.getByText('Add job').first().waitFor()
  await phone.page.goto(`${store.origin}${shopPath}/jobs/new?on=${on}&at=10:00`)
  await fillJob(phone.page, { name: 'Second device', time: '10:00' })
  await phone.page.getByRole('button', { name: 'Add job' }).click()
  await counter.page.getByText('Phone booking: Second device').waitFor()
  expect(counter.page.url()).toContain(`on=${on}`)

  // While a pointer drags it, the page shows where it lands. Dropped on a taken time, it stays where it was.
  await phone.page.goto(`${store.origin}${shopPath}/jobs/new?on=${on}&at=12:00`)
  await fillJob(phone.page, { name: 'Noon', time: '12:00' })
  await phone.page.getByRole('button', { name: 'Add job' }).click()
  await counter.page.getByText('Phone booking: Noon').waitFor()
  const card = counter.page.locator('[data-drag]', { hasText: 'Second device' })
  const landing = counter.page.locator('.portal-landing')
  const dragTo = async (at: string, quarter: number) => {
    // The script that drags is loaded under the mouse.
    await card.hover()
    await counter.page.waitForLoadState('networkidle')
    const [from, to] = [
      await card.boundingBox(),
      await counter.page.locator(`[data-empty="${at}"]`).first().boundingBox(),
    ]
    if (!from || !to) throw new Error('The day shows both.')
    await counter.page.mouse.move(from.x + 20, from.y + 10)
    await counter.page.mouse.down()
    await counter.page.mouse.move(to.x + 40, to.y + (to.height / 4) * (quarter + 0.5), { steps: 8 })
  }
  await dragTo('11:00', 1)
  expect(await landing.innerText()).toMatch(/^11:15 AM, Bay 1\s+Overlaps Phone booking: Noon by 15 min$/)
  expect(await landing.getAttribute('class')).toContain('is-refused')
  await counter.page.mouse.up()
  await landing.waitFor({ state: 'detached' })
  expect(counter.page.url()).toContain(`on=${on}`)

  // The arrow keys do the same, and Escape puts the job back.
  const change = counter.page.getByRole('link', { name: /^Change Phone booking: Second device/ })
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await change.press(key)
  expect(await landing.innerText()).toMatch(/^10:45 AM, Bay 1\s+Not saved yet$/)
  await change.press('Escape')
  await landing.waitFor({ state: 'detached' })
  await change.press('ArrowDown')
  await change.press('Enter')
  await counter.page.waitForURL(/own-jobs\/.*at=10%3A15/)
  await counter.page.goBack()

  // Dropped on a free time, it opens its form there, and the form is sent as any other.
  await dragTo('14:00', 0)
  expect(await landing.innerText()).toMatch(/^2:00 PM, Bay 1\s+Not saved yet$/)
  await counter.page.mouse.up()
  await counter.page.waitForURL(/own-jobs\/.*at=14/)
  expect(await counter.page.getByLabel(/^Time/).inputValue()).toBe('14:00')
  await counter.page.getByRole('button', { name: 'Save changes' }).click()
  await counter.page.getByText('2:00 PM to 3:00 PM').first().waitFor()
  expect([...counter.complaints, ...phone.complaints]).toEqual([])
})

test('five jobs entered and one changed twice without a line are sent once each', { timeout: 90_000 }, async () => {
  await using desk = await atWork({ viewport: { width: 360, height: 640 } })
  const { page, context } = desk
  const on = dayAhead(80)
  await page.goto(`${store.origin}${shopPath}/jobs/new?on=${on}&at=08:00`)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  for (const [index, time] of ['08:00', '09:00', '10:00', '11:00', '13:00'].entries()) {
    await fillJob(page, { name: `Weak line ${index}`, time })
    await page.getByRole('button', { name: 'Add job' }).click()
    const notice = page.getByText(`Changes waiting on this device: ${index + 1}.`)
    await notice.waitFor()
    expect(await isInWindow(notice)).toBe(true)
  }
  expect(await jobsOf('Weak line')).toEqual([])
  await context.setOffline(false)
  await eventually('fifth job', async () => (await jobsOf('Weak line')).length >= 5)
  await page.locator('[data-drafts]').waitFor({ state: 'detached' })
  expect((await jobsOf('Weak line')).map(({ first_name }) => first_name)).toEqual(
    [0, 1, 2, 3, 4].map((index) => `Weak line ${index}`),
  )

  const [job] = await jobsOf('Weak line')
  await page.goto(`${store.origin}${shopPath}/own-jobs/${job?.id}`)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  for (const note of ['Called again', 'Wants nitrogen']) {
    await page.getByLabel('Note').fill(note)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(`Changes waiting on this device: ${note === 'Called again' ? 1 : 2}.`).waitFor()
  }
  await context.setOffline(false)
  await eventually('second change', async () => (await jobsOf('Weak line'))[0]?.note === 'Wants nitrogen')
  expect((await jobsOf('Weak line'))[0]).toMatchObject({ revision: 3 })
  expect(await jobsOf('Weak line')).toHaveLength(5)
})

test(
  'what collides with the change of another device is shown beside its form, and not lost',
  { timeout: 90_000 },
  async () => {
    await using desk = await atWork()
    await using other = await atWork()
    const { page, context } = desk
    const on = dayAhead(90)
    await page.goto(`${store.origin}${shopPath}/jobs/new?on=${on}&at=08:00`)
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await fillJob(page, { name: 'Late one', time: '08:00' })
    await page.getByRole('button', { name: 'Add job' }).click()
    await page.getByText('Changes waiting on this device: 1.').waitFor()
    await other.page.goto(`${store.origin}${shopPath}/jobs/new?on=${on}&at=08:30`)
    await fillJob(other.page, { name: 'Early one', time: '08:30' })
    await other.page.getByRole('button', { name: 'Add job' }).click()
    await other.page.waitForURL(/done=own-job/)
    await context.setOffline(false)
    await page.getByText('Not saved:').waitFor()
    await page.getByRole('link', { name: 'Open it' }).click()
    await page.getByText('The shop has a walk-in or blocked time on this bay').first().waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Late one')
    await page.getByLabel(/^Time/).fill('13:00')
    await page.getByRole('button', { name: 'Add job' }).click()
    await page.waitForURL(/done=own-job/)
    expect(await jobsOf('Late one')).toHaveLength(1)
    expect(await page.getByText('Not saved:').count()).toBe(0)

    // Signing out with pending drafts requires confirmation and deletes them from the device.
    await page.goto(`${store.origin}${shopPath}/jobs/new?on=${on}&at=08:00`)
    await page.waitForLoadState('networkidle')
    await page.route('**/jobs/new*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await fillJob(page, { name: 'Unsent one', time: '16:00' })
    await page.getByRole('button', { name: 'Add job' }).click()
    await page.getByText('Changes waiting on this device: 1.').waitFor()
    await page.locator('summary[aria-label="Menu"]').click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByText('Unsaved changes: 1.').waitFor()
    await page.getByRole('button', { name: 'Discard and sign out' }).press('Enter')
    await page.waitForURL((url) => !url.pathname.startsWith(shopPath))
    await page.goto(`${store.origin}/portal/sign-in`)
    const left = await page.evaluate(async () => {
      const request = indexedDB.open('sidewall-portal', 1)
      await new Promise((done) => request.addEventListener('success', done))
      const count = request.result.transaction('draft').objectStore('draft').count()
      await new Promise((done) => count.addEventListener('success', done))
      return count.result
    })
    expect(left).toBe(0)
    expect(await jobsOf('Unsent one')).toEqual([])
  },
)
