/** The configured ways from a VIN or license plate to its vehicle. */
import { join } from 'node:path'
import type { PlateLookup } from '#domain/catalog/vehicles/plate-lookup.port.ts'
import type { VinDecoder } from '#domain/catalog/vehicles/vin-decoder.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Log } from '#platform/log.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { createCarsXe } from './carsxe.ts'
import { createVinDecoder } from './vin-decoder.ts'

/** Opens both; `plateLookup` is null for a store without a provider. */
export function openVehicleLookups(
  { dataDir, plates }: Pick<Config, 'dataDir' | 'plates'>,
  { clock, log, outgoing }: { clock: Clock; log: Log; outgoing: Outgoing },
): { vinDecoder: VinDecoder; plateLookup: PlateLookup | null } {
  return {
    vinDecoder: createVinDecoder({ folder: join(dataDir, 'vpic'), clock, log }),
    plateLookup: plates && createCarsXe(plates, { outgoing, log }),
  }
}
