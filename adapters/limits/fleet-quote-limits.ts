import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import type { FleetQuoteLimits } from '#domain/fleet-quotes/fleet-quote-limits.port.ts'
import { fleetListsPerDay } from '#domain/fleet-quotes/fleet-quotes.ts'

export function createFleetQuoteLimits({ db }: Pick<LimitSettings, 'db'>): FleetQuoteLimits {
  const limiter = createSharedLimiter(db, { of: 'fleet-quote', most: fleetListsPerDay, minutes: 24 * 60 })
  return { take: (companyId) => limiter.take(companyId) }
}
