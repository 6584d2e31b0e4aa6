/** The vehicle for a fleet's cart, as entered at checkout. The order's fleet work order details start with it. */
import { findCompany } from '#domain/customers/companies/companies.server.ts'
import type { FleetPacket } from '#domain/ordering/orders/orders.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

export type FleetVehicle = FleetPacket & { vin: string | null }

/** Returns the fleet details entered so far, or null if the buyer's company doesn't require them. */
export async function readFleetVehicle(
  { db, buyer }: { db: Database; buyer: Pick<Buyer, 'priceTier'> },
  cartId: string,
): Promise<FleetVehicle | null> {
  const { companyId } = await buyer.priceTier()
  const company = companyId === null ? undefined : await findCompany({ db }, companyId)
  if (!company?.hasFleetPackets) return null
  const row = await db
    .selectFrom('cart_fleet_vehicle')
    .select(['unit', 'driver', 'vin', 'plate', 'plate_state as plateState'])
    .where('cart_id', '=', cartId)
    .executeTakeFirst()
  return row ?? { unit: null, driver: null, vin: null, plate: null, plateState: null }
}

/** Stores the entered fleet vehicle with the cart. */
export async function saveFleetVehicle(
  { db, clock }: { db: Database; clock: Clock },
  cartId: string,
  { unit, driver, vin, plate, plateState }: FleetVehicle,
): Promise<void> {
  const values = { unit, driver, vin, plate, plate_state: plateState, updated_at: clock.now() }
  await db
    .insertInto('cart_fleet_vehicle')
    .values({ cart_id: cartId, ...values })
    .onConflict((conflict) => conflict.column('cart_id').doUpdateSet(values))
    .execute()
}
