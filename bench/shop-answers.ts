/**
 * The shop portal's reads and writes, as JSON next to the limits: a day of its calendar, its available month, and an
 * own job that is created and canceled.
 */
import { offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import {
  endOwnJob,
  enterOwnJob,
  findPortalSession,
  openPortal,
  readShopDay,
  type PortalActor,
} from '#domain/installer-portal/portal/portal.server.ts'
import { ownJobForm } from '#domain/installer-portal/portal/portal.ts'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'

const code = 'SW-00001'
const ownerEmail = 'shop-owner@example.com'
const tires = [{ rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P', quantity: 4 }]

type ShopAnswers = {
  /** Today and the six days after it, in turn. */
  day(): Promise<unknown>
  month(): Promise<unknown>
  ownJob(): Promise<unknown>
}

/** Signs in the demo's shop owner. The responses are for that shop. */
export async function openShopAnswers(app: Application): Promise<ShopAnswers> {
  const { id: shopId, time_zone: timeZone } = await app.db
    .selectFrom('shop')
    .select(['id', 'time_zone'])
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  const bays = await app.db
    .selectFrom('shop_bay')
    .select('id')
    .where('shop_id', '=', shopId)
    .where('kind', '=', 'bay')
    .execute()
  const by = await signIn(app, shopId)
  const today = app.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  const arrivesOn = today.add({ days: 2 })
  let asked = 0
  return {
    day: () => readShopDay(app, { shopId, timeZone }, today.add({ days: asked++ % 7 })),
    month: () => offerTimes(app, { shopId, tires, arrivesOn }),
    async ownJob() {
      // Rotates bay, day, and time, so that requests don't wait for each other.
      const turn = asked++
      const typed = ownJobForm.parse({
        key: newId(),
        revision: '0',
        kind: 'phone',
        bay: String(bays[turn % bays.length]?.id),
        on: today.add({ days: 40 + (turn % 120) }).toString(),
        at: turn % 2 === 0 ? '09:00' : '14:00',
        minutes: '45',
        firstName: 'Kim',
      })
      const entered = await enterOwnJob(app, by, { typed, ownJobId: null, timeZone })
      if (!entered.ok) throw new Error(`An own job was refused: ${entered.reason}`)
      const ended = await endOwnJob(app, by, { ownJobId: entered.value.ownJobId, act: 'cancel' })
      if (!ended.ok) throw new Error(`An own job was not canceled: ${ended.reason}`)
      return { ownJobId: entered.value.ownJobId }
    },
  }
}

async function signIn(app: Application, shopId: number): Promise<PortalActor> {
  const opened = await openPortal(app, {
    issuer: 'https://id.example',
    person: { subject: 'bench', email: ownerEmail, isEmailVerified: true, name: 'Hal Brandt' },
    idToken: null,
    authenticatedAt: app.clock.now(),
    session: undefined,
  })
  const session = opened.ok ? await findPortalSession(app, opened.value.cookie) : undefined
  if (!session) throw new Error('The demo has no owner of the shop.')
  return { sessionId: session.sessionId, shopId }
}
