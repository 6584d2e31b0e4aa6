/** The configured ways from a VIN or license plate to its vehicle, and from a vehicle to its sizes. */
import { join } from 'node:path'
import type { PlateLookup } from '#domain/catalog/vehicles/plate-lookup.port.ts'
import type { SizeSource } from '#domain/catalog/vehicles/size-source.port.ts'
import type { VinDecoder } from '#domain/catalog/vehicles/vin-decoder.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Log } from '#platform/log.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { createCarsXe } from './carsxe.ts'
import { createVinDecoder } from './vin-decoder.ts'
import { createWheelSize } from './wheel-size.ts'

/** Opens all; `plateLookup` and `sizeSource` are null for a store without a provider. */
export function openVehicleLookups(
  { dataDir, plates, sizes }: Pick<Config, 'dataDir' | 'plates' | 'sizes'>,
  { clock, log, outgoing }: { clock: Clock; log: Log; outgoing: Outgoing },
): { vinDecoder: VinDecoder; plateLookup: PlateLookup | null; sizeSource: SizeSource | null } {
  return {
    vinDecoder: createVinDecoder({ folder: join(dataDir, 'vpic'), clock, log }),
    plateLookup: plates && createCarsXe(plates, { outgoing, log }),
    sizeSource: sizes && createWheelSize(sizes, { outgoing, log }),
  }
}
