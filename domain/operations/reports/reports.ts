/** The reports as tables of numbers, made from counted figures. Each total is the sum of its rows. */
import type { Figure, FigureKind } from './figures.sql.server.ts'
import {
  cashReport,
  filingReport,
  marginReport,
  promiseReport,
  promotionsReport,
  refundsReport,
  salesReport,
  taxReport,
  type Counted,
} from './money-reports.ts'
import { conversionReport, inventoryReport, searchesReport, shopsReport, suppliersReport } from './operation-reports.ts'
import type { Period } from './periods.ts'
import type { Cell, Column, Table } from './tables.ts'

export {
  codeOf,
  comparedWith,
  comparisons,
  daysOfMonth,
  lengthOf,
  monthOf,
  periodNextTo,
  periodOf,
  type Comparison,
  type Period,
} from './periods.ts'
export { subscriptionForm } from './schedule.ts'
export type { Cell, Column, RowSubject } from './tables.ts'

/** The target share of parcels delivered by the promised day. */
export const promiseTargetPpm = 950_000

type ReportFilterName = 'state' | 'shop' | 'type'

/** A report's label, its figures, and its filters. */
type ReportEntry = {
  label: string
  kinds: readonly FigureKind[]
  filters: readonly ReportFilterName[]
  make: (counted: Counted) => Table
}

const allFilters: readonly ReportFilterName[] = ['state', 'shop', 'type']

/** All reports, in the order in which they are listed. */
export const reportEntries = {
  sales: { label: 'Sales', kinds: ['sale'], filters: allFilters, make: salesReport },
  margin: { label: 'Margin', kinds: ['brand'], filters: allFilters, make: ({ figures }) => marginReport(figures) },
  tax: { label: 'Sales tax', kinds: ['sale'], filters: allFilters, make: ({ figures }) => taxReport(figures) },
  filing: {
    label: 'Tax filing',
    kinds: ['authority'],
    filters: ['state'],
    make: ({ figures }) => filingReport(figures),
  },
  refunds: { label: 'Refunds', kinds: ['refund'], filters: allFilters, make: ({ figures }) => refundsReport(figures) },
  promotions: {
    label: 'Promotions',
    kinds: ['promotion'],
    filters: allFilters,
    make: ({ figures }) => promotionsReport(figures),
  },
  cash: { label: 'Cash', kinds: ['cash'], filters: allFilters, make: ({ figures }) => cashReport(figures) },
  promise: { label: 'Delivery promises', kinds: ['parcel'], filters: allFilters, make: promiseReport },
  shops: {
    label: 'Shop quality',
    kinds: ['job', 'no-show', 'shop-cancellation', 'rating'],
    filters: allFilters,
    make: ({ figures }) => shopsReport(figures),
  },
  conversion: { label: 'Conversion', kinds: ['cart'], filters: [], make: conversionReport },
  searches: {
    label: 'Searches without results',
    kinds: ['missed-search'],
    filters: [],
    make: ({ figures }) => searchesReport(figures),
  },
  inventory: {
    label: 'Inventory',
    kinds: ['inventory'],
    filters: [],
    make: ({ figures }) => inventoryReport(figures),
  },
  suppliers: {
    label: 'Suppliers',
    kinds: ['supplier-ordered', 'supplier-filled', 'supplier-short', 'supplier-parcel'],
    filters: [],
    make: ({ figures }) => suppliersReport(figures),
  },
} as const satisfies Record<string, ReportEntry>

export type ReportName = keyof typeof reportEntries

export const reportNames = Object.keys(reportEntries).filter(isReportName)

/** Returns a report's count and cents columns. Each is a sum of the entries for its rows. */
export function summedColumns(name: ReportName): Column[] {
  const day = Temporal.PlainDate.from('2000-01-01')
  const entry: ReportEntry = reportEntries[name]
  const { columns } = entry.make({ period: { from: day, to: day }, figures: [], before: null })
  return columns.filter(({ kind }) => kind === 'count' || kind === 'cents')
}

/** Returns whether a report's entries are stored, so that they can be listed. */
export function hasEntries(name: ReportName): boolean {
  return name !== 'searches' && name !== 'inventory'
}

/** Whether there is a report with such a name. */
export function isReportName(name: string): name is ReportName {
  return Object.hasOwn(reportEntries, name)
}

/** The kinds of figures that some reports are made from. */
export function kindsOf(names: readonly ReportName[]): FigureKind[] {
  return [...new Set(names.flatMap((name): readonly FigureKind[] => reportEntries[name].kinds))]
}

/** `before` is the comparison period's total; null without one, or if it is in the columns. */
export type Report = Table & { name: ReportName; before: readonly Cell[] | null }

export type ReportSet = { reports: Readonly<Record<ReportName, Report>> }

/**
 * Builds a period's reports. `before` has the comparison period's figures mapped to this period's days; null without
 * one.
 */
export function reportsOf({
  period,
  figures,
  before,
}: {
  period: Period
  figures: readonly Figure[]
  before: readonly Figure[] | null
}): ReportSet['reports'] {
  const make = (name: ReportName): Report => {
    const entry: ReportEntry = reportEntries[name]
    const table = entry.make({ period, figures, before })
    // The sales report has the comparison in separate columns.
    const other = before && name !== 'sales' ? entry.make({ period, figures: before, before: null }).total : null
    return { name, ...table, before: other }
  }
  return Object.fromEntries(reportNames.map((name) => [name, make(name)])) as Record<ReportName, Report>
}
