/** Listings for a vehicle in the imported catalogs of tire brands. */
import { createHash } from 'node:crypto'
import type { BrandListing, BrandListings } from '#domain/catalog/fitment/fitment.ts'
import type { Database } from '#platform/db.ts'
import type { SizedVehicle } from './vehicle.ts'
import { selectItemVehicles, type BrandFitmentRow } from './vehicles.sql.server.ts'

/**
 * Returns the listings in `rows` that may apply; undefined without any. `trims` are the possible ones. A listing for
 * another trim doesn't count, and one for some of the possible trims has that trim as a condition.
 */
export function brandListingsOf(
  rows: readonly BrandFitmentRow[],
  trims: readonly SizedVehicle[],
): BrandListings | undefined {
  const possible = rows.filter((row) => mayApply(row, trims))
  if (possible.length === 0) return undefined
  const byItem = Map.groupBy(possible, ({ itemId }) => itemId)
  return {
    key: createHash('sha256').update(JSON.stringify(possible)).digest('base64url'),
    byItem: new Map([...byItem].map(([itemId, ofItem]) => [itemId, ofItem.map((row) => listingOf(row, trims))])),
  }
}

/** Trims of a model that is listed as a whole could be any. */
function isOfTrim({ submodelSlug }: BrandFitmentRow, { vehicle }: SizedVehicle): boolean {
  return submodelSlug === '' || submodelSlug === vehicle.trimSlug
}

function mayApply(row: BrandFitmentRow, trims: readonly SizedVehicle[]): boolean {
  const isOpen = trims.length === 0 || trims.some(({ vehicle }) => vehicle.trimSlug === 'all')
  return isOpen || trims.some((trim) => isOfTrim(row, trim))
}

function listingOf(row: BrandFitmentRow, trims: readonly SizedVehicle[]): BrandListing {
  const isSure = row.submodelSlug === '' || (trims.length > 0 && trims.every((trim) => isOfTrim(row, trim)))
  return {
    axle: row.axle === 'any' ? undefined : row.axle,
    terms: [isSure ? '' : `only ${row.submodel ?? row.submodelSlug}`, row.terms]
      .filter((term) => term !== '')
      .join('; '),
    company: row.company,
    date: longDate(row.transferredOn),
  }
}

function longDate(day: string): string {
  return Temporal.PlainDate.from(day).toLocaleString('en-US', { dateStyle: 'long' })
}

/** Vehicles that an item's brand lists it for, as staff read them. */
type ListedVehicles = {
  readonly company: string
  readonly date: string
  readonly total: number
  readonly vehicles: readonly {
    readonly name: string
    readonly axle: BrandFitmentRow['axle']
    readonly terms: string
  }[]
}

const shownVehicles = 20

/** Returns the first vehicles that the catalog of an item's brand lists it for; null without any. */
export async function listVehiclesOfItem({ db }: { db: Database }, itemId: number): Promise<ListedVehicles | null> {
  const rows = await selectItemVehicles(db, itemId, shownVehicles)
  const [first] = rows
  return first
    ? {
        company: first.company,
        date: longDate(first.transferredOn),
        total: first.total,
        vehicles: rows.map(({ firstYear, lastYear, name, submodel, axle, terms }) => {
          const years = firstYear === lastYear ? `${firstYear}` : `${firstYear} to ${lastYear}`
          return { name: [years, name, submodel ?? ''].join(' ').trimEnd(), axle, terms }
        }),
      }
    : null
}
