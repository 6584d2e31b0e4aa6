import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { vinLookupAttempts, type VinLimits } from '#domain/catalog/vehicles/vin-limits.port.ts'

export function createVinLimits({ db, networkFactor }: LimitSettings): VinLimits {
  const { perAddress, windowMinutes: minutes } = vinLookupAttempts
  const limiter = createSharedLimiter(db, { of: 'vin', most: perAddress * networkFactor, minutes })
  return { take: (from) => limiter.take(from) }
}
