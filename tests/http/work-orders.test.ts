/**
 * Tests every work order action by role over HTTP and without JavaScript, with other shops' jobs, hostile input, and
 * the office. Over 400 lines: one shop's jobs.
 */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToToday, joinShop, moveToToday } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { permissions, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { orderKey } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

const roles = { owner: 'shop-owner@example.com', technician: 'technician@example.com' }
type Job = { bookingId: string; orderId: number; shopCode: string; start: Temporal.Instant; path: string }

let store: RunningStore
let jobs: Job[]
const members = {} as Record<keyof typeof roles, Visitor>
const staff = {} as Record<BuiltInRole, Visitor>
beforeAll(async () => {
  store = await startStore()
  const { db } = store.database
  const booked = await db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select(['booking.id', 'booking.order_id as orderId', 'shop.id as shopId', 'shop.code', 'sales_order.email'])
    .select(({ fn }) => fn<Temporal.Instant>('lower', ['during']).as('start'))
    .where('booking.state', '=', 'confirmed')
    .where('sales_order.state', '=', 'confirmed')
    .where('shop.code', '<>', 'SW-00001')
    // Mobile installers see the address.
    .where('booking.kind', '<>', 'mobile')
    .orderBy('booking.during', 'desc')
    .execute()
  for (const email of Object.values(roles))
    for (const { shopId } of booked) await joinShop(store.database, { shopId, email })
  jobs = booked.map(({ id, orderId, code, start }) => ({
    bookingId: id,
    orderId: orderId ?? 0,
    shopCode: code,
    start,
    path: `/portal/${code}/jobs/${id}`,
  }))
  for (const [role, email] of Object.entries(roles)) {
    members[role as keyof typeof roles] = createVisitor()
    await signInToPortal(store.origin, members[role as keyof typeof roles], email)
  }
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const jobNo = (index: number): Job => {
  const job = jobs[index]
  if (!job) throw new Error(`There is no job ${index}.`)
  return job
}
const send = (job: Job, form: Record<string, string>, who: Visitor = members.technician) =>
  who.ask(at(job.path), { form })

/** The address of a job's order in the emails to its buyer. */
function trackPath({ orderId }: Job): string {
  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const key = orderKey(config.value.session.secret, orderId, Temporal.Now.instant())
  return `/track-your-order/result?order=${orderId}&key=${encodeURIComponent(key)}`
}

/** The fields of the tires on a page, each filled in. */
function wheelFields(html: string, tin = '7B3 KXYZ92 0126'): Record<string, string> {
  const names = [...html.matchAll(/name="((?:tin|tread)-\d+-\d+)"/g)].map(([, name]) => name ?? '')
  return Object.fromEntries(names.map((name) => [name, name.startsWith('tin') ? tin : '4']))
}

/** Counts every piece of a job by its buttons. */
async function countAll(job: Job): Promise<void> {
  for (;;) {
    const html = await read(members.technician.ask(at(job.path)))
    const rows = [...html.matchAll(/name="line" value="(\d+)".*?<output[^>]*>(\d+) of (\d+)</gs)]
    const lacking = rows.find(([, , received, quantity]) => received !== quantity)
    if (!lacking) return
    expect((await send(job, { intent: 'more', line: lacking[1] ?? '' })).status).toBe(303)
  }
}

const acts = [
  'save',
  'check',
  'vin-matches',
  'finish',
  'scan',
  'more',
  'less',
  'report',
  'late',
  'arrived',
  'in-bay',
  'no-show',
]
const endings = ['wrong-vehicle', 'wrong-tires', 'refused']

test('a job is visible only to its shop, others get 404, and guests sign in', async () => {
  const own = jobNo(0)
  // The same user's other shop has only its own jobs, and other shops' jobs return 404.
  const unknown = [
    `/portal/SW-00001/jobs/${own.bookingId}`,
    `/portal/SW-00000/jobs/${own.bookingId}`,
    `/portal/${own.shopCode}/jobs/x`,
    `/portal/${own.shopCode}/jobs/${newId()}`,
  ]
  for (const who of Object.values(members)) {
    expect((await who.ask(at(own.path))).status).toBe(200)
    for (const path of unknown) {
      expect((await who.ask(at(path))).status, path).toBe(404)
      for (const intent of [...acts, ...endings])
        expect((await who.ask(at(path), { form: { intent } })).status, `${path} ${intent}`).toBe(404)
    }
  }
  for (const form of [undefined, { intent: 'arrived' }]) {
    const answer = await createVisitor().ask(at(own.path), form ? { form } : {})
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/portal/sign-in?back=${encodeURIComponent(own.path)}`)
  }
  const touched = await store.database.db
    .selectFrom('work_order')
    .select('booking_id')
    // The demo's jobs are complete.
    .where('state', 'not in', ['done', 'no-show'])
    .execute()
  expect(touched).toEqual([])
})

test('the work order shows tasks and prepaid items, and only the buyer’s first name', async () => {
  const job = jobNo(0)
  const html = await read(members.technician.ask(at(job.path)))
  const order = await store.database.db
    .selectFrom('sales_order')
    .select(['first_name', 'last_name', 'email', 'address1', 'total_cents'])
    .where('id', '=', job.orderId)
    .executeTakeFirstOrThrow()
  for (const words of [
    `PO ${job.orderId}-1`,
    `${order.first_name} ${order.last_name.slice(0, 1)}.`,
    'Prepaid. Do not collect.',
    'never on our receipt',
    'VIN, last 8',
    'Torque',
    'TPMS',
    'Pieces received',
  ])
    expect(html).toContain(words)
  // The draft script of every portal page, one for signatures, and one for photos. Every action works without them.
  expect(html.match(/<script[^>]*>/g)).toEqual([
    expect.stringMatching(/^<script type="module" src="\/assets\/drafts-/),
    expect.stringMatching(/^<script type="module" src="\/assets\/job-fill-/),
    expect.stringMatching(/^<script type="module" src="\/assets\/job-sign-/),
    expect.stringMatching(/^<script type="module" src="\/assets\/photo-field-/),
  ])
  for (const secret of [order.last_name, order.email, order.address1, (order.total_cents / 100).toFixed(2)])
    expect(html).not.toContain(secret)
})

test('invalid input shows errors at fields, and hostile fields never return 500', async () => {
  const job = jobNo(1)
  const html = await read(members.technician.ask(at(job.path)))
  const [name = ''] = Object.keys(wheelFields(html))
  const old = await send(job, { intent: 'save', [name]: '1ABC SDWL 1420', odometer: 'a lot' })
  expect(old.status).toBe(422)
  const shown = await read(old)
  for (const words of [
    'We do not sell tires older than 6 years',
    'value="1ABC SDWL 1420"',
    'value="a lot"',
    'Fix 2 fields',
  ])
    expect(shown).toContain(words)
  expect(await read(await send(job, { intent: 'save', [name]: '1ABC SDWL 5299' }))).toContain('is in the future')
  const hostile = ["';--", '\0', '<b>', 'x'.repeat(5_000), '-1', '٣', '1e9', '{{x}}']
  for (const intent of [...acts.filter((each) => each !== 'arrived' && each !== 'in-bay'), 'nothing', ''])
    for (const value of hostile) {
      const form = {
        intent,
        [name]: value,
        odometer: value,
        torque: value,
        code: value,
        signedName: value,
        scanned: value,
        line: value,
      }
      const { status } = await send(job, {
        ...form,
        kind: value,
        reportLine: value,
        count: value,
        key: value,
        note: value,
      })
      expect(status, `${intent} ${value.slice(0, 9)}`).toBeLessThan(500)
    }
})

test('a TIN entered once is saved for every tire on its line without script', async () => {
  const job = jobNo(1)
  const html = await read(members.technician.ask(at(job.path)))
  const [, box = '', line = ''] = /name="(same-tin-(\d+))"/.exec(html) ?? []
  const tins = [...html.matchAll(/name="(tin-(\d+)-\d+)"/g)].filter(([, , of]) => of === line)
  expect(tins.length).toBeGreaterThan(1)
  const [[, first = ''] = []] = tins
  const wrong = await send(job, { intent: 'save', [box]: 'yes', [first]: '7B3 KXYZ92 9926' })
  expect(wrong.status).toBe(422)
  const said = await read(wrong)
  expect(said).toContain('Week 99 doesn’t exist. Enter the last four digits as week and year.')
  expect(said).toContain('Fix 1 field')
  expect((await send(job, { intent: 'save', [box]: 'yes', [first]: '7B3 KXYZ92 0126' })).status).toBe(303)
  const saved = await read(members.technician.ask(at(job.path)))
  expect(saved.match(/value="7B3 KXYZ92 0126"/g)).toHaveLength(tins.length)
  expect(saved).not.toContain(`name="${box}"`)
})

test('the order’s VIN is confirmed with one tap, which saves the rest', async () => {
  const job = jobNo(2)
  const page = () => read(members.technician.ask(at(job.path)))
  expect(await page()).not.toContain('value="vin-matches"')
  const recorded = await staff.support.ask(at(`/office/orders/${job.orderId}?act=vin`), {
    form: { intent: 'vin', vin: '1HGCM82633A004352' },
  })
  expect(recorded.status).toBe(303)
  expect(await page()).toContain('value="vin-matches"')
  const wrong = await send(job, { intent: 'vin-matches', odometer: 'a lot' })
  expect(wrong.status).toBe(422)
  const matched = await send(job, { intent: 'vin-matches', odometer: '41,836', torque: '76 lb-ft' })
  expect(matched.headers.get('location')).toMatch(/done=saved#car$/)
  const html = await page()
  expect(html).toMatch(/job-ok"><svg[^]*?<\/svg> Matches/)
  expect(html).toContain('value="41,836"')
  expect(html).toContain('name="torque" value="76"')
  expect(html).toContain('value="3A004352"')
  expect(html).not.toContain('value="vin-matches"')
})

test('a claim code is tried a few times and no more; then the customer signs', async () => {
  const job = jobNo(1)
  expect(await read(await send(job, { intent: 'check' }))).toContain('Enter the 6 digits that the customer shows.')
  const answers = []
  for (let count = 0; count < 8; count += 1) answers.push(await send(job, { intent: 'check', code: '000 000' }))
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 409, 409, 409])
  // The buyer's own page has it, spaced as they read it out.
  expect(await read(createVisitor().ask(at(trackPath(job))))).toMatch(/Claim code <b class="tabular">\d{3} \d{3}</)
  const html = await read(members.technician.ask(at(job.path)))
  expect(html).toContain('No tries are left. Take a signature.')
  expect(html).not.toContain('name="code"')
})

test('pieces are scanned, counted and reported with a photo; the office answers, the shop reads it, and it is closed', async () => {
  const job = jobNo(2)
  const before = await read(members.technician.ask(at(job.path)))
  const line = /name="line" value="(\d+)"/.exec(before)?.[1] ?? ''
  expect((await send(job, { intent: 'more', line })).headers.get('location')).toContain('done=counted')
  expect((await send(job, { intent: 'scan', scanned: 'no such number' })).status).toBe(422)
  const { sku } = await store.database.db
    .selectFrom('order_line')
    .innerJoin('item', 'item.id', 'order_line.item_id')
    .select('item.sku')
    .where('order_id', '=', job.orderId)
    .executeTakeFirstOrThrow()
  expect((await send(job, { intent: 'scan', scanned: sku })).status).toBe(303)
  expect(await read(members.owner.ask(at(job.path)))).toMatch(/2 of \d counted/)

  const key = /name="key" value="([^"]+)"/.exec(before)?.[1] ?? ''
  const report = async (photo: Uint8Array<ArrayBuffer> | null) => {
    const form = new FormData()
    const fields = {
      intent: 'report',
      key,
      kind: 'damaged',
      reportLine: line,
      count: '1',
      note: 'A cut in the sidewall',
    }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    if (photo) form.append('photo', new File([photo], 'cut.jpg'))
    return members.technician.ask(at(job.path), { form })
  }
  const lacking = await report(null)
  expect(lacking.status).toBe(422)
  expect(await read(lacking)).toContain('Add a photo of the damage.')
  expect((await report(new Uint8Array([1, 2, 3]))).status).toBe(422)
  expect((await report(new Uint8Array(1_100_000))).status).toBe(422)
  const red = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const sent = await Promise.all([report(new Uint8Array(red)), report(new Uint8Array(red))])
  expect(sent.map(({ status }) => status)).toEqual([303, 303])
  const kept = await store.database.db.selectFrom('shop_report').select('id').execute()
  expect(kept).toHaveLength(1)

  const path = `/office/shop-reports/R-${kept[0]?.id}`
  for (const role of staffRoles) {
    const may = (permissions['shop-reports.read'].roles as readonly BuiltInRole[]).includes(role)
    for (const page of [path, `${path}/photo`, '/office/shop-reports'])
      expect((await staff[role].ask(at(page))).status, `${role} ${page}`).toBe(may ? 200 : 403)
  }
  expect((await staff.support.ask(at(`${path}/photo`))).headers.get('content-type')).toBe('image/webp')
  expect(await read(staff.support.ask(at('/office')))).toContain('Shop reports')
  expect((await staff.support.ask(at(path), { form: { intent: 'answer', answer: ' ' } })).status).toBe(422)
  const answer = 'Two more come tomorrow <b>early</b>.'
  expect((await staff.support.ask(at(path), { form: { intent: 'answer', answer } })).status).toBe(303)
  expect(await read(members.technician.ask(at(job.path)))).toContain('Two more come tomorrow &lt;b&gt;early')
  expect((await staff.support.ask(at(path), { form: { intent: 'close' } })).status).toBe(303)
  expect((await staff.support.ask(at(path), { form: { intent: 'close' } })).status).toBe(409)
  expect(await read(staff.owner.ask(at('/office/audit?what=shop-report.closed')))).toContain(`R-${kept[0]?.id}`)
  expect(await read(staff.owner.ask(at('/office/export/shop-reports?state=closed')))).toContain('A cut in the sidewall')
  for (const wrong of ['R-999999', 'R-x', '%00'])
    expect([404, 400]).toContain((await staff.owner.ask(at(`/office/shop-reports/${wrong}`))).status)
})

test('a car cannot be here before its day, nor before its tires are delivered and counted', async () => {
  const [far, job] = [jobNo(0), jobNo(3)]
  expect(await read(members.technician.ask(at(far.path)))).toContain('The car can be marked as here from ')
  const early = await send(far, { intent: 'arrived' })
  expect(early.status).toBe(409)
  expect(await read(early)).toContain('The car can be marked as here from ')
  await bringToToday(store.database, job.bookingId, Temporal.Now.instant())
  const uncounted = await send(job, { intent: 'arrived' })
  expect(uncounted.status).toBe(409)
  expect(await read(uncounted)).toContain('tires are counted. Count them all first.')
  expect((await send(far, { intent: 'late', late: '30' })).status).toBe(409)
  expect(await read(members.technician.ask(at(far.path)))).not.toContain('Running late: tell')
  const told = await send(job, { intent: 'late', late: '30' })
  expect(told.headers.get('location')).toContain('done=told')
  expect((await send(job, { intent: 'late', late: '15' })).status).toBe(422)
  const html = await read(members.technician.ask(at(job.path)))
  expect(html).toContain('that you’re running about 30 minutes late.')
  expect(html).not.toContain('>About 15 minutes</option>')
  expect(html).toContain('Customer notified of a delay: 30 minutes')
  expect(await read(members.technician.ask(at(job.path)))).not.toContain('value="arrived"')
  await countAll(job)
  expect(await read(members.technician.ask(at(job.path)))).toContain('value="arrived"')
})

test('a job goes from the day to done once everything is there; the buyer sees the tires, the maker gets them once', async () => {
  const job = jobNo(3)
  const zone = await store.database.db
    .selectFrom('shop')
    .select('time_zone')
    .where('code', '=', job.shopCode)
    .executeTakeFirstOrThrow()
  const day = Temporal.Now.zonedDateTimeISO(zone.time_zone).toPlainDate().toString()
  expect(await read(members.technician.ask(at(`/portal/${job.shopCode}?on=${day}`)))).toContain(`href="${job.path}"`)
  expect((await send(job, { intent: 'in-bay' })).status).toBe(409)
  const version = () => members.owner.ask(at(`/portal/${job.shopCode}/day/version`)).then(read)
  const before = await version()
  // The owner reads what the job earns before it is done; a technician reads no pay.
  const payPage = () => members.owner.ask(at(`/portal/${job.shopCode}/pay`)).then(read)
  const earned = /You earn<\/dt><dd>(\$[\d,]+\.\d\d)</.exec(await read(members.owner.ask(at(job.path))))?.[1] ?? 'none'
  const number = `S-${job.orderId}`
  const [ahead = '', statement = ''] = (await payPage()).split('id="week"')
  expect(ahead).toContain(`>${number}</a>`)
  expect(ahead).toContain(`<dd>${earned}</dd>`)
  expect(ahead).toContain('There are no extra payments.')
  expect(statement).not.toContain(`Job, ${number}`)
  expect(await read(members.technician.ask(at(job.path)))).not.toMatch(/Your pay|You earn/)
  expect(await read(members.technician.ask(at(`/portal/${job.shopCode}?on=${day}`)))).not.toContain('for the day')
  for (const intent of ['arrived', 'arrived', 'in-bay']) expect((await send(job, { intent })).status).toBe(303)
  // Other devices see the change, because the day view shows the job's state and a new version.
  const ownDay = await read(members.owner.ask(at(`/portal/${job.shopCode}?on=${day}`)))
  expect(ownDay).toContain('>In bay</p>')
  expect(ownDay).toContain(`You earn <b>${earned}</b><span>4 at $`)
  expect(await version()).not.toBe(before)
  const fields = wheelFields(await read(members.technician.ask(at(job.path))))
  const [first = '', ...others] = Object.keys(fields)
  const partly = await send(job, {
    intent: 'finish',
    ...Object.fromEntries(others.map((name) => [name, fields[name] ?? ''])),
  })
  const said = await read(partly)
  expect(partly.status).toBe(422)
  expect(said).toContain('Saved, and not finished: 3 things are missing.')
  // The input was saved, so the missing parts complete it.
  const rest = { intent: 'finish', [first]: fields[first] ?? '', odometer: '41,836', signedName: 'Iris Vale' }
  expect((await send(job, rest)).status).toBe(422)
  const finished = await Promise.all([1, 2, 3].map(() => send(job, { ...rest, signed: 'yes' }, members.owner)))
  expect(finished.map((answer) => [answer.status, answer.headers.get('location')])).toEqual(
    Array.from({ length: 3 }, () => [303, `${job.path}?done=finished`]),
  )
  // The statement has the same amount, and the job is no longer ahead.
  const [left = '', paid = ''] = (await payPage()).split('id="week"')
  expect(left).not.toContain(`>${number}</a>`)
  expect(paid.slice(paid.indexOf(`Job, ${number}`))).toMatch(
    new RegExp(`^[^$]*(?:\\$[\\d.]+ a tire[^$]*)+\\${earned}<`),
  )
  expect(await read(members.owner.ask(at(job.path)))).toContain(`You earn</dt><dd>${earned}</dd>`)
  const done = await read(members.technician.ask(at(job.path)))
  expect(done).not.toContain('value="finish"')
  expect((await send(job, { intent: 'save', odometer: '1' })).status).toBe(409)
  expect((await send(job, { intent: 'refused', because: 'rim' })).status).toBe(409)

  const { brand, count } = await store.database.db
    .selectFrom('tire_registration')
    .select(({ fn }) => ['brand', fn.countAll<number>().as('count')])
    .where('order_id', '=', job.orderId)
    .groupBy('brand')
    .executeTakeFirstOrThrow()
  expect(count).toBe(Object.keys(fields).length / 2)
  const bought = await read(createVisitor().ask(at(trackPath(job))))
  for (const words of ['On your car', 'TIN 7B3 KXYZ92 0126', 'Registered for you with the maker'])
    expect(bought).toContain(words)

  const list = '/office/tire-registrations'
  for (const role of staffRoles) {
    const may = (permissions['tire-registrations.export'].roles as readonly BuiltInRole[]).includes(role)
    const answer = await staff[role].ask(at(list), { form: { maker: 'Nobody' } })
    expect(answer.status, role).toBe(may ? 409 : 403)
  }
  expect(await read(staff.support.ask(at(list)))).toContain('7B3 KXYZ92 0126')
  const made = await Promise.all([1, 2].map(() => staff.owner.ask(at(list), { form: { maker: brand } })))
  expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 409])
  const no = /done=(\d+)/.exec(made.map((answer) => answer.headers.get('location')).join(''))?.[1] ?? ''
  const file = await staff.owner.ask(at(`${list}/exports/${no}`))
  expect(file.status).toBe(200)
  expect((await file.text()).match(/7B3KXYZ920126/g)?.length).toBe(count)
  expect((await staff.support.ask(at(`${list}/exports/${no}`))).status).toBe(403)
  expect((await staff.owner.ask(at(`${list}/exports/999`))).status).toBe(404)
  expect(await read(staff.owner.ask(at('/office/audit?what=tire-registrations.exported')))).toContain(`export ${no}`)
})

test('a shop sends photos of a car that is there, and staff see them on the order', async () => {
  const job = jobNo(2)
  const red = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const sendPhoto = (kind: string, bytes: Uint8Array<ArrayBuffer> | null = new Uint8Array(red)) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ intent: 'photo', kind })) form.append(name, value)
    if (bytes) form.append('photo', new File([bytes], 'front.jpg'))
    return members.technician.ask(at(job.path), { form })
  }
  const early = await sendPhoto('front')
  expect(early.status).toBe(409)
  expect(await read(early)).toContain('Mark the car as here first, then send the photo.')
  const now = Temporal.Now.instant()
  await moveParcels(store.database, await moveToToday(store.database, job.bookingId, now, 5), 'delivered', now)
  await countAll(job)
  expect((await send(job, { intent: 'arrived' })).status).toBe(303)

  const wrong = { none: null, unreadable: new Uint8Array([1, 2, 3]), large: new Uint8Array(1_100_000) }
  const refusals: unknown[] = []
  for (const bytes of Object.values(wrong)) {
    const answer = await sendPhoto('front', bytes)
    const html = await read(answer)
    refusals.push([answer.status, html.includes('id="photo-front-error"'), html.includes('0 of 3')])
  }
  expect(refusals).toEqual(Object.keys(wrong).map(() => [422, true, true]))
  expect((await sendPhoto('roof')).status).toBe(400)
  for (const kind of ['front', 'front', 'old'])
    expect((await sendPhoto(kind)).headers.get('location')).toBe(`${job.path}?done=photo#photos`)
  const page = await read(members.technician.ask(at(job.path)))
  expect(page).toContain('2 of 3')
  expect(page).toContain('Saved: Photo, Front, mounted')
  const picture = await members.owner.ask(at(`${job.path}/photos/front`))
  expect(picture.headers.get('content-type')).toBe('image/webp')
  for (const path of [
    `${job.path}/photos/rear`,
    `${job.path}/photos/x`,
    `/portal/SW-00001/jobs/${job.bookingId}/photos/front`,
  ])
    expect((await members.owner.ask(at(path))).status, path).toBe(404)
  expect((await createVisitor().ask(at(`${job.path}/photos/front`))).status).toBe(303)

  const order = `/office/orders/${job.orderId}`
  const photo = `${order}/photos/${job.bookingId}/front`
  for (const role of staffRoles) {
    const may = (permissions['shop-reports.read'].roles as readonly BuiltInRole[]).includes(role)
    expect((await staff[role].ask(at(photo))).status, role).toBe(may ? 200 : 403)
    const html = await read(staff[role].ask(at(order)))
    expect(html.includes(`src="${photo}"`), role).toBe(may)
  }
  for (const path of [`/office/orders/${job.orderId + 1}/photos/${job.bookingId}/front`, `${order}/photos/x/front`])
    expect((await staff.owner.ask(at(path))).status, path).toBe(404)
})

test('a declined job emails the shopper a link and waits for the back office', async () => {
  const job = jobNo(4)
  expect((await send(job, { intent: 'refused' })).status).toBe(422)
  expect((await send(job, { intent: 'refused', because: 'other' })).status).toBe(422)
  const early = await send(job, { intent: 'no-show' })
  const isEarly = Temporal.Instant.compare(job.start.add({ minutes: 15 }), Temporal.Now.instant()) > 0
  if (isEarly) {
    expect(early.status).toBe(409)
    expect(await read(early)).toContain('is a no-show from')
  }
  const form = { intent: 'refused', because: 'rim', 'why-refused': 'Left rear, on the inner lip' }
  for (let count = 0; count < 2; count += 1) expect((await send(job, form)).status).toBe(303)
  const { email } = await store.database.db
    .selectFrom('sales_order')
    .select('email')
    .where('id', '=', job.orderId)
    .executeTakeFirstOrThrow()
  const mail = await newestMail(store, email, 'Choose again')
  expect(mail.text).toContain('A rim is bent or cracked. Left rear, on the inner lip')
  const opened = await createVisitor().ask(linkIn(mail, '/appointment/'))
  expect(opened.status).toBe(200)
  expect(await read(opened)).toContain('cannot do the job')
  expect(await read(staff.support.ask(at('/office')))).toContain('Jobs not completed')
})
