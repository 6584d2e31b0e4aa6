/** Shipping zones of states and exceptions that a store sets. Safe in the browser. */
import type { ShippingException, ShippingPlan, ShippingZoneKey, StoreZone } from '#domain/kernel/rates/rates.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { shippingZones } from './shipping-terms.ts'

export const emptyPlan: ShippingPlan = { zones: [], exceptions: [] }

export const maxZones = 20
export const maxExceptions = 50

/** The key of a zone in exceptions. */
export function zoneKey({ id }: Pick<StoreZone, 'id'>): ShippingZoneKey {
  return `zone-${id}`
}

/** The end of an exception's last day; null for no end. */
function endOf({ until }: ShippingException): Temporal.Instant | null {
  return until === null
    ? null
    : Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime({ timeZone: storeZone }).toInstant()
}

/** When the exceptions of a plan end. */
export function endsOf({ exceptions }: ShippingPlan): Temporal.Instant[] {
  return exceptions.flatMap((exception) => endOf(exception) ?? [])
}

/** A plan without the exceptions that have ended at `at`. */
export function planAt({ zones, exceptions }: ShippingPlan, at: Temporal.Instant): ShippingPlan {
  return {
    zones,
    exceptions: exceptions.filter((exception) => {
      const end = endOf(exception)
      return end === null || Temporal.Instant.compare(end, at) > 0
    }),
  }
}

const regionLabels = Object.fromEntries(Object.values(shippingZones).map(({ region, label }) => [region, label]))

/** "Alaska", "Midwest", or "Everywhere". */
export function whereText(where: ShippingZoneKey | null, { zones }: Pick<ShippingPlan, 'zones'>): string {
  if (where === null) return 'Everywhere'
  return regionLabels[where] ?? zones.find((zone) => zoneKey(zone) === where)?.name ?? where
}

/** "Tires over 100 lb" or "All tires". */
export function tiresText({ aboveLb }: Pick<ShippingException, 'aboveLb'>): string {
  return aboveLb === null ? 'All tires' : `Tires over ${aboveLb} lb`
}

/** "$18.00 per tire" or "$10.00 less per tire". */
export function exceptionRateText({ kind, cents }: Pick<ShippingException, 'kind' | 'cents'>): string {
  return `${formatCents(cents)} ${kind === 'less' ? 'less ' : ''}per tire`
}
