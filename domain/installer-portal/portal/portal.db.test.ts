/** The installer portal, with access, and a new shop from its first step to its first shopper. */
import { expect, test } from 'vitest'
import type { Person } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { findShop, findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { fourTires } from '#domain/scheduling/installers/installers.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  findPortalSession,
  forgetOldPortalSessions,
  leavePortal,
  openPortal,
  openShop,
  readSetUp,
  readShopDay,
  saveBays,
  saveBlackoutDays,
  saveHours,
  saveLengths,
  savePrices,
  type PortalActor,
} from './portal.server.ts'
import { lengthsStepForm, missingSteps, portalSessionSeconds, pricesStepForm, setUpSteps } from './portal.ts'
import { typedPrices } from './portal.testing.ts'

const issuer = 'https://id.example'
const newShop = 'SW-99001'
const timeZone = 'America/Chicago'

async function openStore() {
  const database = await createTestDatabase({ from: 'small' })
  return {
    db: database.db,
    clock: fixedClock(smallDataMadeAt),
    config: { session: { secret: 'a secret for tests only' } },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
type Store = Awaited<ReturnType<typeof openStore>>

function comeIn(store: Store, name: string, change: Partial<Person> = {}, session?: string) {
  const person = { subject: name, email: `${name}@example.com`, isEmailVerified: true, name, ...change }
  return openPortal(store, { issuer, person, idToken: 'a token', authenticatedAt: store.clock.now(), session })
}

async function actorAt(store: Store, name: string, code: string): Promise<PortalActor> {
  const { cookie } = must(await comeIn(store, name))
  const session = await findPortalSession(store, cookie)
  const shop = session?.shops.find((each) => each.code === code)
  if (!session || !shop) throw new Error(`${name} has no shop ${code}.`)
  return { sessionId: session.sessionId, shopId: shop.shopId }
}

const endMembers = (db: Database, email: string, at: Temporal.Instant) =>
  db.updateTable('shop_member').set({ ended_at: at }).where('email', '=', email).execute()

/** Saves every step. */
async function complete(store: Store, by: PortalActor): Promise<void> {
  must(await saveHours(store, by, [{ weekday: 1, opens: 480, closes: 1080 }]))
  must(await saveBays(store, by, { bays: 2, dropOffs: 1 }))
  must(await savePrices(store, by, { ...pricesStepForm.parse(typedPrices), timeZone }))
  const lengths = lengthsStepForm.parse({ standard: '12', 'low-profile': '15', slot: '60' })
  must(await saveLengths(store, by, { ...lengths, timeZone }))
  must(await saveBlackoutDays(store, by, { timeZone }))
}

test('a person gets in by a verified email of a member, and stays it whatever becomes of the email', async () => {
  await using store = await openStore()
  expect(await comeIn(store, 'technician', { isEmailVerified: false })).toMatchObject({ reason: 'unverified' })
  expect(await comeIn(store, 'dana')).toMatchObject({ reason: 'no-shop' })
  expect(await comeIn(store, 'technician', { email: 'Technician@Example.com' })).toMatchObject({ ok: true })
  expect(await comeIn(store, 'thief', { email: 'technician@example.com' })).toMatchObject({ reason: 'no-shop' })
  const moved = must(await comeIn(store, 'technician', { email: 'moved@example.com', isEmailVerified: false }))
  const session = await findPortalSession(store, moved.cookie)
  expect(session?.shops.map(({ shopName, role }) => [shopName, role])).toEqual([['Halsted Tire', 'technician']])
})

test('an owner of several shops has them all in one session, by name', async () => {
  await using store = await openStore()
  const { cookie } = must(await comeIn(store, 'shop-owner'))
  const session = await findPortalSession(store, cookie)
  expect(session?.shops.map(({ shopName, isInSetUp }) => [shopName, isInSetUp])).toEqual([
    ['Fullerton Tire', true],
    ['Halsted Tire', false],
  ])
})

test('a session ends after twelve hours, on signing out, with another sign-in there, and with the last shop', async () => {
  await using store = await openStore()
  const enter = async (session?: string) => must(await comeIn(store, 'technician', {}, session)).cookie
  const isOpen = async (cookie: string) => (await findPortalSession(store, cookie)) !== undefined
  const first = await enter()
  const second = await enter(first)
  expect(await isOpen(first)).toBe(false)
  expect(await isOpen(second)).toBe(true)
  expect(await leavePortal(store, second)).toBe('a token')
  expect(await isOpen(second)).toBe(false)
  expect(await leavePortal(store, second)).toBeUndefined()
  const third = await enter()
  const [id = ''] = third.split('.')
  expect(await isOpen(`${id}.another-secret`)).toBe(false)
  expect(await isOpen('nonsense')).toBe(false)
  const late = { ...store, clock: fixedClock(store.clock.now().add({ seconds: portalSessionSeconds + 1 })) }
  expect(await findPortalSession(late, third)).toBeUndefined()
  await endMembers(store.db, 'technician@example.com', store.clock.now())
  expect(await isOpen(third)).toBe(false)
  await forgetOldPortalSessions(late)
  expect(await store.db.selectFrom('portal_session').select('id').execute()).toEqual([])
})

test('a new shop lists missing steps, opens once, and is then offered without a rating', async () => {
  await using store = await openStore()
  const by = await actorAt(store, 'shop-owner', newShop)
  const at = { shopId: by.shopId, timeZone }
  expect(missingSteps(await readSetUp(store, at))).toEqual(setUpSteps)
  expect(await saveLengths(store, by, { slotMinutes: 60, minutes: [], timeZone })).toMatchObject({
    reason: 'no-prices',
  })
  expect(await openShop(store, by, timeZone)).toMatchObject({ reason: 'incomplete', detail: setUpSteps })
  await complete(store, by)
  expect(missingSteps(await readSetUp(store, at))).toEqual([])
  expect(await findShop(store, { code: newShop })).toBeUndefined()

  const opened = await Promise.all(Array.from({ length: 20 }, () => openShop(store, by, timeZone)))
  expect(opened.filter(({ ok }) => ok)).toHaveLength(1)
  expect(new Set(opened.flatMap((each) => (each.ok ? [] : [each.reason])))).toEqual(new Set(['open-already']))

  expect(await findShop(store, { code: newShop })).toMatchObject({
    ratingTenths: null,
    ratingCount: 0,
    onTimePercent: null,
  })
  const near = must(await findShopsNear(store, { near: { zip: '60614' }, tires: fourTires }))
  expect(near.find(({ code }) => code === newShop)?.quote).toMatchObject({ installCents: 8_800, minutes: 60 })
  expect(await saveBays(store, by, { bays: 1, dropOffs: 0 })).toMatchObject({ reason: 'open-already' })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('new kinds of work need their lengths again; without a price a shop does not take them', async () => {
  await using store = await openStore()
  const by = await actorAt(store, 'shop-owner', newShop)
  await complete(store, by)
  const runFlat = Object.fromEntries([12, 17, 19, 21].map((rim) => [`run-flat-${rim}`, '34']))
  must(await savePrices(store, by, { ...pricesStepForm.parse({ ...typedPrices, ...runFlat }), timeZone }))
  const setUp = await readSetUp(store, { shopId: by.shopId, timeZone })
  expect(missingSteps(setUp)).toEqual(['lengths'])
  expect(setUp.rates.find(({ job }) => job === 'low-profile')?.minutesPerTire).toBe(15)
  const shop = await store.db
    .selectFrom('shop')
    .select(['takes_run_flat', 'takes_light_truck'])
    .where('id', '=', by.shopId)
    .executeTakeFirst()
  expect(shop).toEqual({ takes_run_flat: true, takes_light_truck: false })
})

test('blackout days are added, replaced and removed, from today on the shop’s clock', async () => {
  await using store = await openStore()
  const by = await actorAt(store, 'shop-owner', newShop)
  const today = store.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  const save = (change: Omit<Parameters<typeof saveBlackoutDays>[2], 'timeZone'>) =>
    saveBlackoutDays(store, by, { timeZone, ...change })
  const yesterday = today.subtract({ days: 1 }).toString()
  expect(await save({ add: { on: yesterday, reason: 'Late' } })).toMatchObject({ reason: 'past' })
  must(await save({ add: { on: today.toString(), reason: 'Inventory' } }))
  must(await save({ add: { on: today.toString(), reason: 'A trade fair' } }))
  const closures = async () => (await readSetUp(store, { shopId: by.shopId, timeZone })).closures
  expect(await closures()).toEqual([{ on: today.toString(), reason: 'A trade fair' }])
  must(await save({ remove: today.toString() }))
  expect(await closures()).toEqual([])
})

test('technicians can’t make changes, owners can’t change other shops, and former members have no access', async () => {
  await using store = await openStore()
  const technician = await actorAt(store, 'technician', 'SW-00001')
  const owner = await actorAt(store, 'shop-owner', newShop)
  const refused = { ok: false, reason: 'not-allowed' }
  expect(await saveBays(store, technician, { bays: 1, dropOffs: 0 })).toMatchObject(refused)
  expect(await openShop(store, { ...technician, shopId: owner.shopId }, timeZone)).toMatchObject(refused)
  expect(await saveBays(store, { ...owner, shopId: owner.shopId - 1 }, { bays: 1, dropOffs: 0 })).toMatchObject(refused)
  await endMembers(store.db, 'shop-owner@example.com', store.clock.now())
  expect(await saveBays(store, owner, { bays: 1, dropOffs: 0 })).toMatchObject(refused)
})

test('the day shows each of the shop’s bookings once, with its tires', async () => {
  await using store = await openStore()
  const booked = await store.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['booking.id', 'booking.shop_id', 'booking.during', 'shop.time_zone'])
    .where('booking.state', '=', 'confirmed')
    .orderBy('booking.id')
    .limit(5)
    .execute()
  expect(booked.length).toBeGreaterThan(0)
  for (const { id, shop_id: shopId, time_zone: zone } of booked) {
    const { start } = await store.db
      .selectFrom('booking')
      .select(({ fn }) => fn<Temporal.Instant>('lower', ['during']).as('start'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const day = start.toZonedDateTimeISO(zone).toPlainDate()
    const { shopDay } = await readShopDay(store, { shopId, timeZone: zone }, day)
    const mine = shopDay.jobs.filter((job) => job.id === id)
    expect(mine).toHaveLength(1)
    expect(mine[0]).toMatchObject({ who: expect.stringMatching(/^\S.* [^ ]\.$/), tires: [expect.any(String)] })
    expect(mine[0]?.column).toBeGreaterThanOrEqual(0)
    const others = await store.db
      .selectFrom('booking')
      .select('id')
      .where('shop_id', '<>', shopId)
      .where(
        'id',
        'in',
        shopDay.jobs.map((job) => job.id),
      )
      .execute()
    expect(others).toEqual([])
  }
})
