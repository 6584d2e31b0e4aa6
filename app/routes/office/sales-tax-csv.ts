import { csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listRates, listStateTaxes } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { rateColumns, type RateRow } from '#domain/pricing/sales-tax/sales-tax.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'
import type { Route } from './+types/sales-tax-csv.ts'

/** Exports the tax rates as a CSV file for editing and import. State rates come first, regardless of their source. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'sales-tax.read', officePaths.officeSalesTaxCsv())
  return csvResponse('sales-tax', rateColumns, rowsOf(app))
}

async function* rowsOf(app: Application): AsyncGenerator<(string | null)[][]> {
  const today = storeDay(app.clock.now())
  const builtIn = (await listStateTaxes(app)).filter(({ importedPpm }) => importedPpm === null)
  yield builtIn.map(({ state, ratePpm, source }) =>
    cellsOf({
      state,
      zip: null,
      startsOn: today.toString(),
      endsOn: null,
      statePpm: ratePpm,
      county: null,
      countyPpm: 0,
      city: null,
      cityPpm: 0,
      specialPpm: 0,
      source,
    }),
  )
  for (let after: string | null = null; ;) {
    const { items, next }: { items: RateRow[]; next: string | null } = await listRates(app.db, after)
    yield items.map(cellsOf)
    if (next === null) return
    after = next
  }
}

function cellsOf(row: RateRow): (string | null)[] {
  const local = (ppm: number) => (row.zip === null ? '' : percentOf(ppm))
  return [
    row.state,
    row.zip,
    row.startsOn,
    row.endsOn,
    percentOf(row.statePpm),
    row.county,
    local(row.countyPpm),
    row.city,
    local(row.cityPpm),
    local(row.specialPpm),
    row.source.slice(0, 200),
  ]
}

function percentOf(ppm: number): string {
  return String(ppm / 10_000)
}
