/** Files with the rows of a record, and the evidence about payment pages, for staff and programs. */
import { numberedId } from '#app/office/define-actions.server.ts'
import { dollars } from '#app/office/define-list.server.ts'
import type { OfficeFile } from '#app/office/record-files.server.ts'
import { csvPages, csvResponse, inOneBatch } from '#app/server/csv.server.ts'
import { pdfAnswer } from '#app/server/pdf-answer.ts'
import { paymentEvidenceSheet } from '#app/views/office/payment-pages.server.ts'
import { findPriceListVersion, listPriceListEntries } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { priceListColumns } from '#domain/pricing/price-tiers/price-tiers.ts'
import { listRates, listStateTaxes } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { rateColumns, type RateRow } from '#domain/pricing/sales-tax/sales-tax.ts'
import { findWarehouse, listTransit } from '#domain/supply/delivery/delivery.server.ts'
import { transitColumns } from '#domain/supply/delivery/delivery.ts'
import { findStockOrder } from '#domain/supply/stock/stock.server.ts'
import { stockOrderNumber } from '#domain/supply/stock/stock.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'
import { fileRowOf } from '#app/views/office/price-list.server.ts'

const csv = ['text/csv'] as const
const missing = () => new Response(null, { status: 404 })

const stockOrderColumns = [
  'order',
  'account',
  'ship to',
  'street',
  'city',
  'state',
  'zip',
  'needed by',
  'sku',
  'description',
  'quantity',
  'unit cost in dollars',
  'note',
]

/** A stock order for its supplier, with a row for each tire. */
export const stockOrderFile: OfficeFile = {
  path: '/stock-orders/{id}/order.csv',
  noun: 'stock order file',
  summary: 'Download a stock order as CSV',
  permission: 'suppliers.read',
  types: csv,
  async read({ app }, { id = '' }) {
    const found = await findStockOrder(app, numberedId(id))
    if (!found) return missing()
    const { order, lines } = found
    const { name, street, city, state, zip } = order.warehouse
    const number = stockOrderNumber(order.id)
    const head = [number, order.supplier.accountNumber, name, street, city, state, zip, order.expectedOn]
    const rows = lines.map(({ sku, name: tire, quantity, unitCostCents }) => [
      ...head,
      sku,
      tire,
      quantity,
      dollars(unitCostCents),
      order.note,
    ])
    return csvResponse(number, stockOrderColumns, inOneBatch(rows))
  },
}

/** A warehouse's transit days by ZIP prefix, which can be imported again. */
export const transitFile: OfficeFile = {
  path: '/warehouses/{id}/transit.csv',
  noun: 'transit file',
  summary: 'Download transit days by ZIP prefix as CSV',
  permission: 'warehouses.read',
  types: csv,
  async read({ app }, { id = '' }) {
    const warehouse = await findWarehouse(app, numberedId(id, 32_767))
    if (!warehouse) return missing()
    const rows = await listTransit(app.db, warehouse.id)
    return csvResponse(
      `transit-${warehouse.code}`,
      Object.values(transitColumns),
      inOneBatch(rows.map(({ prefix, days }) => [prefix, String(days)])),
    )
  },
}

/** The rules of a price list's version, which can be uploaded again. */
export const priceListFile: OfficeFile = {
  path: '/price-lists/{id}/versions/{version}/entries.csv',
  noun: 'price list file',
  summary: 'Download a price list version as CSV',
  permission: 'price-lists.read',
  types: csv,
  async read({ app }, { id: slug = '', version = '' }) {
    const found = await findPriceListVersion(app, slug, version)
    if (!found) return missing()
    const read = (after: number | null) => listPriceListEntries(app, found.version.id, after)
    return csvResponse(`${slug}-${version}`, priceListColumns, csvPages(read, fileRowOf))
  },
}

/** The tax rates for editing and import. State rates come first, regardless of their source. */
export const salesTaxFile: OfficeFile = {
  path: '/sales-tax/rates.csv',
  noun: 'rate table',
  summary: 'Download all sales tax rates as CSV',
  permission: 'sales-tax.read',
  types: csv,
  read: async ({ app }) => csvResponse('sales-tax', rateColumns, taxRowsOf(app)),
}

async function* taxRowsOf(app: Application): AsyncGenerator<(string | null)[][]> {
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

/** The evidence about payment pages, for an assessor. */
export const paymentEvidenceFile: OfficeFile = {
  path: '/payment-pages/evidence.pdf',
  noun: 'payment page evidence',
  summary: 'Download the evidence about payment pages',
  permission: 'payment-pages.read',
  types: ['application/pdf'],
  read: async ({ app }) => pdfAnswer(await app.evidencePdf(await paymentEvidenceSheet(app)), 'Payment_Pages'),
}

export const tableFiles: readonly OfficeFile[] = [
  stockOrderFile,
  transitFile,
  priceListFile,
  salesTaxFile,
  paymentEvidenceFile,
]
