/**
 * Tests a technician on a phone, from the day view to the finished job, with axe and a width of 360 pixels on every
 * page.
 */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { bringToToday, joinShop } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { createVisitor, signInToPortal } from '#tests/support/visitor.ts'
import { axeFindings, openPage } from './journey.ts'
import { photographLettering } from './lettering.ts'
import { isInWindow, smallTargets, tooWide } from './phone.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()
/** Larger than the server takes, as phones make them. */
const largePhoto = await sharp({
  create: {
    width: 3_000,
    height: 2_000,
    channels: 3,
    background: 'gray',
    noise: { type: 'gaussian', mean: 128, sigma: 30 },
  },
})
  .jpeg({ quality: 95 })
  .toBuffer()

/** A job ahead, and the portal's cookie of a technician of its shop. */
async function openJob(nth: number) {
  const job = await store.database.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select(['booking.id', 'shop.id as shopId', 'shop.code', 'shop.time_zone as timeZone'])
    .where('booking.state', '=', 'confirmed')
    .where('sales_order.state', '=', 'confirmed')
    .orderBy('booking.during', 'desc')
    .offset(nth)
    .executeTakeFirstOrThrow()
  await joinShop(store.database, { shopId: job.shopId })
  const technician = createVisitor()
  await signInToPortal(store.origin, technician, 'technician@example.com')
  const { value = '' } = technician.cookie('sw_portal') ?? {}
  return { job, cookie: { name: 'sw_portal', value, url: store.origin } }
}

test('a photo fills in a tire’s DOT code, or shows that it can’t', async () => {
  const { job, cookie } = await openJob(1)
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } })
  await context.addCookies([cookie])
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/portal/${job.code}/jobs/${job.id}`)
  const photos = page.locator('.job-wheel input[type="file"]')
  const tin = page.getByLabel(/^DOT code/).first()
  const buffer = await photographLettering(browser, ['DOT 7B3 KXYZ92', '0126'])
  await photos.first().setInputFiles({ name: 'tire.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByText('Read 7B3 KXYZ92 0126. Compare it with the tire.').waitFor({ timeout: 90_000 })
  expect(await tin.inputValue()).toBe('7B3 KXYZ92 0126')
  await photos.first().setInputFiles({ name: 'no.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') })
  await page.getByText('That photo cannot be read. Take another one, or type it.').waitFor()
  expect(await tin.inputValue()).toBe('7B3 KXYZ92 0126')
  expect(complaints).toEqual([])
  await context.close()
})

test('a technician counts tires, reads codes, collects a signature, and finishes a job on a phone', async () => {
  const { job, cookie } = await openJob(0)
  const context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 640 },
  })
  await context.addCookies([cookie])
  const { page, complaints } = await openPage(context)

  await bringToToday(store.database, job.id, Temporal.Now.instant())
  const day = Temporal.Now.zonedDateTimeISO(job.timeZone).toPlainDate().toString()
  await page.goto(`${store.origin}/portal/${job.code}?on=${day}`)
  // The day view has a low header, and the next job's card has all the technician needs, with its action in reach.
  const head = await page.getByRole('banner').boundingBox()
  expect(head?.height).toBeLessThanOrEqual(56)
  const card = page.locator('.next-job')
  const cardText = await card.innerText()
  for (const words of ['Required size', 'Load and speed', 'Cold pressure', 'Torque', '0 of 4 counted'])
    expect(cardText).toContain(words)
  expect(await card.locator('.btn.primary').allInnerTexts()).toEqual(['Count tires, 0 of 4'])
  expect(await isInWindow(card.locator('.btn.primary'))).toBe(true)
  expect(await smallTargets(page)).toEqual([])
  // The technician sees no pay.
  expect(cardText).not.toContain('$')
  expect(await tooWide(page)).toEqual([])
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
  await page.locator(`.portal-job a[href$="/jobs/${job.id}"]`).click()
  await page.getByText('Prepaid. Do not collect.').waitFor()
  expect(await tooWide(page)).toEqual([])
  // Gloves need large controls.
  expect(await smallTargets(page, 48)).toEqual([])
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
  await page.getByText('0 of 4 tires are counted. Count them all first.').waitFor()
  await page.getByText('Running late: tell ').click()
  await page.getByLabel('How late').selectOption('30')
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
  await page.getByRole('button', { name: 'Send by email and text' }).click()
  await page.getByRole('status').getByText('The customer was notified.').waitFor()
  for (let counted = 1; counted <= 4; counted += 1) {
    await page
      .getByRole('button', { name: /^One more: / })
      .first()
      .click()
    await page.getByText(`${counted} of 4 counted`, { exact: true }).waitFor()
  }
  // The day and the work order count the same.
  await page.getByRole('link', { name: 'Day', exact: true }).first().click()
  await page.locator('.portal-job', { hasText: '4 of 4 counted' }).waitFor()
  await page.locator('.next-job').getByText('4 of 4 counted').waitFor()
  await page.locator('.next-job').getByRole('button', { name: 'Car is here' }).click()
  await page.getByRole('button', { name: 'Into the bay' }).click()
  await page.getByRole('status').getByText('In the bay.').waitFor()

  // A photo is sent as soon as it is chosen, and other entries stay. Offline it is stored on the phone.
  await page.getByLabel('Miles on the odometer').fill('41,800')
  const takePhoto = (label: string) =>
    page
      .getByLabel(label, { exact: true })
      .setInputFiles({ name: 'car.jpg', mimeType: 'image/jpeg', buffer: largePhoto })
  await takePhoto('Old tires')
  await page.locator('#photos').getByText('1 of 3').waitFor()
  await context.setOffline(true)
  await takePhoto('Front, mounted')
  await page.getByText('Changes waiting on this device: 1.').waitFor()
  await page.locator('#photos').getByText('Not sent yet').waitFor()
  await context.setOffline(false)
  await page.locator('[data-drafts]').waitFor({ state: 'detached' })
  await page.locator('#photos').getByText('2 of 3').waitFor()
  expect(await page.getByLabel('Miles on the odometer').inputValue()).toBe('41,800')
  expect(await smallTargets(page, 48)).toEqual([])
  expect(await tooWide(page)).toEqual([])
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
  await page.getByLabel('Miles on the odometer').fill('')

  const tins = page.getByLabel(/^DOT code/)
  const treads = page.getByLabel(/^Old tread/)
  const tires = await tins.count()
  expect(tires).toBeGreaterThan(0)
  // The button counts missing fields, and leads to the next one.
  const finish = page.getByRole('button', { name: 'Finish job' })
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)
  expect(await finish.innerText()).toContain(`${tires * 2 + 2} things missing`)
  await finish.click()
  expect(await focused()).toBe(await tins.first().getAttribute('id'))
  await tins.first().fill('1ABC SDWL 1420')
  expect(await finish.innerText()).toContain(`${tires * 2 + 1} things missing\nNext: LF old tread`)
  await finish.click()
  expect(await focused()).toBe(await treads.first().getAttribute('id'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').getByText('We do not sell tires older than 6 years').waitFor()
  // A misread is likelier than an old tire.
  await page.getByRole('link', { name: 'Read again' }).click()
  expect(await focused()).toBe(await tins.first().getAttribute('id'))
  expect(await tins.first().inputValue()).toBe('1ABC SDWL 1420')
  expect(await tooWide(page)).toEqual([])
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
  // A code typed once fills the line's other tires. Edits to those are preserved.
  await tins.first().fill('7B3 KXYZ92 0126')
  await page.getByLabel('All 4 tires have this code').check()
  await tins.last().fill('7B3 KXYZ92 0226')
  await tins.first().fill('7B3 KXYZ92 0326')
  const filled = await Promise.all((await tins.all()).map((tin) => tin.inputValue()))
  expect(filled).toEqual(['7B3 KXYZ92 0326', '7B3 KXYZ92 0326', '7B3 KXYZ92 0326', '7B3 KXYZ92 0226'])
  for (let index = 0; index < tires; index += 1) await treads.nth(index).fill('3')
  // An empty tread starts at 4.
  await treads.last().fill('')
  const step = (sign: string) => page.getByRole('button', { name: new RegExp(`^${sign}: Old tread`) }).last()
  await step('More').click()
  expect(await treads.last().inputValue()).toBe('4')
  await step('Less').click()
  expect(await treads.last().inputValue()).toBe('3')
  // Offline, entries are stored on the phone, and sent later. A code needs an answer.
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Check code' }).click()
  await page.getByRole('alert').getByText('You’re offline, so this wasn’t sent.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = page.getByText('Changes waiting on this device: 1.')
  await notice.waitFor()
  expect(await isInWindow(notice)).toBe(true)
  expect(await tins.last().inputValue()).toBe('7B3 KXYZ92 0226')
  const storedTins = () =>
    store.database.db
      .selectFrom('work_order_tire')
      .select('tin')
      .where('booking_id', '=', job.id)
      .where('tin', 'is not', null)
      .execute()
  expect(await storedTins()).toEqual([])
  await context.setOffline(false)
  await page.locator('[data-drafts]').waitFor({ state: 'detached' })
  expect(await storedTins()).toHaveLength(tires)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  // Enter saves.
  await page.getByLabel('Miles on the odometer').fill('41,836')
  await Promise.all([page.waitForEvent('load'), page.getByLabel('Miles on the odometer').press('Enter')])
  expect(await page.getByLabel('Miles on the odometer').getAttribute('value')).toBe('41,836')
  await page.getByLabel('Torque set, in lb-ft').fill('76')
  await page.getByText('No code? Take a signature').click()
  await page.getByLabel('Customer’s full name').fill('Iris Vale')
  // Signs with a finger. A single point isn't a signature.
  const field = page.getByRole('img', { name: 'Sign here with a finger' })
  const draw = async (points: number) => {
    await field.scrollIntoViewIfNeeded()
    const box = await field.boundingBox()
    if (!box) throw new Error('There is no field to sign in.')
    const to = (share: number) => page.mouse.move(box.x + box.width * share, box.y + box.height * (0.3 + share / 3))
    await to(0.1)
    await page.mouse.down()
    for (let point = 1; point <= points; point += 1) await to(0.1 + (0.8 * point) / points)
    await page.mouse.up()
  }
  await draw(1)
  await page.getByRole('button', { name: 'Finish job' }).click()
  await page.getByRole('alert').getByText('Sign with the whole name.').waitFor()
  await draw(20)
  await page.getByRole('button', { name: 'Finish job' }).click()
  await page.getByText('Finished. The tires are registered for the customer.').waitFor()
  await page.getByRole('img', { name: 'Signature of Iris Vale' }).waitFor()
  expect(await tooWide(page)).toEqual([])
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('a phone’s photo of a dispute is shrunk before it is sent', async () => {
  const { id, code, shopId } = await store.database.db
    .selectFrom('job_pay')
    .innerJoin('shop', 'shop.id', 'job_pay.shop_id')
    .select(['job_pay.id', 'shop.code', 'shop.id as shopId'])
    .orderBy('job_pay.dispute_until', 'desc')
    .executeTakeFirstOrThrow()
  const email = 'shop-owner@example.com'
  await joinShop(store.database, { shopId, email })
  const owner = createVisitor()
  await signInToPortal(store.origin, owner, email)
  const { value = '' } = owner.cookie('sw_portal') ?? {}
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } })
  await context.addCookies([{ name: 'sw_portal', value, url: store.origin }])
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/portal/${code}/pay?about=job:${id}#dispute`)
  await page.getByLabel('Problem').fill('We mounted all four tires.')
  await page
    .getByLabel('Photo or printout')
    .setInputFiles({ name: 'balance.jpg', mimeType: 'image/jpeg', buffer: largePhoto })
  await page.getByRole('button', { name: 'Send dispute' }).click()
  await page.getByText('Dispute sent. Our team will answer it here.').waitFor()
  expect(await page.getByText('Sent with a photo.').count()).toBe(1)
  expect(await tooWide(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})
