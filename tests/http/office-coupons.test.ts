/** Coupons and price lists as staff make them in the office, and a code as shoppers enter it. */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions, staffRoles, type Permission, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')

/** A time in the store's zone, as the form sends it. */
const timeIn = (hours: number) =>
  Temporal.Now.zonedDateTimeISO('America/New_York')
    .add({ hours })
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })

const coupon = {
  formKey: randomUUID(),
  code: 'autumn 15',
  name: 'Autumn',
  kind: 'Percentage',
  amount: '15',
  subject: '',
  fundedBy: 'store',
  stacks: 'yes',
  usesMost: '10',
  personMost: '1',
  replaces: '',
}

/** A shopper with four tires in the cart. */
async function shopper(): Promise<Visitor> {
  const { id } = await store.database.db
    .selectFrom('item')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select('item.id')
    .where('on_hand', '>=', 8)
    .where('active', '=', true)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const visitor = createVisitor()
  await visitor.ask(at('/zip'), { form: { zip: '60614' } })
  await visitor.ask(at('/cart'), { form: { item: String(id), quantity: '4', axle: 'all' } })
  return visitor
}

test('exported drafts are edited and imported, and a file with errors names their lines', async () => {
  const send = (text: string, who: Visitor = staff.sales) => {
    const form = new FormData()
    form.append('intent', 'import')
    form.append('file', new Blob([text]), 'coupons.csv')
    return who.ask(at('/office/coupons/import'), { form })
  }
  const head =
    'Code,Name,Kind,Amount,Subject,Funded by,Combines with promotions,Minimum in dollars,Suggested to customers,Maximum uses,Maximum per customer'
  const drafted = await send(`${head}\nFILE20,Twenty off,Flat Amount,20,,store,yes,,no,100,1\n`)
  expect(drafted.headers.get('location')).toBe('/office/coupons?state=draft&done=imported')
  expect(await read(staff.sales, '/office/coupons?state=draft&done=imported')).toContain('Coupons imported.')
  const exported = await (await staff.sales.ask(at('/office/coupons.csv?state=draft'))).text()
  expect(exported).toContain('FILE20')
  expect((await send(exported)).headers.get('location')).toBe('/office/coupons?state=draft&done=imported-same')
  const running = await (await staff.sales.ask(at('/office/coupons.csv?state=running'))).text()
  expect(running.split('\r\n').length).toBeGreaterThan(2)
  expect((await send(running)).headers.get('location')).toBe('/office/coupons?state=draft&done=imported-same')
  const wrong = await send(exported.replace(',20.00,', ',much,'))
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toMatch(/Line \d+, Amount: Enter dollars off the order/)
  const changed = await send(exported.replace(',20.00,', ',25,'))
  expect(changed.headers.get('location')).toBe('/office/coupons?state=draft&done=imported')
  expect(await read(staff.sales, '/office/coupons?state=draft')).toContain('$25.00 off the order')
  expect(await (await send(exported.replace(',20.00,', ',30,'))).text()).toContain('changed after the export')
  expect(await (await send('x'.repeat(300 * 1024))).text()).toContain('The file is larger than 256 kB.')
  expect((await send(exported, staff.finance)).status).toBe(403)
})

test('only roles with the permission read each list and its file', async () => {
  const pages: [string, Permission][] = [
    ['/office/coupons', 'promotions.read'],
    ['/office/coupons.csv', 'promotions.read'],
    ['/office/promotions.csv', 'promotions.read'],
    ['/office/map-prices.csv', 'promotions.read'],
    ['/office/price-lists', 'price-lists.read'],
    ['/office/price-lists.csv', 'price-lists.read'],
    ['/office/price-lists/fleets/1/rules.csv', 'price-lists.read'],
  ]
  for (const [path, permission] of pages)
    for (const role of staffRoles) {
      const may = (permissions[permission].roles as readonly BuiltInRole[]).includes(role)
      expect((await staff[role].ask(at(path))).status, `${path} ${role}`).toBe(may ? 200 : 403)
    }
})

test('a coupon is drafted, tested and scheduled, and lowers the price of a cart that has it', async () => {
  const refused = await staff.sales.ask(at('/office/coupons/new'), { form: { ...coupon, code: 'a', usesMost: 'many' } })
  expect(refused.status).toBe(422)
  const words = await refused.text()
  for (const fault of ['4 to 20 letters', '1 to 1,000,000 uses', 'value="Autumn"']) expect(words).toContain(fault)

  const made = await staff.sales.ask(at('/office/coupons/new'), { form: coupon })
  const path = made.headers.get('location')?.split('?')[0] ?? ''
  expect(path).toMatch(/^\/office\/coupons\/\d+$/)
  const { sku } = await store.database.db.selectFrom('item').select('sku').orderBy('id').executeTakeFirstOrThrow()
  expect(await read(staff.sales, `${path}?cart=${sku}+4&state=IL`)).toContain('With discount')

  const visitor = await shopper()
  const enter = (code: string) => visitor.ask(at('/cart'), { form: { intent: 'enter-coupon', coupon: code } })
  const early = await enter('AUTUMN15')
  expect(early.status).toBe(422)
  expect(await early.text()).toContain('t find this code.')

  const schedule = { intent: 'schedule', version: '1', startsAt: timeIn(1), endsAt: timeIn(50) }
  expect((await staff.finance.ask(at(path), { form: schedule })).status).toBe(403)
  // 15 % leaves some tires with less than the minimum margin.
  const requested = await staff.sales.ask(at(path), { form: schedule })
  expect(requested.headers.get('location')).toBe(`${path}?done=requested`)
  expect(await read(staff.manager, path)).toContain('Waiting for a second person')
  const approved = await staff.manager.ask(at(path), { form: schedule })
  expect(approved.headers.get('location')).toBe(`${path}?done=scheduled`)
  expect(await read(staff.finance, '/office/coupons?state=scheduled')).toContain('AUTUMN15')
})

test('a code is entered and removed in the cart, and tries are counted before the look-up', async () => {
  const visitor = await shopper()
  const post = (form: Record<string, string>) => visitor.ask(at('/cart'), { form })
  expect(await read(visitor, '/cart')).toContain('Promo coupons apply to eligible items only.')
  expect((await post({ intent: 'enter-coupon', coupon: 'welcome10' })).status).toBe(303)
  expect(await read(visitor, '/cart')).toContain('Coupon <b>WELCOME10</b>')
  expect((await post({ intent: 'remove-coupon' })).status).toBe(303)
  expect(await read(visitor, '/cart')).toContain('name="coupon"')
  let last = 0
  for (let count = 0; count <= rateLimits.coupon.counts.network && last !== 429; count += 1)
    last = (await post({ intent: 'enter-coupon', coupon: 'GUESS' + String(count) })).status
  expect(last).toBe(429)
  const late = await post({ intent: 'enter-coupon', coupon: 'WELCOME10' })
  expect(late.status).toBe(429)
  expect(late.headers.has('retry-after')).toBe(true)
})

test('a price list is uploaded, compared, scheduled and withdrawn', async () => {
  const form = { intent: 'upload', formKey: randomUUID(), name: 'Spring' }
  const csv = (rows: string) => `scope,target,kind,percent,amount,starts,ends\n${rows}`
  const upload = (text: string) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(form)) body.set(name, value)
    body.set('file', new File([text], 'list.csv', { type: 'text/csv' }))
    return staff.finance.ask(at('/office/price-lists/fleets'), { form: body })
  }
  const refused = await upload(csv('brand,no-such,fixed,,1.00,2026-01-01,'))
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('there is no brand no-such')
  const made = await upload(csv('every-tire,,fixed,,1.00,2026-01-01,'))
  const path = made.headers.get('location')?.split('?')[0] ?? ''
  expect(path).toMatch(/^\/office\/price-lists\/fleets\/\d+$/)
  expect((await upload(csv('every-tire,,fixed,,1.00,2026-01-01,'))).headers.get('location')).toContain(path)

  const page = await read(staff.finance, path)
  expect(page).toContain('Difference from today')
  expect(page).toContain('Sell below the minimum price or our cost')
  expect(await read(staff.finance, `${path}/rules.csv`)).toContain('every-tire,,fixed,,1.00,2026-01-01,')
  const schedule = { intent: 'schedule', startsAt: timeIn(48) }
  expect((await staff.finance.ask(at(path), { form: schedule })).status).toBe(422)
  expect((await staff.sales.ask(at(path), { form: schedule })).status).toBe(403)
  const requested = await staff.finance.ask(at(path), { form: { ...schedule, acceptsBelow: 'yes' } })
  expect(requested.headers.get('location')).toBe(`${path}?done=requested`)
  const done = await staff.manager.ask(at(path), { form: { ...schedule, acceptsBelow: 'yes' } })
  expect(done.headers.get('location')).toBe(`${path}?done=scheduled`)
  const ended = await staff.finance.ask(at(path), { form: { intent: 'end', reason: 'Wrong file' } })
  expect(ended.headers.get('location')).toBe(`${path}?done=withdrawn`)
  expect((await staff.finance.ask(at('/office/price-lists/nothing'))).status).toBe(404)
  expect((await staff.finance.ask(at('/office/price-lists/fleets/999999'))).status).toBe(404)
})
