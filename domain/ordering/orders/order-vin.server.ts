/** The VIN of an order's vehicle, recorded by staff and searchable by its last eight characters. */
import { lockOrder } from './order-life.sql.server.ts'
import { selectVin, upsertVin } from './order-vin.sql.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readVin, vinEnd } from '#domain/catalog/vehicles/vehicles.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** Returns the last eight characters of the VIN of an order's vehicle; null if not recorded. */
export async function readVinEnd(db: Database, orderId: number): Promise<string | null> {
  const vin = await selectVin(db, orderId)
  return vin?.slice(-8) ?? null
}

/**
 * Records the VIN of the car that an order is for; another one replaces it. Refuses `not-a-vin`, and `not-allowed` to
 * those who may not add notes. The audit log has the last eight characters before and after.
 */
export async function recordVin(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  { orderId, typed }: { orderId: number; typed: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'order-not-found'> | Refused<'not-a-vin'>>> {
  const vin = readVin(typed)
  if (vin === undefined) return refused('not-a-vin')
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'orders.note', at)
    if (!permitted.ok) return permitted
    if (!(await lockOrder(tx, orderId))) return refused('order-not-found')
    const was = await selectVin(tx, orderId)
    if (was === vin) return ok(null)
    await upsertVin(tx, { orderId, vin, by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'order.vin-recorded',
      subject: orderNumber(orderId).toLowerCase(),
      before: { vin: was ? (vinEnd(was) ?? null) : null },
      after: { vin: vinEnd(vin) ?? null },
      at,
    })
    return ok(null)
  })
}
