/** Shop jobs are finished once and completely, refused or missed, and their tires registered and exported once. */
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { claimCodeOf } from '#domain/scheduling/booking/booking.server.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { orderProgress } from '#domain/ordering/orders/orders.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import { workOrderLife, workOrderStates } from './work-order-life.ts'
import { receiveTires, technicianOf, wholeInput } from './work-orders.testing.ts'
import {
  closeShopReport,
  countPiece,
  exportRegistrations,
  exportSignatures,
  exportTireRegistrations,
  finishJob,
  forgetOldReportPhotos,
  listWaitingMakers,
  markNoShow,
  moveJob,
  readJob,
  reportPieces,
  saveJob,
  findReportPhoto,
  selectTiresOfOrder,
  selectUndoneJobs,
} from './work-orders.server.ts'
import { claimCodeAttempts } from './work-orders.ts'

/** A store with one of its jobs, either the first active one, or the one furthest in the future. */
async function openStore({ job = 'first' }: { job?: 'first' | 'last' } = {}) {
  const database = await createTestDatabase({ from: 'small-open' })
  const { db } = database
  const booking = await db
    .selectFrom('booking')
    .select(['booking.id', 'booking.order_id as orderId', 'booking.shop_id as shopId'])
    .where('booking.state', '=', 'confirmed')
    .orderBy('booking.during', job === 'first' ? 'asc' : 'desc')
    .executeTakeFirstOrThrow()
  const store = {
    db,
    clock: fixedClock(smallDataMadeAt),
    config: {
      session: { secret: 'a secret for tests only' },
      store: { name: 'Sidewall', phone: '(800) 555-0100' },
      demo: true,
    },
    files: filesInRows,
    rateLimits: noRateLimits,
    bookingId: booking.id,
    orderId: booking.orderId ?? 0,
    shopId: booking.shopId,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
  return store as never as Omit<typeof store, 'config' | 'rateLimits'> &
    Parameters<typeof readJob>[0] &
    Parameters<typeof reportPieces>[0]
}
type Store = Awaited<ReturnType<typeof openStore>>

/** A job with its tires at the shop, or `on-the-way`. */
async function jobOf(store: Store, { tires = 'here' }: { tires?: 'here' | 'on-the-way' } = {}) {
  const by = await technicianOf(store, store.shopId)
  if (tires === 'here') await receiveTires(store, by, store.bookingId)
  const job = await readJob(store, { shopId: by.shopId, bookingId: store.bookingId })
  if (!job) throw new Error('There is no job.')
  return { by, job, bookingId: store.bookingId }
}

test('two devices finish a job once, as completed, installed, and registered', async () => {
  await using store = await openStore()
  const { by, job, bookingId } = await jobOf(store)
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  must(await moveJob(store, by, { bookingId, to: 'in-bay' }))
  const input = wholeInput(job)
  const finished = await Promise.all(Array.from({ length: 8 }, () => finishJob(store, by, { bookingId, input })))
  expect(finished.map((each) => must(each).isNew).filter(Boolean)).toHaveLength(1)
  const order = await readOrder(store.db, store.orderId)
  expect(order?.booking?.state).toBe('done')
  if (order) expect(['installed', 'placed', 'processing', 'in-transit']).toContain(orderProgress(order))
  const tires = await selectTiresOfOrder(store.db, store.orderId)
  expect(tires).toHaveLength(job.tires.length)
  expect(tires[0]).toMatchObject({
    tin: input.tires[0]?.tin,
    buyerName: `${order?.firstName} ${order?.lastName}`,
    zip: order?.address.zip,
    exportNo: null,
  })
  expect((await listWaitingMakers(store)).map(({ tires: count }) => count)).toEqual([job.tires.length])
  // A finished job can't be changed.
  expect(await saveJob(store, by, { bookingId, input: { ...input, odometerMiles: 1 } })).toMatchObject({
    reason: 'over',
  })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a car can check in from the day before, once all packages are delivered and counted', async () => {
  await using store = await openStore({ job: 'last' })
  const { by, bookingId, job } = await jobOf(store, { tires: 'on-the-way' })
  const { start, timeZone } = job.booking
  const eve = start.toZonedDateTimeISO(timeZone).startOfDay().subtract({ days: 1 }).toInstant()
  const at = (moment: Temporal.Instant): Store => ({ ...store, clock: fixedClock(moment) })
  const arrive = async (deps: Store) =>
    moveJob(deps, await technicianOf(deps, store.shopId), { bookingId, to: 'arrived' })
  const day = start.toZonedDateTimeISO(timeZone).toPlainDate().subtract({ days: 1 })
  expect(await arrive(at(eve.subtract({ seconds: 1 })))).toMatchObject({
    reason: 'not-ready',
    detail: { what: 'day', from: day },
  })
  expect(await arrive(at(eve))).toMatchObject({ reason: 'not-ready', detail: { what: 'parcels' } })
  await moveParcels(store, store.orderId, 'delivered')
  const total = job.pieces.reduce((sum, { quantity }) => sum + quantity, 0)
  expect(await arrive(at(eve))).toMatchObject({ reason: 'not-ready', detail: { what: 'pieces', received: 0, total } })
  const skip = sql.raw(`update work_order set state = 'arrived' where booking_id = '${bookingId}'`).execute(store.db)
  expect(await skip.then(() => 'allowed', violatedConstraint)).toBe('work_order_has_every_piece')
  const first = { bookingId, lineNo: job.pieces[0]?.lineNo ?? 0 }
  for (let count = 1; count < total; count += 1) must(await countPiece(store, by, { ...first, change: 1 }))
  expect(await arrive(at(eve))).toMatchObject({ detail: { what: 'pieces', received: total - 1 } })
  must(await countPiece(store, by, { ...first, change: 1 }))
  expect(must(await arrive(at(eve))).isNew).toBe(true)
})

test('a job is not finished with a piece that was taken back, and its count ends with it', async () => {
  await using store = await openStore()
  const { by, bookingId, job } = await jobOf(store)
  const input = wholeInput(job)
  const line = { bookingId, lineNo: job.pieces[0]?.lineNo ?? 0 }
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  must(await countPiece(store, by, { ...line, change: -1 }))
  expect(await finishJob(store, by, { bookingId, input })).toMatchObject({
    reason: 'incomplete',
    detail: [{ name: 'pieces' }],
  })
  const skip = sql.raw(`update work_order set state = 'done' where booking_id = '${bookingId}'`).execute(store.db)
  expect(await skip.then(() => 'allowed', violatedConstraint)).toBe('work_order_has_every_piece')
  must(await countPiece(store, by, { ...line, change: 1 }))
  must(await finishJob(store, by, { bookingId, input }))
  expect(await countPiece(store, by, { ...line, change: -1 })).toMatchObject({ reason: 'over' })
  const change = sql.raw(`update work_order_piece set received = 0 where booking_id = '${bookingId}'`).execute(store.db)
  expect(await change.then(() => 'allowed', violatedConstraint)).toBe('work_order_piece_stays')
})

test('an incomplete job is saved as unfinished with its missing fields', async () => {
  await using store = await openStore()
  const { by, job, bookingId } = await jobOf(store)
  const whole = wholeInput(job)
  expect(await finishJob(store, by, { bookingId, input: whole })).toMatchObject({ reason: 'not-here' })
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  const [first, ...rest] = whole.tires
  if (!first) throw new Error('There is no tire.')
  const lacking = { ...whole, odometerMiles: null, signedName: null, tires: [{ ...first, tin: null }, ...rest] }
  await store.db.deleteFrom('work_order_tire').where('booking_id', '=', bookingId).execute()
  await store.db.updateTable('work_order').set({ odometer_miles: null, signed_name: null, signed_at: null }).execute()
  const refused = await finishJob(store, by, { bookingId, input: lacking })
  expect(refused).toMatchObject({
    reason: 'incomplete',
    detail: [{ name: `tin-${first.lineNo}-1` }, { name: 'odometer' }, { name: 'code' }],
  })
  const kept = await readJob(store, { shopId: by.shopId, bookingId })
  expect(kept?.tires.map(({ tin }) => tin !== null)).toEqual([false, ...rest.map(() => true)])
  expect(await selectTiresOfOrder(store.db, store.orderId)).toEqual([])
  // An empty field doesn't change the saved value.
  must(await saveJob(store, by, { bookingId, input: { ...lacking, odometerMiles: 41_836 } }))
  must(await saveJob(store, by, { bookingId, input: lacking }))
  expect((await readJob(store, { shopId: by.shopId, bookingId }))?.odometerMiles).toBe(41_836)
})

test('the database refuses to close a job that lacks a tire, a proof or the odometer, and a booking without its job', async () => {
  await using store = await openStore()
  const { by, job, bookingId } = await jobOf(store)
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  const close = (change: string) =>
    sql.raw(`update work_order set state = 'done', ${change} where booking_id = '${bookingId}'`).execute(store.db)
  const constraintOf = (work: Promise<unknown>) => work.then(() => 'allowed', violatedConstraint)
  const proof = `signed_name = 'Iris Vale', signed_at = now()`
  expect(await constraintOf(close(`${proof}, odometer_miles = 1`))).toBe('work_order_done_has_every_tin')
  must(await saveJob(store, by, { bookingId, input: wholeInput(job, { odometerMiles: null, signedName: null }) }))
  expect(await constraintOf(close(proof))).toBe('work_order_done_is_proven')
  expect(await constraintOf(close('odometer_miles = 1'))).toBe('work_order_done_is_proven')
  const end = sql`update booking set state = 'done' where id = ${bookingId}::uuid`
  expect(await constraintOf(end.execute(store.db))).toBe('booking_done_by_work_order')
  const bad = store.db.updateTable('work_order_tire').set({ tin: 'SHORT' }).where('booking_id', '=', bookingId)
  expect(await constraintOf(bad.execute())).toBe('work_order_tire_tin_check')
  const same = store.db.updateTable('work_order_tire').set({ position: 'LF' }).where('booking_id', '=', bookingId)
  expect(await constraintOf(same.execute())).toBe('work_order_position_once')
  must(await finishJob(store, by, { bookingId, input: wholeInput(job) }))
  const change = store.db.updateTable('work_order_tire').set({ old_tread_32: 1 }).where('booking_id', '=', bookingId)
  expect(await constraintOf(change.execute())).toBe('work_order_tire_stays')
  expect(await constraintOf(close('odometer_miles = 1'))).toBe('work_order_done_stays')
})

test('a drawn signature, the VIN of the car, and the torque are kept with the job', async () => {
  await using store = await openStore()
  const { by, bookingId, job } = await jobOf(store)
  const strokes = '0,0 10,20 300,100;5,5 6,6 7,7 8,8 9,9'
  must(
    await saveJob(store, by, {
      bookingId,
      input: wholeInput(job, { signature: strokes, vinEnd: 'KP042788', torqueLbFt: 76 }),
    }),
  )
  const read = () => readJob(store, { shopId: by.shopId, bookingId })
  expect(await read()).toMatchObject({ signedName: 'Iris Vale', signedStrokes: strokes, carVinEnd: 'KP042788' })
  // The signer sees it in their account export.
  expect(await exportSignatures(store.db, [store.orderId])).toMatchObject([
    { name: 'Iris Vale', drawing: { width: 300, height: 100, path: 'M0 0L10 20L300 100M5 5L6 6L7 7L8 8L9 9' } },
  ])
  // Saving again without drawing preserves the drawing. A different name is unsigned.
  must(await saveJob(store, by, { bookingId, input: wholeInput(job) }))
  expect(await read()).toMatchObject({ signedStrokes: strokes, carVinEnd: 'KP042788', torqueLbFt: 76 })
  must(await saveJob(store, by, { bookingId, input: wholeInput(job, { signedName: 'Someone Else' }) }))
  expect(await read()).toMatchObject({ signedName: 'Someone Else', signedStrokes: null })
  const put = (change: string) => sql.raw(`update work_order set ${change}`).execute(store.db)
  for (const [change, constraint] of [
    [`signed_strokes = '1,1 "><b>'`, 'work_order_signed_strokes_check'],
    [`vin_end = 'IOQ00000'`, 'work_order_vin_end_check'],
    ['torque_lb_ft = 19', 'work_order_torque_lb_ft_check'],
    [`signed_strokes = '1,1', signed_name = null, signed_at = null`, 'work_order_drawn_is_signed'],
  ] as const)
    expect(await put(change).then(() => 'allowed', violatedConstraint), change).toEqual(constraint)
})

test('the database allows exactly the transitions in workOrderLife', async () => {
  await using store = await openStore()
  const { by, job, bookingId } = await jobOf(store)
  must(await saveJob(store, by, { bookingId, input: wholeInput(job) }))
  for (const from of workOrderStates)
    for (const to of workOrderStates) {
      if (from === to) continue
      const reason = (state: string) => (/^(?:wrong|refused)/.test(state) ? "'why'" : 'null')
      const outcome = await store.db
        .transaction()
        .execute(async (tx) => {
          await sql`alter table work_order disable trigger work_order_life`.execute(tx)
          await sql.raw(`update work_order set state = '${from}', reason = ${reason(from)}`).execute(tx)
          await sql`alter table work_order enable trigger work_order_life`.execute(tx)
          await sql.raw(`update work_order set state = '${to}', reason = ${reason(to)}`).execute(tx)
          throw new Error('allowed')
        })
        .catch((error: unknown) => violatedConstraint(error) ?? (error as Error).message)
      const expected = from === 'done' ? 'work_order_done_stays' : 'work_order_life'
      expect(outcome, `${from} ${to}`).toEqual(workOrderLife[from].includes(to) ? 'allowed' : expected)
    }
})

test('completion code attempts are limited across devices, and then the customer signs', async () => {
  await using store = await openStore()
  const { by, job, bookingId } = await jobOf(store)
  const right = claimCodeOf(store.config.session.secret, bookingId)
  const wrong = right === '000000' ? '000001' : '000000'
  const empty = { ...wholeInput(job), odometerMiles: null, signedName: null }
  const tried = await Promise.all(
    Array.from({ length: 12 }, () => saveJob(store, by, { bookingId, input: { ...empty, code: wrong } })),
  )
  expect(tried.filter((each) => !each.ok && each.reason === 'code-wrong')).toHaveLength(claimCodeAttempts - 1)
  expect(await saveJob(store, by, { bookingId, input: { ...empty, code: right } })).toMatchObject({
    reason: 'code-exhausted',
  })
  await store.db.updateTable('work_order').set({ code_attempts: 0 }).execute()
  must(await saveJob(store, by, { bookingId, input: { ...empty, code: right } }))
  expect((await readJob(store, { shopId: by.shopId, bookingId }))?.codeMatchedAt).not.toBeNull()
})

test('a customer is a no-show a quarter of an hour after the start and not before', async () => {
  await using store = await openStore()
  const { by, bookingId, job } = await jobOf(store)
  const from = (job.booking.dropOff ? job.booking.end : job.booking.start).add({ minutes: 15 })
  const at = (moment: Temporal.Instant) => ({ ...store, clock: fixedClock(moment) })
  const early = at(from.subtract({ seconds: 1 }))
  const [technician, later] = [await technicianOf(early, store.shopId), at(from)]
  expect(await markNoShow(early, technician, { bookingId })).toMatchObject({ reason: 'too-early' })
  expect(must(await markNoShow(later, technician, { bookingId })).isNew).toBe(true)
  expect(must(await markNoShow(later, technician, { bookingId })).isNew).toBe(false)
  expect((await readOrder(store.db, store.orderId))?.booking?.state).toBe('no-show')
  expect(await moveJob(later, technician, { bookingId, to: 'arrived' })).toMatchObject({ reason: 'not-now' })
  expect(by.shopId).toBe(technician.shopId)
})

test('a declined job ends its appointment, is emailed once, and waits for another', async () => {
  await using store = await openStore()
  const { by, bookingId } = await jobOf(store)
  const refuse = () => moveJob(store, by, { bookingId, to: 'refused', reason: 'A rim is bent or cracked' })
  const all = await Promise.all([refuse(), refuse(), refuse()])
  expect(all.map((each) => must(each).isNew).filter(Boolean)).toHaveLength(1)
  expect((await readOrder(store.db, store.orderId))?.booking?.state).toBe('canceled')
  const mails = await store.db.selectFrom('message').select('kind').where('kind', '=', 'job-refused').execute()
  expect(mails).toHaveLength(1)
  expect(await selectUndoneJobs(store.db, 10)).toMatchObject([{ orderId: store.orderId, state: 'refused' }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a wrong vehicle is corrected, and other shops’ members can’t make changes', async () => {
  await using store = await openStore()
  const { by, bookingId, job } = await jobOf(store)
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  must(await moveJob(store, by, { bookingId, to: 'wrong-vehicle', reason: 'A red pickup came' }))
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  const elsewhere = { ...by, shopId: by.shopId + 1 }
  expect(await moveJob(store, elsewhere, { bookingId, to: 'in-bay' })).toMatchObject({ reason: 'not-allowed' })
  expect(await readJob(store, { shopId: elsewhere.shopId, bookingId })).toBeUndefined()
  const others = await store.db
    .selectFrom('booking')
    .select('id')
    .where('shop_id', '<>', by.shopId)
    .where('state', '=', 'confirmed')
    .executeTakeFirstOrThrow()
  expect(await moveJob(store, by, { bookingId: others.id, to: 'arrived' })).toMatchObject({ reason: 'job-not-found' })
  expect(await finishJob(store, by, { bookingId: 'x', input: wholeInput(job) })).toMatchObject({
    reason: 'job-not-found',
  })
})

test('pieces are counted by line or label, never past the order, and damage is reported once with a photo', async () => {
  await using store = await openStore()
  const { by, bookingId, job } = await jobOf(store, { tires: 'on-the-way' })
  const [piece] = job.pieces
  if (!piece) throw new Error('There is no piece.')
  const { lineNo, quantity, sku } = piece
  const counted = await Promise.all(
    Array.from({ length: quantity + 2 }, () => countPiece(store, by, { bookingId, lineNo, change: 1 })),
  )
  expect(counted.filter(({ ok }) => ok)).toHaveLength(quantity)
  expect(await countPiece(store, by, { bookingId, scanned: sku })).toMatchObject({ reason: 'all-counted' })
  must(await countPiece(store, by, { bookingId, lineNo, change: -1 }))
  expect(must(await countPiece(store, by, { bookingId, scanned: ` ${sku.toLowerCase()} ` })).received).toBe(quantity)
  expect(await countPiece(store, by, { bookingId, scanned: 'nothing' })).toMatchObject({ reason: 'line-not-found' })
  const sent = { bookingId, key: newId(), kind: 'short' as const, lineNo, pieces: 1, note: null, photo: null }
  const network = { networkKey: 'n' }
  expect(await reportPieces(store, by, { ...sent, kind: 'damaged' }, network)).toMatchObject({ reason: 'no-photo' })
  expect(await reportPieces(store, by, { ...sent, pieces: 41 }, network)).toMatchObject({ reason: 'too-many-pieces' })
  const made = await Promise.all([1, 2, 3].map(() => reportPieces(store, by, sent, network)))
  expect(new Set(made.map((each) => must(each).id)).size).toBe(1)
})

test('photos of closed reports expire, and photos of open reports don’t', async () => {
  await using store = await openStore()
  const { by, bookingId, job } = await jobOf(store)
  const red = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const report = () =>
    reportPieces(
      store,
      by,
      {
        bookingId,
        key: newId(),
        kind: 'damaged',
        lineNo: job.pieces[0]?.lineNo ?? 0,
        pieces: 1,
        note: null,
        photo: { name: 'cut.png', bytes: red },
      },
      { networkKey: 'n' },
    )
  const [closed, open] = [must(await report()).id, must(await report()).id]
  must(await closeShopReport(store, desk, { id: closed }))
  const now = store.clock.now()
  expect(await forgetOldReportPhotos(store.db, now)).toBe(0)
  expect(await forgetOldReportPhotos(store.db, now.add({ seconds: 1 }))).toBe(1)
  expect(await findReportPhoto(store, closed)).toBeUndefined()
  expect(await findReportPhoto(store, open)).toBeDefined()
})

test('registrations are sent to the manufacturer in one export and don’t change', async () => {
  await using store = await openStore()
  const { by, bookingId, job } = await jobOf(store)
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  must(await finishJob(store, by, { bookingId, input: wholeInput(job) }))
  const [maker] = await listWaitingMakers(store)
  const brand = maker?.brand ?? ''
  const made = await Promise.all([1, 2, 3].map(() => exportTireRegistrations(store, desk, { brand })))
  expect(made.map((each) => (each.ok ? 'made' : each.reason)).toSorted()).toEqual([
    'made',
    'nothing-waits',
    'nothing-waits',
  ])
  expect(await listWaitingMakers(store)).toEqual([])
  const again = store.db.updateTable('tire_registration').set({ export_no: null }).execute()
  expect(await again.then(() => 'allowed', violatedConstraint)).toBe('tire_registration_stays')
  const [own] = await exportRegistrations(store.db, [store.orderId])
  expect(own).toMatchObject({ orderId: store.orderId, tin: '7B3KXYZ920126', isHandedToMaker: true })
  expect(await exportSignatures(store.db, [store.orderId])).toMatchObject([
    { orderId: store.orderId, name: 'Iris Vale', drawing: null },
  ])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
