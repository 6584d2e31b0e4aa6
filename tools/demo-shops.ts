/**
 * The recent activity of the demo's shops, created with the shops' own use cases: a shop has its branded store, a
 * shopper joins a waitlist, and another one books a service. Run by `npm start` after startup. Idempotent. Changes only demo data.
 */
import { sql } from 'kysely'
import { seenAppointment } from '#domain/installer-portal/appointments/appointments.ts'
import { waitForEarlierTime } from '#domain/installer-portal/appointments/appointments.server.ts'
import { readOwnStore, saveStore, switchStore } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { brandedStoreForm } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { findPortalSession, openPortal, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import { systemClock } from '#platform/clock.ts'
import { loadConfig } from '#platform/config.ts'
import { createApplication, type Application } from '#application'
import { commandActor, runCommand } from './command.ts'
import { bookService } from './demo-service.ts'

const shopCode = 'SW-00001'
/** An owner at the busy shop, not the one a visitor signs in as. */
const owner = { email: 'marge@halsted.example', name: 'Marge Brandt' }

await runCommand(async () => {
  const app = createApplication(loadConfig())
  await using _closed = { [Symbol.asyncDispose]: () => app.close() }
  await bookService(app, shopCode)
  const busy = await findBusyShop(app)
  if (!busy) return
  await openStore(app, busy)
  await waitForOne(app, busy)
})

type BusyShop = { shopId: number }

/** Returns the demo's busy shop, or undefined in any other database. */
async function findBusyShop({ db }: Application): Promise<BusyShop | undefined> {
  return db
    .selectFrom('shop')
    .innerJoin('shop_member', 'shop_member.shop_id', 'shop.id')
    .select('shop.id as shopId')
    .where('shop.code', '=', shopCode)
    .where('shop_member.email', '=', owner.email)
    .executeTakeFirst()
}

/** Signs the owner in. */
async function signIn(app: Application, { shopId }: BusyShop): Promise<PortalActor> {
  const { email, name } = owner
  const opened = await openPortal(app, {
    issuer: 'https://demo.invalid',
    person: { subject: 'owner', email, isEmailVerified: true, name },
    idToken: null,
    authenticatedAt: app.clock.now(),
    session: undefined,
  })
  const session = opened.ok ? await findPortalSession(app, opened.value.cookie) : undefined
  if (!session) throw new Error(`${email} is no member of the demo's shop.`)
  return { sessionId: session.sessionId, shopId }
}

/** Creates the shop's branded store. Its owner submits it, and staff review it. */
async function openStore(app: Application, busy: BusyShop): Promise<void> {
  if (await readOwnStore(app, busy.shopId)) return
  const input = brandedStoreForm.parse({
    name: 'Halsted Tire',
    tagline: 'Family owned in Chicago since 1988',
    dealerCode: 'HALSTED',
    brandColor: '#7b1e28',
    accentColor: '#f2c14e',
    hostName: '',
    seen: '0',
  })
  granted(await saveStore(app, await signIn(app, busy), { input, file: null }))
  const seen = (await readOwnStore(app, busy.shopId))?.version ?? 0
  granted(await switchStore(app, { shopCode, seen, offReason: null, by: commandActor() }))
}

/** Adds a shopper to the waitlist, with the last eligible appointment of the coming week. */
async function waitForOne(app: Application, busy: BusyShop): Promise<void> {
  const { rows } = await sql`select from earlier_time_wish limit 1`.execute(app.db)
  if (rows.length > 0) return
  const ahead = await app.db
    .selectFrom('booking')
    .select('order_id as orderId')
    .where('shop_id', '=', busy.shopId)
    .where('state', '=', 'confirmed')
    .where('kind', '=', 'wait')
    .orderBy('during', 'desc')
    .limit(5)
    .execute()
  for (const { orderId } of ahead) {
    const order = orderId === null ? undefined : await readOrder(app.db, orderId)
    if (!order?.booking) continue
    const today = systemClock.now().toZonedDateTimeISO(order.timeZone).toPlainDate()
    // The tires haven't arrived by then, so no time is available yet.
    const wish = { from: today, until: today.add({ days: 1 }), parts: ['morning', 'evening'] as const }
    const seen = seenAppointment(order.booking)
    if ((await waitForEarlierTime(app, { orderId: order.id, seen, wish })).ok) return
  }
}

function granted<Value>(outcome: { ok: true; value: Value } | { ok: false; reason: string }): Value {
  if (!outcome.ok) throw new Error(`The demo's shop was refused: ${outcome.reason}.`)
  return outcome.value
}
