/** A move of an online appointment by its shop. */
import { moveAppointmentAsShop, type ShopMoveRefusal } from '#domain/ordering/orders/orders.server.ts'
import { moveReasons, type MoveTyped } from './own-job-form.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { Outcome } from '#platform/outcome.ts'

export type MoveFault = ShopMoveRefusal

/** Moves an appointment to the bay and time of the form. The member's role is read again with the move. */
export async function moveAsShop(
  deps: { db: Database; clock: Clock },
  by: PortalActor,
  { bookingId, typed, timeZone, who }: { bookingId: string; typed: MoveTyped; timeZone: string; who: string },
): Promise<Outcome<{ isNew: boolean; isMailed: boolean }, MoveFault>> {
  const { at, on } = typed
  const isAllowed = (tx: Tx) => requireShopMember(tx, by, 'appointment.move', deps.clock.now())
  const member = await deps.db.transaction().execute(isAllowed)
  if (!member.ok) return member
  return moveAppointmentAsShop(deps, {
    shopId: by.shopId,
    bookingId,
    bayId: typed.bay,
    choice:
      typeof at === 'string'
        ? { date: on, window: at }
        : { start: on.toZonedDateTime({ timeZone, plainTime: at }).toInstant() },
    reason: typed.reason === null ? null : moveReasons[typed.reason],
    actor: `shop:${who}`.slice(0, 100),
    memberId: member.value.memberId,
    allow: async (tx) => (await isAllowed(tx)).ok,
  })
}
