/** Concurrency of shop jobs with holds, moves and each other must match a serial order. */
import { expect, test } from 'vitest'
import { violatedConstraint, isDeadlock, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  cancelOwnJob,
  changeBay,
  createCalendars,
  earliestTimes,
  forgetOwnJobPeople,
  holdSlot,
  moveBooking,
  readCalendarVersion,
  readOwnJob,
  reopenOwnJob,
  saveOwnJob,
} from './booking.server.ts'
import { selectShops } from './shop-calendar.sql.server.ts'
import { at, crowdOf, held, installation, makeBooking, makeCart, offered, oneBay, tuesday } from './booking.testing.ts'

type Shop = Awaited<ReturnType<typeof oneBay>>
type Overlap = Parameters<typeof saveOwnJob>[2]['overlap']

async function shopWithMember(shop: Parameters<typeof oneBay>[0] = {}) {
  const opened = await oneBay(shop)
  const memberId = newId()
  const { shopId } = opened
  await opened.db
    .insertInto('shop_member')
    .values({
      id: memberId,
      shop_id: shopId,
      email: 'wes@example.com',
      name: 'Wes',
      role: 'technician',
      added_at: opened.clock.now(),
      added_by: 'test',
    })
    .execute()
  const { rows } = { rows: await opened.db.selectFrom('shop_bay').selectAll().where('kind', '=', 'bay').execute() }
  return { ...opened, memberId, bayIds: rows.map(({ id }) => id) }
}
type Open = Awaited<ReturnType<typeof shopWithMember>>

/** Saves an own job from `from` to `to` on Tuesday; what the constraints refuse is "taken". */
async function save(
  { shopId, memberId, clock, bayIds }: Open,
  db: Database,
  [from, to]: [string, string],
  {
    bay = 0,
    overlap = null,
    formKey = newId(),
    change = null,
  }: {
    bay?: number
    overlap?: Overlap
    formKey?: string
    change?: { ownJobId: string; revision: number } | null
  } = {},
) {
  const job = {
    bayId: bayIds[bay] ?? 0,
    start: at(`2026-11-24T${from}`),
    end: at(`2026-11-24T${to}`),
    kind: 'phone' as const,
    firstName: 'Ann',
    phone: '3125550101',
    vehicle: 'Camry',
    tires: null,
    note: null,
    alignmentMinutes: null,
  }
  try {
    return await db
      .transaction()
      .execute((tx) => saveOwnJob(tx, { shopId, memberId, at: clock.now() }, { formKey, change, job, overlap }))
  } catch (error) {
    if (violatedConstraint(error) === undefined && !isDeadlock(error)) throw error
    return { ok: false as const, reason: 'taken' as const }
  }
}

test('an own job takes the bay from shoppers, and gives it back when it is canceled', async () => {
  await using shop = await shopWithMember()
  const before = await offered(shop)
  const version = await readCalendarVersion(shop.db, shop.shopId)
  const calendars = createCalendars(shop.db)
  const first = async () =>
    (
      await earliestTimes({ calendars, clock: shop.clock }, { asks: [{ ...installation, shopId: shop.shopId }] })
    )[0]?.[0]?.start.toString()
  expect(await first()).toBe(at('2026-11-24T08:00').toString())
  const saved = await save(shop, shop.db, ['08:00', '12:00'])
  if (!saved.ok) throw new Error(saved.reason)
  expect(await first()).not.toBe(at('2026-11-24T08:00').toString())
  expect((await offered(shop)).free).toBeLessThan(before.free ?? 0)
  expect(await shop.hold(tuesday('08:00'))).toMatchObject({ reason: 'slot-taken' })
  expect(await readCalendarVersion(shop.db, shop.shopId)).toBeGreaterThan(version)
  const by = { shopId: shop.shopId, memberId: shop.memberId, at: shop.clock.now() }
  expect(await shop.db.transaction().execute((tx) => cancelOwnJob(tx, by, saved.value.ownJobId))).toMatchObject({
    ok: true,
  })
  expect(await first()).toBe(at('2026-11-24T08:00').toString())
  expect(await offered(shop)).toEqual(before)
  const hold = await held(shop.hold(tuesday('08:00')))
  expect(await shop.db.transaction().execute((tx) => reopenOwnJob(tx, by, saved.value.ownJobId))).toMatchObject({
    reason: 'overlaps',
    detail: [{ bookingId: hold.id }],
  })
})

test('over a booking it needs a reason that names the booking, and leaves the booking as it is', async () => {
  await using shop = await shopWithMember()
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('08:00') })
  const asked = await save(shop, shop.db, ['08:15', '13:00'])
  expect(asked).toMatchObject({ reason: 'overlaps', detail: [{ bookingId, state: 'confirmed' }] })
  const reason = 'quick-job' as const
  expect(await save(shop, shop.db, ['08:15', '13:00'], { overlap: { reason, seen: [newId()] } })).toMatchObject({
    reason: 'overlaps',
  })
  const saved = await save(shop, shop.db, ['08:15', '13:00'], { overlap: { reason, seen: [bookingId] } })
  if (!saved.ok) throw new Error(saved.reason)
  const key = { shopId: shop.shopId, ownJobId: saved.value.ownJobId }
  expect(await readOwnJob(shop.db, key)).toMatchObject({ overlaps: [{ bookingId, reason }], revision: 1 })
  expect(await shop.db.selectFrom('booking').select(['id', 'state']).execute()).toEqual([
    { id: bookingId, state: 'confirmed' },
  ])
  // Both are merged in the calendar, and the bay is free after the later end.
  const [calendar] = (await selectShops(shop.db, [shop.shopId], shop.clock.now())).values()
  expect(calendar?.bays.find(({ id }) => id === shop.bayIds[0])?.starts).toHaveLength(1)
  expect(await shop.hold(tuesday('12:30'))).toMatchObject({ ok: false })
  // The booking can be moved away, and not back under the job.
  const move = (time: string) =>
    moveBooking(shop.deps, { ...installation, bookingId, choice: tuesday(time), actor: 'shop' })
  expect(await move('14:00')).toMatchObject({ ok: true })
  expect(await move('08:00')).toMatchObject({ reason: 'slot-taken' })
  expect((await verify(shop.db, shop.clock.now())).filter(({ name }) => name.includes('own-job'))).toEqual([])
})

test('a repeated form has no effect, and an outdated one is rejected', async () => {
  await using shop = await shopWithMember()
  const formKey = newId()
  const twice = await Promise.all([1, 2, 3, 4, 5].map(() => save(shop, shop.db, ['09:00', '10:00'], { formKey })))
  const ids = twice.map((outcome) => (outcome.ok ? outcome.value.ownJobId : outcome.reason))
  expect(new Set(ids).size).toBe(1)
  expect(twice.filter((outcome) => outcome.ok && outcome.value.isNew)).toHaveLength(1)
  const change = { ownJobId: ids[0] ?? '', revision: 1 }
  expect(await save(shop, shop.db, ['10:00', '11:00'], { change })).toMatchObject({ ok: true })
  expect(await save(shop, shop.db, ['11:00', '12:00'], { change })).toMatchObject({
    reason: 'changed-meanwhile',
    detail: { revision: 2, start: at('2026-11-24T10:00') },
  })
  expect(await save(shop, shop.db, ['10:30', '12:00'])).toMatchObject({ reason: 'own-job-there' })
  expect(await forgetOwnJobPeople(shop.db, at('2026-11-24T12:00'))).toBe(1)
  expect(await readOwnJob(shop.db, { shopId: shop.shopId, ownJobId: ids[0] ?? '' })).toMatchObject({
    firstName: null,
    phone: null,
    vehicle: 'Camry',
  })
})

test.for([1, 2, 3, 4])('of 40 own jobs and holds for one time, one gets the bay (%s)', async (seed) => {
  await using shop = await shopWithMember()
  await using crowd = crowdOf(shop.url, 20)
  const { db } = crowd
  const carts = await Promise.all(Array.from({ length: 20 }, () => makeCart(db)))
  const asks = carts.flatMap((cartId, index) => [
    async () =>
      (
        await holdSlot(
          { db, clock: shop.clock },
          { ...installation, shopId: shop.shopId, cartId, choice: tuesday('09:30') },
        )
      ).ok,
    async () => (await save(shop, db, index % 2 === 0 ? ['09:00', '10:00'] : ['09:45', '10:15'])).ok,
  ])
  // Another order of arrival for each seed.
  const order = asks.map((ask, index) => ({ ask, rank: (index * 7 * seed + seed) % asks.length }))
  const won = await Promise.all(order.toSorted((one, other) => one.rank - other.rank).map(({ ask }) => ask()))
  expect(await overlapping(shop)).toEqual([])
  const taken = await db.selectFrom('booking').where('state', '=', 'held').select('id').execute()
  const own = await db.selectFrom('own_job').select('id').execute()
  // Own jobs of both kinds overlap with the slot and each other, so exactly one of 40 can have it.
  expect(won.filter(Boolean)).toHaveLength(1)
  expect(taken.length + own.length).toBe(1)
})

test.for([1, 2, 3])('moves of appointments race own jobs for a bay (%s)', async (seed) => {
  await using shop = await shopWithMember({ bays: 3 })
  await using crowd = crowdOf(shop.url, 20)
  const { db } = crowd
  const [bayA = 0, bayB = 0, bayC = 0] = shop.bayIds
  const bookings = await Promise.all(
    ['08:00', '09:30', '11:00'].map((time) =>
      makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday(time) }),
    ),
  )
  const moves = Array.from({ length: 20 }, (_, index) => {
    const booking = bookings[(index + seed) % bookings.length]
    if (!booking) throw new Error('There are bookings.')
    const bayId = [bayA, bayB, bayC][(index * seed) % 3] ?? bayA
    return () =>
      changeBay({ db, clock: shop.clock }, { bookingId: booking.bookingId, bayId, actor: 'shop', async alongside() {} })
  })
  const jobs = Array.from({ length: 20 }, (_, index) => {
    const hour = 8 + ((index + seed) % 4)
    const pad = (value: number) => String(value).padStart(2, '0')
    return () => save(shop, db, [`${pad(hour)}:15`, `${pad(hour)}:45`], { bay: (index + seed) % 3 })
  })
  await Promise.all(moves.flatMap((move, index) => [move(), Promise.resolve(jobs[index]?.())]))
  expect(await overlapping(shop)).toEqual([])
  expect(await db.selectFrom('booking').where('state', '=', 'confirmed').select('id').execute()).toHaveLength(3)
})

async function overlapping({ db, clock }: Shop) {
  const found = await verify(db, clock.now())
  return found.filter(({ name }) => name === 'own-job-overlap-has-reason' || name === 'bay-taken-once')
}
