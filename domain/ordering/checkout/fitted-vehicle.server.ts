/** The facts of a chosen vehicle that decide whether parts fit. */
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { chosenVehicleSchema } from '#domain/catalog/vehicles/vehicles.ts'
import type { FittedVehicle } from '#domain/supply/parts/parts.ts'
import type { Database } from '#platform/db.ts'

/** Returns the facts of a cart's vehicle; null without a known vehicle. Conflicting sources are left out (rule FR50). */
export async function fittedVehicle(deps: { db: Database }, vehicle: unknown): Promise<FittedVehicle | null> {
  const chosen = chosenVehicleSchema.safeParse(vehicle)
  const found = chosen.success ? await findChosenVehicle(deps, chosen.data) : undefined
  return found?.ok ? { tpms: found.value.requirement.wheels?.tpms ?? null } : null
}
