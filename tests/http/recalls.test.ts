/** Tests a recall without JavaScript from its import to the customer's answer and the shop's refusal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToToday, joinShop } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { permissions, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

type Job = { path: string; orderId: number; email: string; brand: string }
let store: RunningStore
let jobs: Job[]
const technician = createVisitor()
const staff = {} as Record<BuiltInRole, Visitor>

beforeAll(async () => {
  store = await startStore()
  const booked = await store.database.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .innerJoin('order_line', 'order_line.order_id', 'sales_order.id')
    .innerJoin('item', 'item.id', 'order_line.item_id')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .select(['booking.id', 'shop.id as shopId', 'shop.code', 'sales_order.email', 'brand.name as brand'])
    .select('sales_order.id as orderId')
    .where('booking.state', '=', 'confirmed')
    .where('sales_order.state', '=', 'confirmed')
    .where('order_line.kind', '=', 'tire')
    .orderBy('booking.during', 'desc')
    .execute()
  const [first] = booked
  // One is done before its recall, one comes after another; they are at different shops.
  const second = booked.find(({ shopId }) => shopId !== first?.shopId)
  if (!first || !second) throw new Error('The demo has too few jobs.')
  await signInToPortal(store.origin, technician, 'technician@example.com')
  jobs = []
  for (const { id, shopId, code, ...job } of [first, second]) {
    await joinShop(store.database, { shopId })
    await bringToToday(store.database, id, Temporal.Now.instant())
    jobs.push({ ...job, path: `/portal/${code}/jobs/${id}` })
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
const send = (job: Job, form: Record<string, string>) => technician.ask(at(job.path), { form })

/** Counts the pieces of a job, and brings its car in. */
async function begin(job: Job, tin = '7B3 KXYZ92 0126'): Promise<Record<string, string>> {
  for (;;) {
    const html = await read(technician.ask(at(job.path)))
    const rows = [...html.matchAll(/name="line" value="(\d+)".*?<output[^>]*>(\d+) of (\d+)</gs)]
    const lacking = rows.find(([, , received, quantity]) => received !== quantity)
    if (!lacking) break
    expect((await send(job, { intent: 'more', line: lacking[1] ?? '' })).status).toBe(303)
  }
  expect((await send(job, { intent: 'arrived' })).status).toBe(303)
  const html = await read(technician.ask(at(job.path)))
  const names = [...html.matchAll(/name="((?:tin|tread)-\d+-\d+)"/g)].map(([, name]) => name ?? '')
  const wheels = Object.fromEntries(names.map((name) => [name, name.startsWith('tin') ? tin : '4']))
  return { intent: 'finish', ...wheels, odometer: '41,836', signedName: 'Iris Vale', signed: 'yes' }
}

const list = '/office/recalls'
const page = `${list}/26T-004`
const campaign = (change: Record<string, string> = {}) => ({
  intent: 'add',
  campaign: '26t004',
  maker: jobNo(0).brand.toLowerCase(),
  line: '',
  sizes: '',
  defect: 'The tread may <b>separate</b>.',
  remedy: 'Any dealer of the maker replaces them.',
  ranges: 'Plant,Code,From,To\n7B3,KXYZ,5025,0226',
  ...change,
})

test('a campaign is imported with errors by field and row, and only by who may', async () => {
  const owner = staff.owner
  for (const role of staffRoles) {
    const mayManage = (permissions['recalls.manage'].roles as readonly BuiltInRole[]).includes(role)
    const answer = await staff[role].ask(at(list), { form: campaign({ ranges: 'x' }) })
    expect(answer.status, role).toBe(mayManage ? 422 : 403)
  }
  const wrong = await owner.ask(at(list), {
    form: campaign({ campaign: 'V-1', defect: '', ranges: '7B3,KXYZ,5025,0226\nI2,,0126,0226' }),
  })
  const said = await read(wrong)
  for (const words of [
    'Enter a number like 26T-004.',
    'Describe the problem with the tires.',
    'Row 2: the plant has 2 or 3 letters and digits, without I, O and Q.',
    'Any dealer of the maker replaces them.',
    'Fix 3 fields',
  ])
    expect(said).toContain(words)
  expect(await read(owner.ask(at(list), { form: campaign({ maker: 'Nobody' }) }))).toContain('Manufacturer not found.')
  for (const value of ["';--", '\0', '<b>', 'x'.repeat(60_000), '٣', '{{x}}'])
    for (const name of ['campaign', 'maker', 'line', 'sizes', 'ranges']) {
      const { status } = await owner.ask(at(list), { form: campaign({ campaign: '26T-900', [name]: value }) })
      expect(status, `${name} ${value.slice(0, 9)}`).toBeLessThan(500)
    }
})

test('buyers are notified once, see the recall on their order, and reply; shops can’t install recalled tires', async () => {
  const { owner, support } = staff
  const [bought, later] = [jobNo(0), jobNo(1)]
  const finished = await send(bought, await begin(bought))
  expect(finished.headers.get('location')).toContain('done=finished')

  const form = new FormData()
  for (const [name, value] of Object.entries(campaign({ ranges: '' }))) form.append(name, value)
  form.append('file', new File(['\uFEFFplant,code,from,to\r\n7B3,KXYZ,5025,0226\r\n'], 'ranges.csv'))
  expect((await owner.ask(at(list), { form })).headers.get('location')).toBe(`${page}?done=drafted`)
  expect((await owner.ask(at(list), { form: campaign() })).status).toBe(409)
  const draft = await read(support.ask(at(page)))
  for (const words of ['Draft', 'Plant 7B3, code KXYZ, weeks 50/25 to 02/26', '7B3 KXYZ92 0126', 'Not notified yet'])
    expect(draft).toContain(words)
  expect(draft).not.toContain('value="open"')
  expect((await support.ask(at(page), { form: { intent: 'open' } })).status).toBe(403)
  expect(await read(owner.ask(at(page)))).toContain('Publish and notify 1 customer')

  const opened = await Promise.all([1, 2, 3].map(() => owner.ask(at(page), { form: { intent: 'open' } })))
  expect(opened.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 409, 409])
  const mail = await newestMail(store, bought.email, 'Safety recall')
  expect(mail.text).toContain('TIN 7B3 KXYZ92 0126')
  const link = linkIn(mail, '/track-your-order/recall/')
  const guest = createVisitor()
  const told = await read(guest.ask(link))
  for (const words of [
    'Your tires are recalled.',
    'The tread may &lt;b&gt;separate',
    'TIN 7B3 KXYZ92 0126',
    'Any dealer of the maker',
  ])
    expect(told).toContain(words)
  expect((await guest.ask(link, { form: { campaign: '26T-004', answer: 'x' } })).status).toBe(422)
  expect((await guest.ask(link, { form: { campaign: '26T-005', answer: 'replaced' } })).status).toBe(404)
  expect((await guest.ask(link, { form: { campaign: 'x', answer: 'replaced' } })).status).toBe(400)
  expect((await guest.ask(link, { form: { campaign: '26T-004', answer: 'will-go' } })).status).toBe(303)
  expect(await read(guest.ask(link))).toContain('You answered: I will have them replaced.')
  const { pathname, search } = new URL(link)
  for (const path of [pathname, `${pathname.replace(/\d+$/, '1')}${search}`])
    expect((await createVisitor().ask(at(path))).headers.get('location')).toBe('/track-your-order?order=locked')
  const order = await read(guest.ask(at(`/track-your-order/result?order=${bought.orderId}&${search.slice(1)}`)))
  expect(order).toContain('Safety recall')
  expect(await read(owner.ask(at(page)))).toContain('I will have them replaced')
  expect(await read(owner.ask(at(`${page}?show=bounced`)))).toContain('No tires.')

  const fields = await begin(later, '9Z9 ABCDEF 0126')
  const another = `${list}/26T-005`
  const second = { campaign: '26T-005', maker: later.brand, ranges: '9Z9,,0126,0126' }
  expect((await owner.ask(at(list), { form: campaign(second) })).status).toBe(303)
  expect((await owner.ask(at(another), { form: { intent: 'open' } })).status).toBe(303)
  const refused = await send(later, fields)
  const words = await read(refused)
  expect(refused.status).toBe(409)
  expect(words).toContain('Do not fit: recall 26T-005.')
  expect(words).toContain('value="41,836"')
  expect((await owner.ask(at(page), { form: { intent: 'extend', ranges: '7B3,KXYZ' } })).status).toBe(422)
  expect((await owner.ask(at(page), { form: { intent: 'extend', ranges: '8Y8,,0126,0226' } })).status).toBe(303)
  expect((await owner.ask(at(another), { form: { intent: 'close' } })).status).toBe(303)
  expect((await owner.ask(at(another), { form: { intent: 'close' } })).status).toBe(409)
  expect((await send(later, fields)).headers.get('location')).toContain('done=finished')
  expect(await read(owner.ask(at('/office/audit?what=recall.opened')))).toContain('26T-004')
  await eventually('the told buyer', async () => {
    const keys = await store.database.db
      .selectFrom('message')
      .select('key')
      .where('kind', '=', 'recall-notice')
      .execute()
    return keys.length === 1 ? true : undefined
  })
  for (const path of [`${list}/26T-999`, `${list}/x`, `${list}/%00`])
    expect([400, 404]).toContain((await owner.ask(at(path))).status)
})

test('the list and the API page through every recall', async () => {
  const { owner } = staff
  const campaigns = Array.from({ length: 101 }, (_, index) => `27T-${String(index + 1).padStart(3, '0')}`)
  for (const number of campaigns)
    expect((await owner.ask(at(list), { form: campaign({ campaign: number }) })).status).toBe(303)
  const listed: string[] = []
  for (let next: string | undefined = list; next !== undefined;) {
    const html = await read(owner.ask(at(next)))
    listed.push(...html.matchAll(/href="\/office\/recalls\/(27T-\d{3})"/g).map(([, number = '']) => number))
    next = /<a[^>]*href="([^"]+)"[^>]*rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  }
  expect([...new Set(listed)]).toEqual(campaigns.toReversed())

  await addAdminClient(store, owner, 'owner')
  const token = await requestAdminToken(store, 'recalls.read')
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await callAdminApi(store, token, [
      'GET',
      `/recalls?limit=20${cursor === '' ? '' : `&cursor=${cursor}`}`,
    ])
    ids.push(...(body['rows'] as { id: string }[]).map(({ id }) => id))
    cursor = body['next'] as string | null
  }
  expect(ids.filter((id) => id.startsWith('27T'))).toEqual(campaigns.toReversed())
})
