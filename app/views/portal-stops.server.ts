/** A stop of a van as its crew reads it. */
import { portalPaths } from '#content/portal-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { cityLine } from '#domain/ordering/orders/orders.ts'
import type { VanStopOfDay } from '#domain/installer-portal/portal/portal.server.ts'
import { clockRangeText, clockText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'

export type StopView = {
  id: string
  time: string
  who: string
  order: string
  job: string
  isDone: boolean
  drive: string | null
  address: string[]
  notes: string | null
  /** `geo:` opens the phone's maps app; the map is for devices without one. */
  directions: string | null
  map: string | null
  what: string[]
}

export function stopView(
  { bookingId, orderId, start, end, isDone, firstName, lastInitial, vehicle, tires, where, point, drive }: VanStopOfDay,
  { shopCode, timeZone }: { shopCode: string; timeZone: string },
): StopView {
  const line = where && [where.address.line1, cityLine(where.address)].join(', ')
  const place = point ? `${point.latitude},${point.longitude}` : '0,0'
  return {
    id: bookingId,
    time: clockRangeText(start, end, timeZone),
    who: `${firstName} ${lastInitial}.`,
    order: orderNumber(orderId),
    job: portalPaths.job(shopCode, bookingId),
    isDone,
    drive: drive && driveText(drive, timeZone),
    address: where
      ? [where.address.line1, where.address.line2 ?? '', cityLine(where.address)].filter((part) => part !== '')
      : [],
    notes: where?.notes ?? null,
    directions: line && `geo:${place}?q=${encodeURIComponent(line)}`,
    map: line && `https://www.openstreetmap.org/search?query=${encodeURIComponent(line)}`,
    what: [vehicle ?? 'Vehicle not given', ...tires.map(({ quantity, description }) => `${quantity} ${description}`)],
  }
}

function driveText({ minutes, miles, leaveBy }: NonNullable<VanStopOfDay['drive']>, timeZone: string): string {
  const far = miles === null ? '' : `${miles.toFixed(1)} mi, `
  return `Drive ${far}about ${countOf(minutes, 'minute')}: leave by ${clockText(leaveBy, timeZone)}`
}
