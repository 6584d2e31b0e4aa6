/** Tests a shop's pay over HTTP: the owner's pages and files, a dispute, bank details, and the office's actions. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobPay } from '#domain/installer-portal/payouts/payouts.server.ts'
import { staffCan, staffRoles } from '#domain/kernel/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { clearSampleJobs } from '#tests/support/sample-past.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, signInToPortal } from '#tests/support/visitor.ts'

let code: string
let pay: string

let store: RunningStore
let jobId: string
let week: string
const owner = createVisitor()
const technician = createVisitor()
const staff = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToPortal(store.origin, owner)
  await signInToPortal(store.origin, technician, 'technician@example.com')
  await signInToOffice(store.origin, staff)
  const { db } = store.database
  await clearSampleJobs(db)
  const booking = await db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['booking.id', 'shop.time_zone', 'shop.code', 'shop.id as shopId'])
    .where('booking.order_id', 'is not', null)
    .orderBy('booking.id')
    .executeTakeFirstOrThrow()
  code = booking.code
  pay = `/portal/${code}/pay`
  // The people of the first shop also work at the one with the appointment.
  const people = await db.selectFrom('shop_member').selectAll().where('bound_at', 'is not', null).execute()
  const roles = new Map(people.map((member) => [member.email, member]))
  await db
    .insertInto('shop_member')
    .values([...roles.values()].map((member) => ({ ...member, id: newId(), shop_id: booking.shopId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const at = Temporal.Now.instant()
  const started = await db
    .transaction()
    .execute((tx) => startJobPay(tx, { bookingId: booking.id, kind: 'finished', at }))
  if (!started.ok) throw new Error(started.reason)
  jobId = started.value.jobPayId
  const day = at.toZonedDateTimeISO(booking.time_zone).toPlainDate()
  week = day.subtract({ days: day.dayOfWeek - 1 }).toString()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')

test('the owner sees the week with its jobs, never who the customer is; the technician sees no pay', async () => {
  const html = await read(owner.ask(at(pay)))
  for (const words of [
    'Next payout',
    ' left. ',
    'so far',
    'Form 1099',
    'This week',
    'a tire',
    'Enter bank details',
    'Total',
  ])
    expect(html).toContain(words)
  expect(html).not.toContain('@example')
  for (const path of [
    pay,
    `${pay}/${week}`,
    `${pay}/${week}/statement.csv`,
    `${pay}/${week}/statement.pdf`,
    `${pay}/bank`,
  ])
    expect((await technician.ask(at(path))).status, path).toBe(403)
  expect((await technician.ask(at(pay), { form: { about: `job:${jobId}`, words: 'Not mine to say.' } })).status).toBe(
    403,
  )
  expect((await technician.ask(at(`${pay}/bank`), { form: {} })).status).toBe(403)
  expect(await read(technician.ask(at(`/portal/${code}`)))).not.toContain(`href="${pay}"`)
})

test('a statement is a page, a CSV, and a PDF, and invalid weeks return 404', async () => {
  expect(await read(owner.ask(at(`${pay}/${week}`)))).toContain('Statement,')
  const csv = await owner.ask(at(`${pay}/${week}/statement.csv`))
  expect(csv.status).toBe(200)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(await csv.text()).toContain('Day,What,Order')
  const pdf = await owner.ask(at(`${pay}/${week}/statement.pdf`))
  expect(pdf.status).toBe(200)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
  for (const path of [`${pay}/2026-11-17`, `${pay}/x`, `${pay}/${week}/other.csv`, `${pay}/2026-02-30/statement.csv`])
    expect((await owner.ask(at(path))).status, path).toBe(404)
  for (const path of ['', '/bank', `/${week}`, `/${week}/statement.csv`])
    expect((await owner.ask(at(`/portal/SW-00005/pay${path}`))).status).toBe(404)
})

test('a dispute retains the input, is accepted once, and is answered by the back office', async () => {
  const page = await read(owner.ask(at(`${pay}?about=job:${jobId}`)))
  expect(page).toContain('Problem')
  // The deadline is seven days after the job, on the clock of the shop.
  expect(page).toMatch(/Send by \w{3}, \w{3} \d+, \d+:\d\d [AP]M [A-Z]{3,4}: 6 days 23 hours left/)
  expect(page).toMatch(/Dispute<\/a><span>until \w{3}, \w{3} \d+, \d+:\d\d [AP]M [A-Z]{3,4}/)
  const short = await owner.ask(at(pay), { form: { about: `job:${jobId}`, words: 'No' } })
  expect(short.status).toBe(422)
  expect(await read(short)).toContain('No</textarea>')
  const other = await owner.ask(at(pay), { form: { about: `job:${newId()}`, words: 'We mounted all four tires.' } })
  expect(other.status).toBe(422)
  const form = (photo: Uint8Array<ArrayBuffer>) => {
    const sent = new FormData()
    sent.append('about', `job:${jobId}`)
    sent.append('words', 'We mounted all four tires.')
    sent.append('photo', new File([photo], 'balance.jpg'))
    return sent
  }
  // The text stays when a photo is refused.
  for (const wrong of [new Uint8Array([1, 2, 3]), new Uint8Array(1_100_000)]) {
    const refused = await owner.ask(at(pay), { form: form(wrong) })
    expect(refused.status).toBe(422)
    expect(await read(refused)).toContain('We mounted all four tires.</textarea>')
  }
  const red = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const photo = new Uint8Array(red)
  const sent = await owner.ask(at(pay), { form: form(photo) })
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toBe(`${pay}?done=disputed`)
  expect((await owner.ask(at(pay), { form: form(photo) })).status).toBe(409)
  expect(await read(owner.ask(at(pay)))).toContain('Sent with a photo.')
  const again = await read(owner.ask(at(`${pay}?about=job:${jobId}`)))
  expect(again).toContain('You disputed this already.')
  expect(again).not.toContain('Send dispute')
  const office = await read(staff.ask(at(`/office/shop-pay/${code}`)))
  const dispute = /name="dispute" value="([0-9a-f-]{36})"/.exec(office)?.[1] ?? ''
  const picture = `/office/shop-pay/${code}/disputes/${dispute}/photo`
  expect(office).toContain(`href="${picture}"`)
  const shown = await staff.ask(at(picture))
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-type')).toBe('image/webp')
  for (const wrong of [
    `/office/shop-pay/SW-99999/disputes/${dispute}/photo`,
    `/office/shop-pay/${code}/disputes/x/photo`,
  ])
    expect((await staff.ask(at(wrong))).status, wrong).toBe(404)
  const answer = { intent: 'answer', dispute, submission: newId(), answer: 'You are right, four.', granted: '22.00' }
  expect((await staff.ask(at(`/office/shop-pay/${code}`), { form: answer })).status).toBe(303)
  expect((await staff.ask(at(`/office/shop-pay/${code}`), { form: answer })).status).toBe(409)
  const html = await read(owner.ask(at(pay)))
  for (const words of ['Dispute granted', 'You are right, four.', '$22.00']) expect(html).toContain(words)
})

test('the office lists shops, adjusts once, plans a rate, and has the totals of a year', async () => {
  expect(await read(staff.ask(at(`/office/shop-pay?after=${code.slice(0, -1)}`)))).toContain(code)
  const adjust = {
    intent: 'adjust',
    submission: newId(),
    kind: 'chargeback',
    amount: '10.00',
    job: jobId,
    reason: '=Bad work',
  }
  for (let press = 0; press < 2; press++)
    expect((await staff.ask(at(`/office/shop-pay/${code}`), { form: adjust })).status).toBe(303)
  const csv = await (await owner.ask(at(`${pay}/${week}/statement.csv`))).text()
  expect(csv.split('-10.00').length - 1).toBeGreaterThanOrEqual(1)
  expect(csv).not.toMatch(/(^|,)"?=Bad/m)
  const lacking = await staff.ask(at(`/office/shop-pay/${code}`), {
    form: { ...adjust, amount: 'ten', submission: newId() },
  })
  expect(lacking.status).toBe(422)
  expect(await read(lacking)).toContain('value="ten"')
  const rate = { job: 'standard', band: '2', state: 'IL', amount: '23.00', startsOn: '2099-01-05' }
  expect((await staff.ask(at('/office/pay-matrix'), { form: { ...rate, startsOn: '2026-01-01' } })).status).toBe(422)
  expect((await staff.ask(at('/office/pay-matrix'), { form: rate })).status).toBe(303)
  expect(await read(staff.ask(at('/office/pay-matrix')))).toContain('Jan 5, 2099')
  expect((await staff.ask(at('/office/shop-pay/none'))).status).toBe(404)
  const year = await staff.ask(at('/office/shop-pay-1099.csv?year=2026'))
  expect(year.status).toBe(200)
  expect(await year.text()).toContain('Paid, dollars')
})

test.for(staffRoles)('the pay of a shop as %s is open or refused as the table says', async (role) => {
  const visitor = createVisitor()
  await signInToOffice(store.origin, visitor, { email: `${role}@example.com` })
  const path = `/office/shop-pay/${code}`
  const may = staffCan([role], 'pay.read')
  expect((await visitor.ask(at(path))).status).toBe(may ? 200 : 403)
  expect((await visitor.ask(at(`${path}/disputes/${newId()}/photo`))).status).toBe(may ? 404 : 403)
  const guest = await createVisitor().ask(at(path))
  expect(guest.status).toBe(303)
  expect(guest.headers.get('location')).toBe(`/office/sign-in?back=${encodeURIComponent(path)}`)
})

test('bank details are entered at the provider, and its webhook makes the account ready', async () => {
  const opened = await owner.ask(at(`${pay}/bank`), { form: {} })
  const page = opened.headers.get('location') ?? ''
  expect(opened.status).toBe(303)
  expect(new URL(page, store.origin).pathname).toMatch(/^\/connect\//)
  const body = new URLSearchParams({ routing: '110000000', account: '000123456789' })
  const entered = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  expect(entered.headers.get('location')).toMatch(new RegExp(`${pay}/bank$`))
  const html = await eventually('the account', async () => {
    const text = await read(owner.ask(at(pay)))
    return text.includes('ending in 6789') ? text : undefined
  })
  expect(html).toContain('Change bank details')
  // An older sign-in requires signing in again.
  await store.database.db
    .updateTable('portal_session')
    .set({ authenticated_at: Temporal.Now.instant().subtract({ minutes: 11 }) })
    .execute()
  const stale = await owner.ask(at(`${pay}/bank`), { form: {} })
  expect(stale.status).toBe(303)
  expect(stale.headers.get('location')).toBe(`/portal/sign-in?back=${encodeURIComponent(pay)}&again=yes`)
  expect(await read(owner.ask(at(`/portal/sign-in?back=${encodeURIComponent(pay)}&again=yes`)))).toContain(
    'Confirm it’s you',
  )
})
