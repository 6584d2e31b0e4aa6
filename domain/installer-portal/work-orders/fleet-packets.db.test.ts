/** Fleet orders require a PO number to be placed, and complete fleet details to be finished at the shop. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findBooking } from '#domain/scheduling/booking/booking.server.ts'
import { payOnTerms, placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  asAccount,
  asOwner,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import {
  addDomain,
  changeRole,
  findPoRule,
  joinByMail,
  setFleetPackets,
  setTerms,
} from '#domain/customers/companies/companies.server.ts'
import { changeFleetPacket, readOrder, selectPacket } from '#domain/ordering/orders/orders.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import type { JobDeps } from './job.server.ts'
import { receiveTires, technicianOf, wholeInput } from './work-orders.testing.ts'
import {
  finishJob,
  listFleetVisits,
  moveJob,
  readFleetVisit,
  readJob,
  saveJob,
  visitVin,
} from './work-orders.server.ts'

const [port = 0] = await freePorts(3)
const nothing = { unit: null, driver: null, plate: null, plateState: null }
const whole = { unit: '117', driver: 'Ray Ortiz', plate: 'P449021', plateState: 'IL' }

/** A company on net terms that requires fleet details with orders, as its owner sees the store. */
async function fleetOf(open: TestStore) {
  const owner = await asOwner(open)
  must(await setTerms(open, { id: owner.companyId, terms: { netDays: 30, creditLimitCents: 5_000_000 }, by: desk }))
  must(await setFleetPackets(open, { id: owner.companyId, hasFleetPackets: true, by: desk }))
  return owner
}
type Fleet = Awaited<ReturnType<typeof fleetOf>>

/** Adds a company member, who joins by their work email. */
async function addMember(fleet: Fleet, role: 'buyer' | 'viewer'): Promise<string> {
  const { db, clock, companyId } = fleet
  await addDomain(fleet, { id: companyId, domain: 'acme.example', role: 'buyer', by: desk })
  const accountId = newId()
  const email = `${accountId}@acme.example`
  await db
    .insertInto('account')
    .values({ id: accountId, email, email_verified_at: clock.now(), name: role, created_at: clock.now() })
    .execute()
  must(await joinByMail(fleet, { accountId, email, isEmailVerified: true }))
  if (role !== 'buyer') must(await changeRole(fleet, fleet.accountId, { accountId, role }))
  return accountId
}

/** An order on the company's terms, by the account of `buyer`, to be installed at a shop. */
async function orderOf(buyer: TestStore, openingAt = 0) {
  const cart = await makeReadyCart(buyer, { openingAt })
  const { totalCents, ...input } = await agreeTo(buyer, cart)
  must(await payOnTerms(buyer, { id: cart.id }, totalCents))
  return { input, place: () => placeOrder(buyer, input) }
}

/** An order's job on its day, with tires counted and car checked in. */
async function jobOf(open: TestStore, orderId: number) {
  const bookingId = (await readOrder(open.db, orderId))?.booking?.id ?? ''
  const booking = await findBooking(open.db, bookingId)
  if (!booking) throw new Error('The order has no appointment.')
  const config = { session: { secret: 'a secret for tests only' }, store: { name: 'Sidewall' }, demo: true }
  const store = { db: open.db, clock: fixedClock(booking.start), config }
  const by = await technicianOf(store, booking.shopId)
  await receiveTires(store, by, bookingId)
  must(await moveJob(store as never as JobDeps, by, { bookingId, to: 'arrived' }))
  const deps = store as never as JobDeps
  const read = async () => {
    const job = await readJob(deps, { shopId: by.shopId, bookingId })
    if (!job) throw new Error('There is no job.')
    return job
  }
  return { deps, by, bookingId, job: await read(), read }
}

test('a fleet order needs a PO number and starts an empty packet, except for older orders', async () => {
  await using open = await openTestStore(port)
  const owner = await fleetOf(open)
  must(await setFleetPackets(open, { id: owner.companyId, hasFleetPackets: false, by: desk }))
  const before = await orderOf(owner)
  const { orderId: plain } = must(await before.place())
  must(await setFleetPackets(open, { id: owner.companyId, hasFleetPackets: true, by: desk }))
  expect(await findPoRule(open, owner.companyId)).toEqual({ rule: 'required', mask: null })
  const next = await orderOf(owner, 1)
  const putPo = (poNumber: string | null) =>
    open.db.updateTable('cart_billing').set({ po_number: poNumber }).where('cart_id', '=', next.input.cartId).execute()
  await putPo(null)
  expect(await next.place()).toMatchObject({ reason: 'incomplete', detail: { step: 'po-number' } })
  await putPo('PO-8')
  const { orderId } = must(await next.place())
  expect(await selectPacket(open.db, orderId)).toEqual(nothing)
  expect(await selectPacket(open.db, plain)).toBeUndefined()
  // The database requires the number too, regardless of how the order is written.
  const { input } = await orderOf(owner, 2)
  const written = open.db.transaction().execute(async (tx) => {
    await sql`create temporary table copied on commit drop as select * from sales_order where id = ${orderId}::bigint`.execute(
      tx,
    )
    await sql`update copied set id = 1, cart_id = ${input.cartId}::uuid, billing = billing - 'poNumber'`.execute(tx)
    await sql`insert into sales_order overriding system value select * from copied`.execute(tx)
  })
  expect(await written.then(() => 'allowed', violatedConstraint)).toBe('fleet_packet_has_po')
})

test('a fleet job can’t finish until each field is complete', async () => {
  await using open = await openTestStore(port)
  const owner = await fleetOf(open)
  const { orderId } = must(await (await orderOf(owner)).place())
  const { deps, by, bookingId, job, read } = await jobOf(open, orderId)
  expect(job.packet).toEqual(nothing)
  const [tire] = job.tires
  const lacking = wholeInput(job, { packet: nothing, odometerMiles: null, signedName: null })
  const first = { ...lacking, tires: lacking.tires.map((each, index) => (index === 0 ? { ...each, tin: null } : each)) }
  const tin = `tin-${tire?.lineNo}-${tire?.nth}`
  const missing = async (input: typeof first) => {
    const finished = await finishJob(deps, by, { bookingId, input })
    return finished.ok
      ? []
      : finished.reason === 'incomplete'
        ? finished.detail.map(({ name }) => name)
        : finished.reason
  }
  const steps: [Partial<typeof first>, string[]][] = [
    [{}, [tin, 'unit', 'driver', 'vin', 'plate', 'plateState', 'odometer', 'code']],
    [{ tires: lacking.tires }, ['unit', 'driver', 'vin', 'plate', 'plateState', 'odometer', 'code']],
    [{ packet: { ...nothing, unit: '117' } }, ['driver', 'vin', 'plate', 'plateState', 'odometer', 'code']],
    [{ packet: { ...nothing, driver: 'Ray Ortiz' } }, ['vin', 'plate', 'plateState', 'odometer', 'code']],
    [{ vinEnd: 'KP042788' }, ['plate', 'plateState', 'odometer', 'code']],
    [{ packet: { ...nothing, plate: 'P449021' } }, ['plateState', 'odometer', 'code']],
    [{ packet: { ...nothing, plateState: 'IL' } }, ['odometer', 'code']],
    [{ odometerMiles: 41_836 }, ['code']],
  ]
  for (const [change, names] of steps)
    expect(await missing({ ...first, ...change }), JSON.stringify(change)).toEqual(names)
  // The data is saved, and the database enforces each field separately.
  expect((await read()).packet).toEqual(whole)
  must(await saveJob(deps, by, { bookingId, input: { ...first, signedName: 'Iris Vale' } }))
  for (const [change, constraint] of [
    [`update fleet_packet set unit = null`, 'work_order_done_has_packet'],
    [`update fleet_packet set driver = null`, 'work_order_done_has_packet'],
    [`update fleet_packet set plate = null`, 'work_order_done_has_packet'],
    [`update fleet_packet set plate_state = null`, 'work_order_done_has_packet'],
    [`update work_order set vin_end = null`, 'work_order_done_has_packet'],
    [`update work_order set odometer_miles = null`, 'work_order_done_is_proven'],
    [`update work_order_tire set tin = null`, 'work_order_done_has_every_tin'],
    [`update fleet_packet set unit = ''`, 'fleet_packet_unit_check'],
    [`update fleet_packet set plate = 'p 1'`, 'fleet_packet_plate_check'],
    [`update fleet_packet set plate_state = 'Illinois'`, 'fleet_packet_plate_state_check'],
  ] as const) {
    const outcome = await open.db
      .transaction()
      .execute(async (tx) => {
        await sql
          .raw(`${change} where order_id = ${orderId}`.replace(/(work_order_tire .*) where .*/, '$1'))
          .execute(tx)
        await sql`update work_order set state = 'done', state_at = now() where booking_id = ${bookingId}::uuid`.execute(
          tx,
        )
        throw new Error('allowed')
      })
      .catch((error: unknown) => violatedConstraint(error) ?? (error as Error).message)
    expect(outcome, change).toEqual(constraint)
  }
  expect(await missing({ ...first, signedName: 'Iris Vale' })).toEqual([])
  // Once closed, it can't be changed.
  const changed = { orderId, packet: { ...whole, unit: '9' }, vin: null }
  expect(await changeFleetPacket(open, owner.accountId, changed)).toMatchObject({ reason: 'job-done' })
  const put = sql`update fleet_packet set unit = '9' where order_id = ${orderId}::bigint`.execute(open.db)
  expect(await put.then(() => 'allowed', violatedConstraint)).toBe('fleet_packet_stays')
  const visit = await readFleetVisit(open, { companyId: owner.companyId, accountId: null, orderId })
  expect(visit).toMatchObject({ ...whole, poNumber: 'PO-7', job: { odometerMiles: 41_836, vinEnd: 'KP042788' } })
  expect(visit && visitVin(visit)).toBe('KP042788')
  expect(visit?.tires.map(({ position, tin: read }) => [position, read])).toEqual(
    job.tires.map(({ position }) => [position, '7B3KXYZ920126']),
  )
  const broken = await verify(open.db, deps.clock.now())
  // The simulated clock skips charging and shipping, so such orders cause only warnings.
  expect(broken.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('owners edit any packet, buyers their own, viewers can’t, and outsiders don’t find it', async () => {
  await using open = await openTestStore(port)
  const owner = await fleetOf(open)
  const [buyer, other, viewer] = [
    await addMember(owner, 'buyer'),
    await addMember(owner, 'buyer'),
    await addMember(owner, 'viewer'),
  ]
  const { orderId } = must(await (await orderOf(asAccount(open, buyer))).place())
  const stranger = await asOwner(open, 'otto@other.example')
  const change = (accountId: string, unit: string, vin: string | null = null) =>
    changeFleetPacket(open, accountId, { orderId, packet: { ...whole, unit }, vin })
  expect(await change(owner.accountId, '1', 'KP042788')).toMatchObject({ ok: true })
  expect(await change(buyer, '2', '1HGCM82633A004352')).toMatchObject({ ok: true })
  // A full VIN isn't replaced by its last eight characters.
  expect(await change(buyer, '3', '3A004352')).toMatchObject({ ok: true })
  for (const [accountId, reason] of [
    [viewer, 'not-allowed'],
    [other, 'packet-not-found'],
    [stranger.accountId, 'packet-not-found'],
    [newId(), 'packet-not-found'],
  ] as const)
    expect(await change(accountId, '4'), accountId).toMatchObject({ reason })
  const whose = (accountId: string | null) => listFleetVisits(open, { companyId: owner.companyId, accountId }, null)
  expect((await whose(null)).visits).toMatchObject([{ orderId, unit: '3', vin: '1HGCM82633A004352', job: null }])
  expect((await whose(buyer)).visits).toHaveLength(1)
  expect((await whose(other)).visits).toEqual([])
  expect((await listFleetVisits(open, { companyId: stranger.companyId, accountId: null }, null)).visits).toEqual([])
})
