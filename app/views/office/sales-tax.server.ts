/** What the office's page of sales tax shows. */
import { officePaths } from '#content/office-paths.ts'
import {
  countRates,
  listRates,
  listStateTaxes,
  previewRates,
  selectEstimatedOrders,
  selectRateFiles,
} from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { estimateWords, type RateRow } from '#domain/pricing/sales-tax/sales-tax.ts'
import { dateText } from '#platform/day-text.ts'
import { formatRate } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

const filesShown = 10
const ordersShown = 25

/** Reads the page at these query parameters. */
export async function readSalesTaxPage({ db, clock }: Pick<Application, 'db' | 'clock'>, query: URLSearchParams) {
  const file = /^\d{1,9}$/.exec(query.get('file') ?? '')
  const before = /^\d{1,12}$/.exec(query.get('before') ?? '')
  const [counts, states, rates, files, preview, orders] = await Promise.all([
    countRates(db),
    listStateTaxes({ db, clock }),
    listRates(db, query.get('after')),
    selectRateFiles(db, filesShown),
    file ? previewRates(db, Number(file[0])) : undefined,
    selectEstimatedOrders(db, before && Number(before[0]), ordersShown + 1),
  ])
  const local = counts.filter(({ zips }) => zips > 0)
  return {
    coverage: {
      zips: local.reduce((sum, { zips }) => sum + zips, 0),
      states: local.map(({ state }) => state),
    },
    preview: preview
      ? {
          id: preview.id,
          fileName: preview.fileName,
          rows: preview.rowCount,
          states: preview.states.join(', '),
          changes: preview.changes,
          sample: preview.sample.map(rateRow),
        }
      : null,
    states: states.map(({ state, name, ratePpm, importedPpm, source, isEdited, isVerified }) => ({
      id: state,
      path: officePaths.officeTax(state),
      name,
      cells: {
        rate: (importedPpm ?? ratePpm) === 0 ? 'No sales tax' : formatRate(importedPpm ?? ratePpm),
        from: importedPpm === null ? (!isEdited ? 'Built in' : isVerified ? 'Verified' : 'Set by staff') : 'Imported',
        source: importedPpm === null ? source : 'The imported file',
      },
    })),
    rates: {
      rows: rates.items.map(rateRow),
      next: rates.next === null ? null : officePaths.officeSalesTax({ after: rates.next }),
    },
    estimated: {
      rows: orders.slice(0, ordersShown).map(({ orderId, placedAt, ...tax }) => ({
        id: String(orderId),
        number: orderNumber(orderId),
        path: officePaths.officeOrder(orderId),
        cells: { placed: timeText(placedAt, storeZone), why: estimateWords(tax) ?? '' },
      })),
      next:
        orders.length > ordersShown ? officePaths.officeSalesTax({ before: orders[ordersShown - 1]?.orderId }) : null,
    },
    files: files.map(({ id, fileName, rowCount, states: of, uploadedAt, uploadedBy, importedAt, importedBy }) => ({
      id: String(id),
      name: fileName,
      path: importedAt === null ? officePaths.officeSalesTax({ file: id }) : null,
      cells: {
        rows: rowCount.toLocaleString('en-US'),
        states: of.length > 6 ? countOf(of.length, 'state') : of.join(', '),
        uploaded: `${timeText(uploadedAt, storeZone)}, ${uploadedBy}`,
        imported: importedAt ? `${timeText(importedAt, storeZone)}, ${importedBy}` : 'Not yet',
      },
    })),
  }
}

function rateRow(row: RateRow) {
  const part = (name: string | null, ppm: number) => (ppm === 0 ? '' : `${name ? `${name} ` : ''}${formatRate(ppm)}`)
  return {
    id: `${row.state}.${row.zip ?? ''}.${row.startsOn}`,
    cells: {
      place: row.zip ?? `All of ${row.state}`,
      state: formatRate(row.statePpm),
      county: part(row.county, row.countyPpm),
      city: part(row.city, row.cityPpm),
      special: part(null, row.specialPpm),
      total: formatRate(row.statePpm + row.countyPpm + row.cityPpm + row.specialPpm),
      days: `${dateText(row.startsOn)}${row.endsOn === null ? ' on' : ` to ${dateText(row.endsOn)}`}`,
    },
  }
}

export type SalesTaxPageView = Awaited<ReturnType<typeof readSalesTaxPage>>
