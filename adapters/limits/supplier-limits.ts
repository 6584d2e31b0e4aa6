import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { supplierAttempts, type SupplierLimits } from '#domain/supply/stock/supplier-limits.port.ts'

export function createSupplierLimits({ db, networkFactor }: LimitSettings): SupplierLimits {
  const { perNetwork, windowMinutes: minutes } = supplierAttempts
  return createSharedLimiter(db, { of: 'supplier', most: perNetwork * networkFactor, minutes })
}
