/** Which warehouses ship fastest to each part of the country. */
import type { Application } from '#application'
import { promisesByZip, readWarehouseUnits, type listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { isBusinessDay, releaseAfterSeconds } from '#domain/supply/delivery/delivery.ts'
import { countOf } from '#platform/count-text.ts'

/** A large city for each zone. */
const zones = [
  { zone: 'Midwest', city: 'Chicago', zip: '60614' },
  { zone: 'South and East', city: 'Atlanta', zip: '30303' },
  { zone: 'West', city: 'Los Angeles', zip: '90012' },
  { zone: 'Alaska', city: 'Anchorage', zip: '99501' },
  { zone: 'Hawaii', city: 'Honolulu', zip: '96813' },
  { zone: 'Territories', city: 'San Juan', zip: '00901' },
] as const

export type CoverageRow = {
  zone: string
  city: string
  first: string | null
  second: string | null
  /** "2 business days" */
  arrives: string | null
}

/** Ranks the warehouses with tires for an order placed now, as for the delivery date of an order. */
export async function readCoverage(
  { db, clock }: Pick<Application, 'db' | 'clock'>,
  warehouses: Awaited<ReturnType<typeof listWarehouses>>,
): Promise<CoverageRow[]> {
  const zips = zones.map(({ zip }) => zip)
  const [promises, units] = await Promise.all([
    promisesByZip({ db, clock }, { zips, releaseAfter: releaseAfterSeconds }),
    readWarehouseUnits(db),
  ])
  const names = new Map(warehouses.map(({ id, name }) => [id, name]))
  const zoneOf = new Map(warehouses.map(({ id, timeZone }) => [id, timeZone]))
  return zones.map(({ zone, city, zip }) => {
    const ranked = [...(promises.get(zip) ?? [])].filter(([id]) => (units.get(id) ?? 0) > 0)
    const [best, second] = ranked
    if (!best) return { zone, city, first: null, second: null, arrives: null }
    const [id, { arrivesOn }] = best
    const today = clock
      .now()
      .toZonedDateTimeISO(zoneOf.get(id) ?? 'UTC')
      .toPlainDate()
    return {
      zone,
      city,
      first: names.get(id) ?? null,
      second: second ? (names.get(second[0]) ?? null) : null,
      arrives: countOf(businessDays(today, arrivesOn), 'business day'),
    }
  })
}

/** Returns the zones that no warehouse with tires ships to, such as "Alaska and Hawaii"; null if it ships to all. */
export function uncoveredText(rows: readonly CoverageRow[]): string | null {
  const uncovered = rows.filter(({ first }) => first === null).map(({ zone }) => zone)
  if (uncovered.length === rows.length) return 'any zone'
  return uncovered.length === 0 ? null : new Intl.ListFormat('en-US').format(uncovered)
}

/** The business days after `from`, up to and including `to`. */
function businessDays(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  const days = Array.from({ length: Math.max(0, from.until(to).days) }, (_, index) => from.add({ days: index + 1 }))
  return days.filter(isBusinessDay).length
}
