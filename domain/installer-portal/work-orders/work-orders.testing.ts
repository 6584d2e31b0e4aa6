/** Test fixtures for a shop's technician, and a job with complete data. */
import { sql } from 'kysely'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { findPortalSession, openPortal, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import type { JobInput } from './job-form.ts'
import type { Job } from './job.server.ts'
import { countPiece } from './pieces.server.ts'
import type { Secrets } from '#platform/secrets.ts'

/** A TIN of the first week of 2026. */
export const goodTin = '7B3KXYZ920126'

type Store = { db: Database; clock: Clock; config: { session: { secret: Secrets } } }

/** Signs the demo's technician in to the portal, as this shop's member. */
export async function technicianOf(store: Store, shopId: number): Promise<PortalActor> {
  await joinShop(store, { shopId })
  const person = { subject: 'technician', email: technicianEmail, isEmailVerified: true, name: 'Technician' }
  const opened = await openPortal(store, {
    issuer: 'https://id.example',
    person,
    idToken: null,
    authenticatedAt: store.clock.now(),
    session: undefined,
  })
  const session = opened.ok ? await findPortalSession(store, opened.value.cookie) : undefined
  if (!session) throw new Error('The technician is no member.')
  return { sessionId: session.sessionId, shopId }
}

const technicianEmail = 'technician@example.com'

/** Adds one demo shop's member to another. */
export async function joinShop(
  { db }: Pick<Store, 'db'>,
  { shopId, email = technicianEmail }: { shopId: number; email?: string },
): Promise<void> {
  const members = await db.selectFrom('shop_member').selectAll().where('email', '=', email).execute()
  const [member] = members
  if (!member || members.some((each) => each.shop_id === shopId)) return
  await db
    .insertInto('shop_member')
    .values({ ...member, id: newId(), shop_id: shopId })
    .execute()
}

/**
 * Moves a job to today for stores with a real clock. Its appointment moves to the current hour, or at night to one
 * without others. Returns its order.
 */
export async function moveToToday(
  { db }: Pick<Store, 'db'>,
  bookingId: string,
  now: Temporal.Instant,
  hour = 3,
): Promise<number> {
  const booking = await db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['booking.order_id as orderId', 'shop.time_zone as timeZone'])
    .where('booking.id', '=', bookingId)
    .executeTakeFirstOrThrow()
  const start = now.toZonedDateTimeISO(booking.timeZone).startOfDay().add({ hours: hour })
  const during = `[${start.toInstant().toString()},${start.add({ hours: 1 }).toInstant().toString()})`
  await db.transaction().execute(async (tx) => {
    // The shop is closed then, and its capacity takes no appointment.
    await sql`alter table booking disable trigger booking_within_capacity`.execute(tx)
    await tx.updateTable('booking').set({ during }).where('id', '=', bookingId).execute()
    await sql`alter table booking enable trigger booking_within_capacity`.execute(tx)
  })
  return booking.orderId ?? 0
}

/** The same with the job's parcels delivered. */
export async function bringToToday({ db }: Pick<Store, 'db'>, bookingId: string, now: Temporal.Instant): Promise<void> {
  await moveParcels({ db }, await moveToToday({ db }, bookingId, now), 'delivered', now)
}

/** Delivers a job's parcels, and has the shop count every tire. */
export async function receiveTires(store: Store, by: PortalActor, bookingId: string): Promise<void> {
  const { order_id: orderId } = await store.db
    .selectFrom('booking')
    .select('order_id')
    .where('id', '=', bookingId)
    .executeTakeFirstOrThrow()
  await moveParcels(store, orderId ?? 0, 'delivered', store.clock.now())
  const lines = (await readOrder(store.db, orderId ?? 0))?.lines ?? []
  for (const { lineNo, quantity, canceled } of lines.filter(({ kind }) => kind === 'tire'))
    for (let count = canceled; count < quantity; count += 1)
      await countPiece(store, by, { bookingId, lineNo, change: 1 })
}

/** Everything a finished job needs, signed by its customer. */
export function wholeInput({ tires }: Pick<Job, 'tires'>, change: Partial<JobInput> = {}): JobInput {
  return {
    tires: tires.map(({ lineNo, nth, position }) => ({ lineNo, nth, position, tin: goodTin, oldTread32: 3 })),
    odometerMiles: 41_836,
    torqueLbFt: null,
    code: null,
    signedName: 'Iris Vale',
    signature: null,
    vinEnd: null,
    packet: null,
    ...change,
  }
}
