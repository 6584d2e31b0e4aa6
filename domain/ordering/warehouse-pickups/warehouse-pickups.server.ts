/**
 * A warehouse's counter, where staff mark an order as ready, complete it for the customer's code and ID, or cancel an
 * uncollected one. Each action is one idempotent transaction with an audit entry.
 */
import {
  cancelLinesAsStaff,
  readCancelable,
  type CancelLinesRefusal,
} from '#domain/ordering/cancellations/cancellations.server.ts'
import { countCancelable } from '#domain/ordering/cancellations/cancellations.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import {
  isPickupCode,
  listPickups,
  lockPickup,
  moveShipment,
  readOrder,
  updateHandedOver,
  updateReady,
  updateWrongCode,
  type Pickup,
} from '#domain/ordering/orders/orders.server.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { counterCarrier, mostWrongCodes, wrongCodeMinutes } from '#domain/ordering/orders/orders.ts'
import { recordAct, requirePermission, type Actor, type Recorded } from '#domain/kernel/staff/staff.server.ts'
import { longestCounterSearch, type HandOver } from './warehouse-pickups.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock }
type Common = Refused<'not-allowed'> | Refused<'pickup-not-found'>
export type ReadyRefusal = Common | Refused<'moved'>
/** `wrong-code` includes the attempts left before the counter is locked. */
export type HandOverRefusal =
  | Common
  | Refused<'not-ready'>
  | Refused<'pieces', { tires: number }>
  | Refused<'wrong-code', { left: number }>
  | Refused<'too-many-codes'>
export type MissedRefusal = Common | Refused<'not-overdue'> | CancelLinesRefusal

/** Marks an order as ready. Its customer gets the code, and it is held for some days. */
export function makePickupReady(deps: Deps, by: Actor, orderId: number): Promise<Outcome<null, ReadyRefusal>> {
  return act(deps, by, orderId, async (tx, pickup, at) => {
    if (pickup.readyAt) return ok(null)
    const isMoved = await moveShipment(tx, pickup.shipmentId, 'pending-pickup', {
      actor: `staff:${by.name}`,
      at,
      note: null,
      tracking: { carrier: counterCarrier, trackingNumber: `PU-${orderId}` },
    })
    if (!isMoved) return refused('moved')
    const keepUntil = at.toZonedDateTimeISO(pickup.timeZone).toPlainDate().add({ days: pickup.keptDays })
    await updateReady(tx, orderId, { at, keepUntil })
    await queueMessage(tx, { kind: 'pickup-ready', key: `pickup-ready:${orderId}`, to: pickup.email, orderId, at })
    await record(tx, by, 'pickup.ready', orderId, { keepUntil: keepUntil.toString() }, at)
    return ok(null)
  })
}

/** Completes an order's pickup with the customer's code. Five consecutive wrong codes lock the counter. */
export function handOverPickup(
  deps: Deps & { config: { session: { secret: Secrets } } },
  by: Actor,
  { orderId, code, pieces }: Pick<HandOver, 'code' | 'pieces'> & { orderId: number },
): Promise<Outcome<null, HandOverRefusal>> {
  return act(deps, by, orderId, async (tx, pickup, at): Promise<Outcome<null, HandOverRefusal>> => {
    if (pickup.handedOverAt) return ok(null)
    if (!pickup.readyAt) return refused('not-ready')
    const isOver = pickup.wrongCodeAt === null || at.since(pickup.wrongCodeAt).total('minutes') >= wrongCodeMinutes
    const wrong = isOver ? 0 : pickup.wrongCodes
    if (wrong >= mostWrongCodes) return refused('too-many-codes')
    if (!isPickupCode(deps.config.session.secret, orderId, code)) {
      await updateWrongCode(tx, orderId, { count: wrong + 1, at })
      return refused('wrong-code', { left: mostWrongCodes - wrong - 1 })
    }
    if (pieces !== pickup.tires) return refused('pieces', { tires: pickup.tires })
    for (const step of ['in-transit', 'delivered'] as const)
      await moveShipment(tx, pickup.shipmentId, step, {
        actor: `staff:${by.name}`,
        at,
        note: step === 'delivered' ? 'Picked up at the counter' : null,
        tracking: null,
      })
    await updateHandedOver(tx, orderId, { at, by: by.name })
    await record(tx, by, 'pickup.handed-over', orderId, { tires: pieces }, at)
    return ok(null)
  })
}

/**
 * Cancels a ready order that wasn't collected in time. Its tires are restocked and refunded, like lines canceled by
 * staff.
 */
export async function endMissedPickup(
  deps: Deps,
  by: Actor,
  { orderId, key }: { orderId: number; key: string },
): Promise<Outcome<null, MissedRefusal>> {
  const checked = await act(deps, by, orderId, (_tx, pickup) =>
    Promise.resolve(pickup.state === 'overdue' ? ok(null) : refused('not-overdue')),
  )
  if (!checked.ok) return checked
  const order = await readOrder(deps.db, orderId)
  if (!order) return refused('pickup-not-found')
  const lines = await readCancelable(deps, order)
  const done = await cancelLinesAsStaff(deps, by, {
    orderId,
    key,
    lines: lines.map(({ lineNo, most }) => ({ lineNo, units: most })),
    seen: countCancelable(lines),
    agreedCents: null,
    reason: 'Not picked up in time.',
  })
  return done.ok ? ok(null) : done
}

/**
 * Finds an order at the counter by number, or among ready ones by the customer's code. Undefined if there is no match.
 */
export async function searchPickups(
  deps: Deps & { config: { session: { secret: Secrets } } },
  words: string,
): Promise<number | undefined> {
  const typed = words.slice(0, longestCounterSearch)
  const code = typed.replaceAll(/[\s-]/g, '')
  if (/^\d{6}$/.test(code)) {
    const lists = await Promise.all(
      (['ready', 'overdue'] as const).map((state) => listPickups(deps, { state, limit: mostSearched })),
    )
    const found = lists.flat().find(({ orderId }) => isPickupCode(deps.config.session.secret, orderId, code))
    if (found) return found.orderId
  }
  return parseOrderNumber(typed)
}

const mostSearched = 1_000

async function act<Value, Refusal extends Refused<string> | Refused<string, unknown>>(
  { db, clock }: Deps,
  by: Actor,
  orderId: number,
  change: (tx: Tx, pickup: Pickup, at: Temporal.Instant) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal | Common>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'pickups.hand-over', at)
    if (!permitted.ok) return permitted
    const pickup = await lockPickup(tx, clock, orderId)
    return pickup ? change(tx, pickup, at) : refused('pickup-not-found')
  })
}

function record(
  tx: Tx,
  by: Actor,
  did: 'pickup.ready' | 'pickup.handed-over',
  orderId: number,
  after: Recorded,
  at: Temporal.Instant,
) {
  return recordAct(tx, { by, act: did, subject: orderNumber(orderId), after, at })
}
