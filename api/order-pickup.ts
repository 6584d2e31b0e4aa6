/** Where, when and with what an order is picked up. */
import { z } from 'zod'
import { day, instant } from '#api/schemas.ts'
import { readyCodeOf, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { keptUntil, pickupProof, weekText } from '#domain/supply/pickup-places/pickup-places.ts'
import type { Application } from '#application'

export const orderPickup = z
  .strictObject({
    hours: z.string(),
    heldSince: instant.nullable(),
    keptUntil: day.nullable().meta({ description: 'Last day to pick up the order, once it’s ready' }),
    bring: z.string(),
    code: z.string().nullable().meta({ description: 'The pickup code, once it is ready at a warehouse' }),
  })
  .meta({ description: 'Hours of the pickup location or warehouse, if the order is picked up at one' })

/** Null for delivered tires. */
export function pickupView(app: Pick<Application, 'config'>, found: OrderView): z.input<typeof orderPickup> | null {
  const { pickup, timeZone, warehousePickup } = found
  if (warehousePickup)
    return {
      hours: weekText(warehousePickup.week),
      heldSince: warehousePickup.readyAt?.toString() ?? null,
      keptUntil: warehousePickup.keepUntil,
      bring: pickupProof,
      code: readyCodeOf(app.config.session.secret, found),
    }
  if (!pickup) return null
  const { week, heldSince, holdsDays } = pickup
  const arrived = heldSince?.toZonedDateTimeISO(timeZone).toPlainDate()
  return {
    hours: weekText(week),
    heldSince: heldSince?.toString() ?? null,
    keptUntil: arrived ? keptUntil(arrived, holdsDays).toString() : null,
    bring: pickupProof,
    code: null,
  }
}
