/** Tests a van's area and the day's stops in the portal without JavaScript. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinShop } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { openStartedStore, type StartedStore } from '#tests/faults/started-store.ts'
import { composeApplication, prepareCart } from '#tests/faults/ready-cart.ts'
import { createVisitor, signInToPortal, type Visitor } from '#tests/support/visitor.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import type { Application } from '#application'

let store: StartedStore
let app: Application & AsyncDisposable
let van: { id: number; code: string; name: string; zips: string[] }
const members = {} as Record<'owner' | 'technician', Visitor>
const emails = { owner: 'shop-owner@example.com', technician: 'technician@example.com' }
beforeAll(async () => {
  store = await openStartedStore()
  const env = { SANDBOX_ORIGIN: store.sandboxOrigin, PUBLIC_ORIGIN: store.origin }
  app = composeApplication(store.database.url, {}, { size: 4, env })
  const { id, code, name } = await store.db
    .selectFrom('shop')
    .innerJoin('shop_rate', 'shop_rate.shop_id', 'shop.id')
    .select(['shop.id', 'shop.code', 'shop.name'])
    .where('shop.kind', '=', 'van')
    .where('shop.active', '=', true)
    .orderBy('shop.id')
    .executeTakeFirstOrThrow()
  const areas = await store.db.selectFrom('van_area').select('zip').where('shop_id', '=', id).orderBy('zip').execute()
  van = { id, code, name, zips: areas.map(({ zip }) => zip) }
  for (const role of ['owner', 'technician'] as const) {
    await joinShop(store.database, { shopId: id, email: emails[role] })
    members[role] = createVisitor()
    await signInToPortal(store.origin, members[role], emails[role])
  }
}, 180_000)
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
})

const area = () => `${store.origin}/portal/${van.code}/area`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const seenIn = (page: string) => /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? ''
const zipsNow = async () =>
  (await store.db.selectFrom('van_area').select('zip').where('shop_id', '=', van.id).orderBy('zip').execute()).map(
    ({ zip }) => zip,
  )

test('the owner changes the service area, invalid ZIPs are listed, and an outdated form is rejected', async () => {
  expect((await members.technician.ask(area())).status).toBe(403)
  expect((await members.technician.ask(area(), { form: { zips: '60614', seen: '' } })).status).toBe(403)
  const page = await read(members.owner.ask(area()))
  expect(page).toContain(van.zips.join(' '))
  const seen = seenIn(page)
  const [first = '', ...rest] = van.zips
  for (const [zips, words] of [
    ['', 'Enter at least one ZIP code.'],
    ['<b> 12', 'These are not ZIP codes of five digits: &lt;b&gt;, 12.'],
    [`${first} 00000`, 'These ZIP codes do not exist: 00000.'],
    [`${first} 99501`, 'miles away, or on no map: 99501.'],
    ['1'.repeat(20_000), 'at most'],
  ] as const) {
    const answer = await members.owner.ask(area(), { form: { zips, seen } })
    expect(answer.status, zips.slice(0, 20)).toBe(422)
    expect(await read(answer)).toContain(words)
  }
  expect(await zipsNow()).toEqual(van.zips)

  const form = { zips: rest.join(', '), seen }
  const answers = await Promise.all(Array.from({ length: 20 }, () => members.owner.ask(area(), { form })))
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([303])
  expect(await zipsNow()).toEqual(rest)
  // The second of two owners gets a conflict.
  expect((await members.owner.ask(area(), { form: { zips: first, seen } })).status).toBe(409)
  const changed = await read(members.owner.ask(area()))
  expect(changed).toMatch(/\d+ ZIPs more, \d+ less: \d+ in all, by /)
  const again = seenIn(changed)
  expect((await members.owner.ask(area(), { form: { zips: van.zips.join(' '), seen: again } })).status).toBe(303)
  expect(await zipsNow()).toEqual(van.zips)
  expect(await read(members.owner.ask(`${store.origin}/portal/SW-00001/area`))).toContain(
    'Only mobile installers have a service area',
  )
  expect(
    (await members.owner.ask(`${store.origin}/portal/SW-00001/area`, { form: { zips: '60614', seen: '' } })).status,
  ).toBe(409)
})

test('the crew sees the day’s stops with address, notes, and driving times, and others don’t', async () => {
  for (const [index, street] of ['12 Alder Ct', '77 Birch Ln'].entries()) {
    const ready = await prepareCart(
      app,
      {
        lines: [{ itemId: store.itemId, quantity: 4, axle: 'all' }],
        zip: van.zips[index] ?? '',
        install: { shopId: van.id, kind: 'van' },
        street,
        notes: `Gate code ${index} <4711>`,
      },
      async ({ clientSecret }) => {
        const paid = await payWithFields(
          { origin: store.sandboxOrigin, storeOrigin: store.origin },
          clientSecret,
          '4242424242424242',
        )
        if (paid.status !== 'authorized') throw new Error(paid.error)
      },
    )
    const placed = await store.press(ready)
    if (!('orderId' in placed)) throw new Error(placed.text)
  }
  const stops = await store.db
    .selectFrom('booking')
    .select(({ fn }) => fn<Temporal.Instant>('lower', ['during']).as('start'))
    .select('stop_zip as zip')
    .where('shop_id', '=', van.id)
    .where('stop_zip', 'is not', null)
    .where('state', '=', 'confirmed')
    .orderBy('during')
    .execute()
  expect(new Set(stops.map(({ zip }) => zip))).toEqual(new Set(van.zips.slice(0, 2)))
  const { time_zone: zone } = await store.db
    .selectFrom('shop')
    .select('time_zone')
    .where('id', '=', van.id)
    .executeTakeFirstOrThrow()
  const days = new Set(stops.map(({ start }) => start.toZonedDateTimeISO(zone).toPlainDate().toString()))
  let pages = ''
  for (const day of days) {
    const address = `${store.origin}/portal/${van.code}/stops?on=${day}`
    const answer = await members.technician.ask(address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    pages += await read(answer)
    expect((await createVisitor().ask(address)).status).toBe(303)
  }
  for (const words of ['12 Alder Ct', '77 Birch Ln', 'To get in:', '&lt;4711&gt;', 'href="geo:', 'Dana R.'])
    expect(pages).toContain(words)
  for (const secret of ['Ruiz', '@example.com', '555-0142', '5550142', '$']) expect(pages).not.toContain(secret)
  if (days.size === 1) expect(pages).toContain('leave by')
  expect((await members.owner.ask(`${store.origin}/portal/SW-00002/stops`)).status).toBe(404)
})
