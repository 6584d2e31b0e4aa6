/** Rotation log of installed tires. Entries are made once, in order, by the owner, and update the garage's reminder. */
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { rateShop } from '#domain/installer-portal/appointments/appointments.server.ts'
import {
  moveJob,
  finishJob,
  listInstalledSets,
  readJob,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { receiveTires, technicianOf, wholeInput } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { crv } from '#domain/customers/accounts/accounts.testing.ts'
import { newTimedId } from '#platform/ids.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { deleteAccount, readAccountData } from '#domain/operations/personal-data/personal-data.server.ts'
import { keepForAccount, listGarage } from '#domain/customers/accounts/accounts.server.ts'
import { logRotation, readTireLog, removeRotation } from '#domain/aftercare/tire-log/tire-log.server.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const later = smallDataMadeAt.add({ hours: 24 * 400 })

/** An account with tires a shop just installed, at 41,836 miles. */
async function openStore() {
  const database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const booking = await db
    .selectFrom('booking')
    .select(['id', 'order_id as orderId', 'shop_id as shopId'])
    .where('state', '=', 'confirmed')
    .orderBy('during')
    .executeTakeFirstOrThrow()
  const orderId = booking.orderId ?? 0
  const config = { session: { secret: 'a secret for tests only' }, store: { name: 'Sidewall', phone: '' }, demo: true }
  const store = {
    db,
    clock: fixedClock(smallDataMadeAt),
    config: config as never as Parameters<typeof readJob>[0]['config'],
  }
  const [accountId, otherId] = [newTimedId(), newTimedId()]
  await db
    .insertInto('account')
    .values(
      [accountId, otherId].map((id) => ({ id, email: `${id}@example.com`, name: 'Zora', created_at: smallDataMadeAt })),
    )
    .execute()
  // The vehicle as the shopper typed it. It is also in their garage.
  await db
    .updateTable('sales_order')
    .set({ vehicle_note: crv.name, fitment_verdict: null })
    .where('id', '=', orderId)
    .execute()
  await db
    .updateTable('cart')
    .set({ account_id: accountId })
    .where('id', '=', db.selectFrom('sales_order').select('cart_id').where('id', '=', orderId))
    .execute()
  const by = await technicianOf(store, booking.shopId)
  await receiveTires(store, by, booking.id)
  must(await moveJob(store, by, { bookingId: booking.id, to: 'arrived' }))
  const job = await readJob(store, { shopId: by.shopId, bookingId: booking.id })
  if (!job) throw new Error('There is no job.')
  must(await finishJob(store, by, { bookingId: booking.id, input: wholeInput(job) }))
  return {
    ...store,
    clock: fixedClock(later),
    accountId,
    otherId,
    orderId,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const at = (on: string, odometer: number, place = 'Halsted Tire') => ({ on: day(on), odometer, place })

test('a rotation is logged once, however often its form arrives, and another of the same day is refused', async () => {
  await using store = await openStore()
  const { accountId, orderId } = store
  const [set] = await listInstalledSets(store.db, accountId)
  expect(set).toMatchObject({ orderId, odometerMiles: 41_836, installedOn: day('2026-11-20') })
  const all = await Promise.all(
    Array.from({ length: 6 }, () => logRotation(store, { accountId, orderId }, at('2027-05-01', 47_000))),
  )
  expect(all.every(({ ok }) => ok)).toBe(true)
  expect(await logRotation(store, { accountId, orderId }, at('2027-05-01', 48_000))).toMatchObject({
    reason: 'logged-already',
  })
  const log = await readTireLog(store, { accountId, orderId })
  expect(log?.rotations).toMatchObject([{ odometerMiles: 47_000, since: 5_164, isLate: false }])
  expect(log?.next?.on.toString()).toBe('2027-11-01')
  if (log?.warranty) expect(log.warranty.milesDriven).toBe(5_164)
  expect(log?.warranty?.milesWarranted ?? null).not.toBe(0)
})

test('an odometer never decreases, whatever the order of entries', async () => {
  await using store = await openStore()
  const { accountId, orderId, db } = store
  const log = (on: string, odometer: number) => logRotation(store, { accountId, orderId }, at(on, odometer))
  must(await log('2027-05-01', 47_000))
  expect(await log('2027-06-01', 46_999)).toMatchObject({ reason: 'odometer-back' })
  expect(await log('2027-04-01', 47_001)).toMatchObject({ reason: 'odometer-back' })
  must(await log('2027-04-01', 46_000))
  const both = await Promise.all([log('2027-08-01', 50_000), log('2027-09-01', 49_000)])
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  const back = db
    .updateTable('tire_rotation')
    .set({ odometer_miles: 90_000 })
    .where('rotated_on', '=', '2027-04-01')
    .execute()
  expect(await back.then(() => 'allowed', violatedConstraint)).toBe('tire_rotation_forward')
})

test('a log has forty rotations at most, and one that was removed makes room', async () => {
  await using store = await openStore()
  const { accountId, orderId } = store
  for (let count = 0; count < 40; count += 1)
    must(
      await logRotation(
        store,
        { accountId, orderId },
        { ...at('2026-12-01', 42_000 + count), on: day('2026-12-01').add({ days: count }) },
      ),
    )
  expect(await logRotation(store, { accountId, orderId }, at('2027-06-01', 60_000))).toMatchObject({
    reason: 'log-full',
  })
  for (let twice = 0; twice < 2; twice += 1) must(await removeRotation(store, { accountId, orderId, nth: 7 }))
  must(await logRotation(store, { accountId, orderId }, at('2027-06-01', 60_000)))
})

test('only the buyer can see tires', async () => {
  await using store = await openStore()
  const { accountId, otherId, orderId } = store
  must(await logRotation(store, { accountId, orderId }, at('2027-05-01', 47_000)))
  const others = { accountId: otherId, orderId }
  expect(await readTireLog(store, others)).toBeUndefined()
  expect(await listInstalledSets(store.db, otherId)).toEqual([])
  for (const refusal of [
    await logRotation(store, others, at('2027-06-01', 50_000)),
    await removeRotation(store, { ...others, nth: 1 }),
  ])
    expect(refusal).toMatchObject({ reason: 'tires-not-found' })
  expect((await readTireLog(store, { accountId, orderId }))?.rotations).toHaveLength(1)
})

test('the garage vehicle and its reminder follow the log', async () => {
  await using store = await openStore()
  const { accountId, orderId } = store
  await keepForAccount(store, accountId, { vehicle: crv })
  must(await logRotation(store, { accountId, orderId }, at('2027-05-01', 47_000)))
  must(await logRotation(store, { accountId, orderId }, at('2027-03-01', 45_000)))
  const [kept] = await listGarage(store, accountId)
  expect(kept).toMatchObject({ rotatedOn: '2027-05-01', rotatedMileage: 47_000, mileage: 47_000 })
})

test('the export includes the log and shop ratings, and deleting the account deletes the log', async () => {
  await using store = await openStore()
  const { accountId, orderId } = store
  must(await logRotation(store, { accountId, orderId }, at('2027-05-01', 47_000, 'At my sister’s')))
  must(await rateShop(store, { orderId, rating: { stars: 4, wasOnTime: true, cameBack: false } }))
  expect(await readAccountData(store, accountId)).toMatchObject({
    tireRotations: [{ orderId, on: '2027-05-01', odometerMiles: 47_000, place: 'At my sister’s' }],
    shopRatings: [{ stars: 4, wasOnTime: true, cameBack: false }],
  })
  await deleteAccount(store, accountId)
  expect(await store.db.selectFrom('tire_rotation').selectAll().execute()).toEqual([])
})
