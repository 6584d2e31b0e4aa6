import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { fleetListsPerDay, type FleetQuoteLimits } from '#domain/channels/fleet-quotes/fleet-quote-limits.port.ts'

export function createFleetQuoteLimits({ db }: Pick<LimitSettings, 'db'>): FleetQuoteLimits {
  const limiter = createSharedLimiter(db, { of: 'fleet-quote', most: fleetListsPerDay, minutes: 24 * 60 })
  return { take: (companyId) => limiter.take(companyId) }
}
