/** Job photos are sent from check-in until the job ends. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { isJobPhotoKind, jobPhotoKinds } from './job-photo-kinds.ts'
import type { JobDeps } from './job.server.ts'
import { receiveTires, technicianOf, wholeInput } from './work-orders.testing.ts'
import {
  eraseJobPhotos,
  findJobPhoto,
  finishJob,
  forgetOldJobPhotos,
  moveJob,
  readJob,
  saveJobPhoto,
  selectPhotosOfOrder,
} from './work-orders.server.ts'

/** A store with its first job and the tires at the shop. */
async function openStore() {
  const database = await createTestDatabase({ from: 'small-open' })
  const { db } = database
  const booking = await db
    .selectFrom('booking')
    .select(['booking.id', 'booking.order_id as orderId', 'booking.shop_id as shopId'])
    .where('booking.state', '=', 'confirmed')
    .orderBy('booking.during', 'asc')
    .executeTakeFirstOrThrow()
  const config = {
    session: { secret: 'a secret for tests only' },
    store: { name: 'Sidewall', phone: '(800) 555-0100' },
    demo: true,
  } as never as JobDeps['config']
  const store = { db, config, clock: fixedClock(smallDataMadeAt), files: filesInRows, rateLimits: noRateLimits }
  const by = await technicianOf(store, booking.shopId)
  await receiveTires(store, by, booking.id)
  return {
    ...store,
    by,
    bookingId: booking.id,
    shopId: booking.shopId,
    orderId: booking.orderId ?? 0,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
type Store = Awaited<ReturnType<typeof openStore>>

const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

const save = (store: Store, bytes: Uint8Array | null = picture) =>
  saveJobPhoto(
    store,
    store.by,
    { bookingId: store.bookingId, kind: 'front', photo: bytes && { name: 'front.png', bytes } },
    { networkKey: 'n' },
  )
const keys = async ({ db }: Store) => (await db.selectFrom('work_order_photo').select('file_key').execute()).length
const files = async ({ db }: Store) => (await db.selectFrom('stored_file').select('key').execute()).length

test('a photo is stored while the car is at the shop, and a second one of its kind replaces it', async () => {
  await using store = await openStore()
  const { by, bookingId, shopId, orderId } = store
  expect(await save(store)).toMatchObject({ reason: 'no-car' })
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  expect(await save(store, null)).toMatchObject({ reason: 'no-photo' })
  expect(await save(store, new Uint8Array([1, 2, 3]))).toMatchObject({ reason: 'photo' })
  const before = await files(store)
  must(await save(store))
  must(await save(store))
  expect(await keys(store)).toBe(1)
  expect(await files(store)).toBe(before + 1)
  const named = { name: 'Front, mounted.webp' }
  expect(await findJobPhoto(store, { bookingId, kind: 'front', shopId })).toMatchObject(named)
  expect(await findJobPhoto(store, { bookingId, kind: 'front', orderId })).toMatchObject(named)
  for (const other of [{ shopId: shopId + 1 }, { orderId: orderId + 1 }])
    expect(await findJobPhoto(store, { bookingId, kind: 'front', ...other })).toBeUndefined()
  expect(await findJobPhoto(store, { bookingId: 'x', kind: 'front', shopId })).toBeUndefined()
  const job = await readJob(store, { shopId, bookingId })
  if (!job) throw new Error('There is no job.')
  expect(job.photos).toMatchObject([{ kind: 'front' }])
  // Photos are optional, and remain after the job.
  must(await finishJob(store, by, { bookingId, input: wholeInput(job) }))
  expect(await save(store)).toMatchObject({ reason: 'over' })
  expect(await selectPhotosOfOrder(store.db, orderId)).toMatchObject([{ bookingId, kind: 'front' }])
})

test('job photos expire, and are erased with their customer', async () => {
  await using store = await openStore()
  const { by, bookingId, db, orderId, clock } = store
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  const before = await files(store)
  must(await save(store))
  expect(await forgetOldJobPhotos(db, clock.now())).toBe(0)
  expect(await forgetOldJobPhotos(db, clock.now().add({ seconds: 1 }))).toBe(1)
  expect(await files(store)).toBe(before)
  must(await save(store))
  const erase = (ids: number[]) => db.transaction().execute((tx) => eraseJobPhotos(tx, ids))
  expect(await erase([orderId + 1])).toBe(0)
  expect(await erase([orderId])).toBe(1)
  expect(await files(store)).toBe(before)
})

test('only known names are kinds of photos', () => {
  expect(Object.keys(jobPhotoKinds).every(isJobPhotoKind)).toBe(true)
  expect(['', 'toString', 'roof'].filter(isJobPhotoKind)).toEqual([])
})
