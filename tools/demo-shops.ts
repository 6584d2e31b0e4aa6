/**
 * What the shops of the demo did lately, reached as they do it: a technician finished jobs of last week, which the owner
 * was paid for, a shop has its store under its own name, and a shopper waits for an earlier time. Run by `npm start` once
 * everything runs, as the bank details and the money pass through the payment sandbox. Run again it changes nothing, and
 * it leaves alone what is not the demo.
 */
import { sql } from 'kysely'
import { seenAppointment } from '#domain/appointments/appointments.ts'
import { waitForEarlierTime } from '#domain/appointments/appointments.server.ts'
import { claimCodeOf } from '#domain/booking/booking.server.ts'
import { readOwnStore, saveStore, switchStore } from '#domain/branded-stores/branded-stores.server.ts'
import { brandedStoreForm } from '#domain/branded-stores/branded-stores.ts'
import { readOrder } from '#domain/orders/orders.server.ts'
import { openBankPage, refreshAccount, sendDuePayouts } from '#domain/payouts/payouts.server.ts'
import { findPortalSession, openPortal, type PortalActor } from '#domain/portal/portal.server.ts'
import { countPiece, finishJob, moveJob, readJob, type Job } from '#domain/work-orders/work-orders.server.ts'
import { systemClock } from '#platform/clock.ts'
import { loadConfig } from '#platform/config.ts'
import { createShop, type Shop } from '#shop'
import { commandActor, runCommand } from './command.ts'

const shopCode = 'SW-00001'
/** People of the demo's busy shop who are only told of: who tries the demo signs in as its other owner or technician. */
const people = {
  owner: { email: 'marge@halsted.example', name: 'Marge Brandt' },
  technician: { email: 'ines@halsted.example', name: 'Ines Ford' },
}
type DemoRole = keyof typeof people
/** Iris, drawn with a finger: strokes of points. */
const signature = '40,70 48,40 52,38;70,55 74,42 82,40 88,46;100,40 99,68;100,28 101,29;130,42 118,46 128,56 116,66'

await runCommand(async () => {
  const shop = createShop(loadConfig())
  await using _closed = { [Symbol.asyncDispose]: () => shop.close() }
  const busy = await findBusyShop(shop)
  if (!busy) return
  await openStore(shop, busy)
  await finishJobs(shop, busy)
  await payLastWeek(shop, busy)
  await waitForOne(shop, busy)
})

type BusyShop = { shopId: number }

/** The shop of the demo whose jobs were left to finish; undefined in any other database. */
async function findBusyShop({ db }: Shop): Promise<BusyShop | undefined> {
  return db
    .selectFrom('shop')
    .innerJoin('shop_member', 'shop_member.shop_id', 'shop.id')
    .select('shop.id as shopId')
    .where('shop.code', '=', shopCode)
    .where('shop_member.email', '=', people.owner.email)
    .executeTakeFirst()
}

/** Signs somebody in as of a moment of theirs. */
async function signIn(shop: Shop, role: DemoRole, { shopId }: BusyShop): Promise<PortalActor> {
  const { email, name } = people[role]
  const opened = await openPortal(shop, {
    issuer: 'https://demo.invalid',
    person: { subject: role, email, isEmailVerified: true, name },
    idToken: null,
    authenticatedAt: shop.clock.now(),
    session: undefined,
  })
  const session = opened.ok ? await findPortalSession(shop, opened.value.cookie) : undefined
  if (!session) throw new Error(`${email} is no member of the demo's shop.`)
  return { sessionId: session.sessionId, shopId }
}

/** The shop's store under its name: its owner enters it, and the office looks at it. */
async function openStore(shop: Shop, busy: BusyShop): Promise<void> {
  if (await readOwnStore(shop, busy.shopId)) return
  const input = brandedStoreForm.parse({
    name: 'Halsted Tire',
    tagline: 'Family owned in Chicago since 1988',
    dealerCode: 'HALSTED',
    brandColor: '#7b1e28',
    accentColor: '#f2c14e',
    hostName: '',
    seen: '0',
  })
  granted(await saveStore(shop, await signIn(shop, 'owner', busy), { input, file: null }))
  const seen = (await readOwnStore(shop, busy.shopId))?.version ?? 0
  granted(await switchStore(shop, { shopCode, seen, offReason: null, by: commandActor() }))
}

/**
 * The jobs that were over when the demo was made: the technician finishes each in its own hour, the first by claim code.
 * Later ones are those of whoever tries the demo.
 */
async function finishJobs(shop: Shop, busy: BusyShop): Promise<void> {
  const jobs = await shop.db
    .selectFrom('booking')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select(['booking.id', 'sales_order.first_name as firstName', 'sales_order.last_name as lastName'])
    .select(sql<Temporal.Instant>`lower(booking.during)`.as('start'))
    .where('booking.shop_id', '=', busy.shopId)
    .where('booking.state', '=', 'confirmed')
    .where(sql<boolean>`upper(booking.during) < (select min(finished_at) from seed_run)`)
    .orderBy('start')
    .execute()
  for (const [index, { id, firstName, lastName, start }] of jobs.entries())
    await finish({ ...shop, clock: { now: () => start.add({ minutes: 5 }) } }, busy, {
      bookingId: id,
      signedName: index === 0 ? null : `${firstName} ${lastName}`,
      nth: index,
    })
}

async function finish(
  shop: Shop,
  busy: BusyShop,
  { bookingId, signedName, nth }: { bookingId: string; signedName: string | null; nth: number },
): Promise<void> {
  const by = await signIn(shop, 'technician', busy)
  const read = () => readJob(shop, { shopId: busy.shopId, bookingId })
  const job = await read()
  if (!job) throw new Error(`The demo's job ${bookingId} is gone.`)
  for (const { lineNo, quantity, received } of job.pieces)
    for (let counted = received; counted < quantity; counted++)
      granted(await countPiece(shop, by, { bookingId, lineNo, change: 1 }))
  granted(await moveJob(shop, by, { bookingId, to: 'arrived' }))
  granted(await moveJob(shop, by, { bookingId, to: 'in-bay' }))
  const later = { ...shop, clock: { now: () => shop.clock.now().add({ minutes: 55 }) } }
  const proof = signedName
    ? { code: null, signedName, signature }
    : { code: claimCodeOf(shop.config.session.secret, bookingId), signedName: null, signature: null }
  const input = { tires: tiresOf(job, nth), odometerMiles: 41_836 + nth * 2_417, vinEnd: null, packet: null, ...proof }
  granted(await finishJob(later, by, { bookingId, input }))
}

/** Tires made in the half year before: their numbers, and what the old ones had left. */
function tiresOf({ tires, today }: Job, nth: number) {
  const made = today.subtract({ days: 150 + 7 * nth })
  const week = `${String(made.weekOfYear ?? 1).padStart(2, '0')}${String((made.yearOfWeek ?? made.year) % 100).padStart(2, '0')}`
  return tires.map(({ lineNo, nth: piece, position }, index) => ({
    lineNo,
    nth: piece,
    position,
    tin: `7B3KXYZ92${week}`,
    oldTread32: 2 + ((index + nth) % 3),
  }))
}

/** The owner enters the bank details on the provider's page, and what is due is sent. */
async function payLastWeek(shop: Shop, busy: BusyShop): Promise<void> {
  const { rows } = await sql`select from payout_account where shop_id = ${busy.shopId}::int`.execute(shop.db)
  if (rows.length > 0 || shop.config.payments.kind !== 'sandbox') return
  const here = shop.config.web.origin
  const by = await signIn(shop, 'owner', busy)
  const { url } = granted(await openBankPage(shop, by, { returnUrl: here, refreshUrl: here }))
  const body = new URLSearchParams({ routing: '110000000', account: '000123456789' })
  await fetch(url, { method: 'POST', body, redirect: 'manual' })
  await refreshAccount(shop, busy.shopId)
  await sendDuePayouts(shop)
}

/** A shopper of a week to come would come earlier: the last appointment that can wait does. */
async function waitForOne(shop: Shop, busy: BusyShop): Promise<void> {
  const { rows } = await sql`select from earlier_time_wish limit 1`.execute(shop.db)
  if (rows.length > 0) return
  const ahead = await shop.db
    .selectFrom('booking')
    .select('order_id as orderId')
    .where('shop_id', '=', busy.shopId)
    .where('state', '=', 'confirmed')
    .where('kind', '=', 'wait')
    .orderBy('during', 'desc')
    .limit(5)
    .execute()
  for (const { orderId } of ahead) {
    const order = orderId === null ? undefined : await readOrder(shop.db, orderId)
    if (!order?.booking) continue
    const today = systemClock.now().toZonedDateTimeISO(order.timeZone).toPlainDate()
    // Before the tires are there nothing is free, so that there is something to wait for.
    const wish = { from: today, until: today.add({ days: 1 }), parts: ['morning', 'evening'] as const }
    const seen = seenAppointment(order.booking)
    if ((await waitForEarlierTime(shop, { orderId: order.id, seen, wish })).ok) return
  }
}

function granted<Value>(outcome: { ok: true; value: Value } | { ok: false; reason: string }): Value {
  if (!outcome.ok) throw new Error(`The demo's shop was refused: ${outcome.reason}.`)
  return outcome.value
}
