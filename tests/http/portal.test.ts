/** Tests the shop portal over HTTP: every route by role, other shops' codes, and onboarding without JavaScript. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes as routes } from '#tests/support/routes.ts'
import type { ShopRole } from '#domain/scheduling/installers/installers.ts'
import { portalCan, type PortalPermission } from '#domain/installer-portal/portal/portal.ts'
import { typedSteps } from '#domain/installer-portal/portal/portal.testing.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToPortal, type Visitor } from '#tests/support/visitor.ts'
import { inTurn } from '../../tools/rotation.testing.ts'

const busy = 'SW-00001'
const newShop = 'SW-99001'
const roles = ['owner', 'technician'] as const

let store: RunningStore
const members = {} as Record<ShopRole, Visitor>
beforeAll(async () => {
  store = await startStore()
  for (const role of roles) members[role] = createVisitor()
  await signInToPortal(store.origin, members.owner)
  await signInToPortal(store.origin, members.technician, 'technician@example.com')
  // The technician also works at the shop in set-up.
  const { db } = store.database
  const member = await db
    .selectFrom('shop_member')
    .selectAll()
    .where('email', '=', 'technician@example.com')
    .executeTakeFirstOrThrow()
  const shop = await db.selectFrom('shop').select('id').where('code', '=', newShop).executeTakeFirstOrThrow()
  await db
    .insertInto('shop_member')
    .values({ ...member, id: crypto.randomUUID(), shop_id: shop.id })
    .execute()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')

/** Every page of a shop and its permission. */
const pages: Record<string, PortalPermission> = {
  '/portal/:shopCode': 'day.read',
  '/portal/:shopCode/feed': 'feed.edit',
  '/portal/:shopCode/week': 'day.read',
  '/portal/:shopCode/day-sheet': 'day.read',
  '/portal/:shopCode/day/version': 'day.read',
  '/portal/:shopCode/stops': 'stops.read',
  '/portal/:shopCode/storage': 'jobs.work',
  '/portal/:shopCode/area': 'area.edit',
  '/portal/:shopCode/jobs/new': 'own-job.edit',
  '/portal/:shopCode/store': 'store.edit',
  '/portal/:shopCode/pay': 'pay.read',
  '/portal/:shopCode/pay/:week': 'pay.read',
  '/portal/:shopCode/capacity': 'capacity.read',
  '/portal/:shopCode/prices': 'prices.read',
  '/portal/:shopCode/profile': 'profile.edit',
  '/portal/:shopCode/people': 'people.edit',
  '/portal/:shopCode/emails': 'emails.edit',
  '/portal/:shopCode/set-up': 'set-up.read',
  '/portal/:shopCode/set-up/hours': 'set-up.edit',
  '/portal/:shopCode/set-up/bays': 'set-up.edit',
  '/portal/:shopCode/set-up/prices': 'set-up.edit',
  '/portal/:shopCode/set-up/lengths': 'set-up.edit',
  '/portal/:shopCode/set-up/blackout-days': 'set-up.edit',
}
/** Routes with additional parameters, and the test of each. */
const walkedElsewhere = {
  '/portal/:shopCode/jobs/:booking': 'work-orders.test.ts',
  '/portal/:shopCode/jobs/:booking/photos/:kind': 'work-orders.test.ts',
  '/portal/:shopCode/own-jobs/:ownJobId': 'portal-calendar.test.ts',
  '/portal/:shopCode/moves/:bookingId': 'portal-calendar.test.ts',
}
/** The way in and out, and the list of the reader's own shops. */
const doors = ['/portal', '/portal/sign-in', '/portal/sign-out']
/** Redirects and files, tested as each role in tests/http/portal-pay.test.ts. */
const others = ['/portal/:shopCode/pay/bank', '/portal/:shopCode/pay/:week/:file']

test('every route of the portal is walked', () => {
  const known = routes.flatMap(({ path }) => (path !== undefined && /^portal(\/|$)/.test(path) ? [`/${path}`] : []))
  expect(known.toSorted()).toEqual(
    [...Object.keys(pages), ...doors, ...others, ...Object.keys(walkedElsewhere)].toSorted(),
  )
})

describe.for(inTurn(Object.entries(pages)))('%s', ([pattern, permission]) => {
  const path = pattern.replace(':shopCode', newShop).replace(':week', '2026-11-16')

  test.for(roles)('as %s is open or refused as the table says', async (role) => {
    const answer = await members[role].ask(at(path))
    expect(answer.status).toBe(portalCan(role, permission) ? 200 : 403)
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('cache-control')).toContain('no-store')
  })

  test('leads everyone without a session of the portal to sign in', async () => {
    const shopper = createVisitor()
    await signInAt(store.origin, shopper, { email: 'shop-owner@example.com', back: '/' })
    for (const visitor of [createVisitor(), shopper]) {
      const answer = await visitor.ask(at(path))
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`/portal/sign-in?back=${encodeURIComponent(path)}`)
    }
  })

  test('another shop’s pages return 404 for every user', async () => {
    const others = await store.database.db
      .selectFrom('shop')
      .select('code')
      .where('code', 'not in', [busy, newShop])
      .limit(5)
      .execute()
    for (const code of [...others.map((shop) => shop.code), 'SW-00000', 'x'])
      for (const role of roles) {
        const address = at(pattern.replace(':shopCode', code).replace(':week', '2026-11-16'))
        const asked = await members[role].ask(address)
        const sent = await members[role].ask(address, { form: { intent: 'complete', bays: '1', dropOffs: '0' } })
        expect(asked.status, `${code} ${role}`).toBe(404)
        expect([404, 405], `${code} ${role}`).toContain(sent.status)
      }
  })
})

test('its session is no account and opens no back office, nor the reverse', async () => {
  expect((await members.owner.ask(at('/account'))).status).toBe(303)
  expect((await members.owner.ask(at('/office'))).status).toBe(303)
  const swapped = createVisitor()
  swapped.setCookie('localhost', 'sw_office', members.owner.cookie('sw_portal')?.value ?? '')
  swapped.setCookie('localhost', 'sw_session', members.owner.cookie('sw_portal')?.value ?? '')
  for (const path of ['/office', '/account', '/portal']) expect((await swapped.ask(at(path))).status).toBe(303)
})

test('a user without a shop sees a message', async () => {
  const visitor = createVisitor()
  const { url, response } = await signInToPortal(store.origin, visitor, 'dana@example.com')
  expect(url.pathname + url.search).toBe('/portal/sign-in?problem=no-shop')
  expect(await read(response)).toContain('no shop has your email')
  expect(visitor.cookie('sw_portal')).toBeUndefined()
})

test('a day is shown by bay with its neighbors; nonsense in the address is today', async () => {
  const today = await read(members.technician.ask(at(`/portal/${busy}`)))
  for (const words of ['Halsted Tire', 'Bay 1', 'Drop-off 1', 'Times in C', 'Technician'])
    expect(today).toContain(words)
  const day = await read(members.technician.ask(at(`/portal/${busy}?on=2026-11-24`)))
  for (const words of ['Tue, Nov 24', '?on=2026-11-23', '?on=2026-11-25']) expect(day).toContain(words)
  for (const on of ['2026-02-31', "';--", '9999-99-99'])
    expect((await members.technician.ask(at(`/portal/${busy}?on=${encodeURIComponent(on)}`))).status).toBe(200)
})

test('a rejected step retains the input with the error at its field', async () => {
  const answer = await members.owner.ask(at(`/portal/${newShop}/set-up/prices`), {
    form: { ...typedSteps['prices'], 'standard-17': 'twenty', kit: '' },
  })
  const html = await read(answer)
  expect(answer.status).toBe(422)
  for (const words of ['value="twenty"', 'standard-17-error', 'kit-error', 'Fix 2 fields:', 'Standard, 17 to 18 inch'])
    expect(html).toContain(words)
})

test('a technician cannot post what the owner can', async () => {
  for (const [step, form] of Object.entries(typedSteps))
    expect((await members.technician.ask(at(`/portal/${newShop}/set-up/${step}`), { form })).status).toBe(403)
  expect((await members.technician.ask(at(`/portal/${newShop}/set-up`), { form: {} })).status).toBe(403)
})

test('an owner sets the shop up step by step and opens it; shoppers find it, without a rating', async () => {
  const early = await members.owner.ask(at(`/portal/${newShop}/set-up`), { form: {} })
  expect(early.status).toBe(409)
  expect(await read(early)).toContain('Still missing: Hours, Bays and drop-off')
  for (const [step, form] of Object.entries(typedSteps)) {
    const answer = await members.owner.ask(at(`/portal/${newShop}/set-up/${step}`), { form })
    expect(answer.status, step).toBe(303)
    expect(answer.headers.get('location'), step).toBe(`/portal/${newShop}/set-up?done=saved`)
  }
  expect(await read(members.owner.ask(at(`/portal/${newShop}/set-up`)))).toContain('Everything is here.')
  const opened = await Promise.all(
    [1, 2, 3].map(() => members.owner.ask(at(`/portal/${newShop}/set-up`), { form: {} })),
  )
  expect(opened.map(({ status }) => status)).toEqual([303, 303, 303])
  expect((await members.owner.ask(at(`/portal/${newShop}/set-up`))).status).toBe(303)
  const page = await createVisitor().ask(at(`/tire-shops/shop/fullerton-tire-chicago/${newShop}`))
  const html = await read(page)
  expect(page.status).toBe(200)
  expect(html).toContain('New: no ratings yet')
  expect(html).not.toContain('aggregateRating')
})
