/** A shopper rates the shop after the work. */
import { addShopRating } from '#domain/scheduling/installers/installers.server.ts'
import { lockOrder, readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { RatingInput } from './appointments.ts'
import { insertRating, selectRating } from './ratings.sql.server.ts'
import { readStage, type AppointmentDeps } from './reply.server.ts'

/** Whether the work of an order can be rated, or was; null while it is not done. */
export async function readRating(deps: AppointmentDeps, order: OrderView): Promise<'open' | 'given' | null> {
  const { stage } = await readStage(deps, order)
  if (stage !== 'done' || !order.booking) return null
  return (await selectRating(deps.db, order.booking.id)) ? 'given' : 'open'
}

/**
 * Records a rating, once per completed appointment, and applies it to the shop immediately. Later ratings are ignored.
 */
export function rateShop(
  deps: AppointmentDeps,
  { orderId, rating }: { orderId: number; rating: RatingInput },
): Promise<Outcome<{ isNew: boolean }, Refused<'not-found'> | Refused<'not-now'>>> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await lockOrder(tx, orderId))) return refused('not-found')
    const order = await readOrder(tx, orderId)
    if (!order?.booking || !order.shop) return refused('not-found')
    const state = await readRating({ ...deps, db: tx }, order)
    if (state !== 'open') return state === 'given' ? ok({ isNew: false }) : refused('not-now')
    const { id: shopId } = order.shop
    await insertRating(tx, { ...rating, bookingId: order.booking.id, shopId, at: deps.clock.now() })
    await addShopRating(tx, shopId, rating)
    return ok({ isNew: true })
  })
}
