/** Pickup locations of quotes. */
import { findPickupWarehouse, type DeliveryDeps } from '#domain/supply/delivery/delivery.server.ts'
import { findPickupPlace } from '#domain/supply/pickup-places/pickup-places.server.ts'
import type { Quote } from './quotes.sql.server.ts'

/** The pickup fields of a quote for delivery or installation. */
export const noPickup = { pickupWarehouseId: null, carrierLocationId: null } as const

/** Returns the quote's warehouse or carrier location as text; null without one, or if the warehouse ended its pickup. */
export async function readPickupText(
  deps: DeliveryDeps,
  { pickupWarehouseId, carrierLocationId }: Pick<Quote, 'pickupWarehouseId' | 'carrierLocationId'>,
): Promise<string | null> {
  const place =
    pickupWarehouseId === null
      ? carrierLocationId === null
        ? undefined
        : await findPickupPlace(deps, carrierLocationId)
      : await findPickupWarehouse(deps, pickupWarehouseId)
  return place ? `${place.name}, ${place.street}, ${place.city}, ${place.state} ${place.zip}` : null
}
