/** The reports as tables of numbers, and how they follow from counted figures. Each total is the sum of its rows. */
import { salesTaxNames } from '#domain/pricing/pricing.ts'
import { refundBearers, refundReasons, type RefundBearer, type RefundReason } from '#domain/refunds/refunds.ts'
import { monthDayText } from '#platform/day-text.ts'
import type { Figure } from './figures.sql.server.ts'

/** Tires there by the promised day: of a hundred, this many are to be. */
export const promiseTargetPpm = 950_000

export const comparisons = ['year', 'month', 'nothing'] as const
/** What a period is compared with: the same days a year before, the month or as many days right before, or nothing. */
export type Comparison = (typeof comparisons)[number]

/** Days, both included. */
export type Period = { from: Temporal.PlainDate; to: Temporal.PlainDate }

export const reportNames = ['sales', 'margin', 'tax', 'promise', 'refunds', 'promotions', 'cash'] as const
export type ReportName = (typeof reportNames)[number]

/** Text, a number of things, cents, or parts per million; null where there is nothing to say. */
export type Cell = string | number | null
export type Column = { label: string; kind: 'text' | 'count' | 'cents' | 'ppm' }

/** A table: the first cell of a row names it. `total` sums the rows, and shares are those of the sums. */
export type Report = {
  name: ReportName
  title: string
  /** What is counted, in words. */
  note: string
  columns: readonly Column[]
  rows: readonly (readonly Cell[])[]
  total: readonly Cell[]
}

export type ReportSet = { reports: Readonly<Record<ReportName, Report>> }

/** The parts of a period that its tables show: weeks, or months where that would be too many weeks. */
type Bins = { unit: 'Week' | 'Month'; bins: { label: string; from: string; to: string }[] }

/** Longer periods are shown by month. */
const mostDaysByWeek = 92

/** The weeks of a period, Sunday to Saturday, or its months, cut off at its ends. */
export function binsOf(period: Period): Bins {
  const unit = lengthOf(period) > mostDaysByWeek ? 'Month' : 'Week'
  const bins: Bins['bins'] = []
  for (let from = period.from; Temporal.PlainDate.compare(from, period.to) <= 0;) {
    const end = unit === 'Week' ? from.add({ days: 6 - (from.dayOfWeek % 7) }) : from.with({ day: from.daysInMonth })
    const to = Temporal.PlainDate.compare(end, period.to) > 0 ? period.to : end
    const label =
      unit === 'Week' ? daysText(from, to) : from.toLocaleString('en-US', { month: 'short', year: 'numeric' })
    bins.push({ label, from: from.toString(), to: to.toString() })
    from = to.add({ days: 1 })
  }
  return { unit, bins }
}

/** "Oct 4–10", "Oct 28–Nov 3" or "Oct 4" */
function daysText(from: Temporal.PlainDate, to: Temporal.PlainDate): string {
  if (from.equals(to)) return monthDayText(from)
  return `${monthDayText(from)}–${from.month === to.month ? to.day : monthDayText(to)}`
}

/** How many days a period has. */
export function lengthOf({ from, to }: Period): number {
  return from.until(to).days + 1
}

export function daysOfMonth(month: Temporal.PlainYearMonth): Period {
  return { from: month.toPlainDate({ day: 1 }), to: month.toPlainDate({ day: month.daysInMonth }) }
}

/** The month that a period is; null for other days. */
export function monthOf({ from, to }: Period): Temporal.PlainYearMonth | null {
  return from.day === 1 && to.equals(from.with({ day: from.daysInMonth })) ? from.toPlainYearMonth() : null
}

/** The period that another is compared with, and to which day of that one each of its days counts; null for none. */
export function comparedWith(
  period: Period,
  comparison: Comparison,
): { period: Period; counterpart(day: string): string } | null {
  if (comparison === 'nothing') return null
  const month = monthOf(period)
  if (month) {
    const other = month.subtract(comparison === 'year' ? { years: 1 } : { months: 1 })
    // The month before may be longer: its days after the last of this one count to that.
    const counterpart = (day: string) =>
      month.toPlainDate({ day: Math.min(month.daysInMonth, Temporal.PlainDate.from(day).day) }).toString()
    return { period: daysOfMonth(other), counterpart }
  }
  const back = comparison === 'year' ? { years: 1 } : { days: lengthOf(period) }
  return {
    period: { from: period.from.subtract(back), to: period.to.subtract(back) },
    counterpart: (day) => Temporal.PlainDate.from(day).add(back).toString(),
  }
}

/**
 * Makes the reports of a period. `before` are the figures of the one compared with, each on the day of this period that
 * it counts to; null for none.
 */
export function reportsOf(counted: {
  period: Period
  figures: readonly Figure[]
  before: readonly Figure[] | null
}): ReportSet {
  const { figures } = counted
  return {
    reports: {
      sales: salesReport(counted),
      margin: marginReport(figures),
      tax: taxReport(figures),
      promise: promiseReport(counted),
      refunds: refundsReport(figures),
      promotions: promotionsReport(figures),
      cash: cashReport(figures),
    },
  }
}

type Counted = Parameters<typeof reportsOf>[0]

function salesReport({ period, figures, before }: Counted): Report {
  const { unit, bins } = binsOf(period)
  const rows = bins.map((bin) => {
    const now = inBin(figures, 'sale', bin)
    const then = before && inBin(before, 'sale', bin)
    const sales = sum(now, 'amountCents')
    const compared = then && sum(then, 'amountCents')
    return [
      bin.label,
      sum(now, 'orders'),
      sum(now, 'units'),
      sales,
      ...(compared === null ? [] : [compared, change(sales, compared)]),
    ]
  })
  const columns: Column[] = [
    text(unit),
    count('Orders'),
    count('Tires'),
    cents('Sales'),
    ...(before ? [cents('Before'), ppm('Change')] : []),
  ]
  const total = totalOf(rows, columns)
  if (before) total[5] = change(numberAt(total, 3), numberAt(total, 4))
  return {
    name: 'sales',
    title: `Sales by ${unit.toLowerCase()}`,
    note: 'after discounts, before tax and fees; canceled orders and refunded lines are subtracted on their day',
    columns,
    rows,
    total,
  }
}

function marginReport(figures: readonly Figure[]): Report {
  const rows = byLabel(figures, 'brand').map(([label, of]) => marginRow(label, of))
  const columns = [text('Brand'), cents('Sales'), cents('Cost unknown'), cents('Cost'), cents('Margin'), ppm('Share')]
  return {
    name: 'margin',
    title: 'Margin by brand',
    note: 'sales whose cost is known, minus that cost: of tires when they were sold, of installation what the shop was paid; the rest is left out. Tires that came back to be sold again subtract their cost',
    columns,
    rows,
    total: marginRow('Total', ofKind(figures, 'brand')),
  }
}

function marginRow(label: string, of: readonly Figure[]): Cell[] {
  const [sales, unknown, cost] = [sum(of, 'amountCents'), sum(of, 'unknownCents'), sum(of, 'costCents')]
  const known = sales - unknown
  // Without any cost there is no margin to speak of, not even of zero.
  return cost === 0 && known === 0
    ? [label, sales, unknown, 0, 0, null]
    : [label, sales, unknown, cost, known - cost, share(known - cost, known)]
}

function taxReport(figures: readonly Figure[]): Report {
  const columns = [
    text('State'),
    count('Orders'),
    cents('Sales'),
    cents('Taxed sales'),
    cents(salesTaxNames.charged),
    cents('Tire fee'),
    cents('Excise tax'),
  ]
  const rows = [...Map.groupBy(ofKind(figures, 'sale'), ({ state }) => state)]
    .toSorted(byFirst)
    .map(([state, of]) => [
      state,
      sum(of, 'orders'),
      sum(of, 'amountCents'),
      sum(of, 'taxedCents'),
      sum(of, 'taxCents'),
      sum(of, 'feeCents'),
      sum(of, 'exciseCents'),
    ])
  return {
    name: 'tax',
    title: 'Tax and tire fees by state',
    note: 'for filing, by the state whose tax applies; refunds lower taxed sales and tax on their day',
    columns,
    rows,
    total: totalOf(rows, columns),
  }
}

function promiseReport({ period, figures }: Counted): Report {
  const { unit, bins } = binsOf(period)
  const columns = [text(unit), count('Parcels'), count('Kept'), count('Missed'), ppm('Share')]
  const row = (label: string, of: readonly Figure[]) => {
    const [parcels, kept] = [sum(of, 'orders'), sum(of, 'kept')]
    return [label, parcels, kept, parcels - kept, share(kept, parcels)]
  }
  return {
    name: 'promise',
    title: `Promise kept by ${unit.toLowerCase()}`,
    note: 'parcels delivered by the promised day, in the zone of where they went',
    columns,
    rows: bins.map((bin) => row(bin.label, inBin(figures, 'parcel', bin))),
    total: row('Total', ofKind(figures, 'parcel')),
  }
}

/** Refunds that no team member gave a reason for: why, and who bears the cost. */
const automaticRefunds: Readonly<Record<string, readonly [reason: string, bearer: string]>> = {
  cancel: ['Order canceled after its charge', 'Store'],
  guarantee: ['Price guarantee', 'Store'],
  coverage: ['Coverage claim', 'Store'],
  'price-guarantee': ['Price guarantee', 'Store'],
  'order-change': ['Lower price after a change', 'Store'],
  'difference waived': ['Difference waived with a change', 'Store'],
  'invoice lowered': ['Invoice lowered', 'Store'],
  'given back in part': ['Given back in part', 'Store'],
}

/** The reason of a refund and who bears its cost, from its counted label: "late:carrier", or that of an automatic one. */
function refundNames(label: string): readonly [reason: string, bearer: string] {
  const automatic = automaticRefunds[label]
  if (automatic) return automatic
  const [reason = '', bearer = ''] = label.split(':')
  return isReason(reason) && isBearer(bearer) ? [refundReasons[reason], refundBearers[bearer]] : [label, 'Not said']
}

function isReason(reason: string): reason is RefundReason {
  return Object.hasOwn(refundReasons, reason)
}

function isBearer(bearer: string): bearer is RefundBearer {
  return Object.hasOwn(refundBearers, bearer)
}

function refundsReport(figures: readonly Figure[]): Report {
  const columns = [text('Reason'), text('Borne by'), count('Refunds'), cents('Amount'), ppm('Share')]
  const whole = sum(ofKind(figures, 'refund'), 'amountCents')
  const rows = byLabel(figures, 'refund').map(([label, of]) => {
    const [reason, bearer] = refundNames(label)
    const amount = sum(of, 'amountCents')
    return [reason, bearer, sum(of, 'orders'), amount, share(amount, whole)]
  })
  const total = totalOf(rows, columns)
  total[4] = share(whole, whole)
  return {
    name: 'refunds',
    title: 'Refunds by reason',
    note: 'paid out, credited, taken off an invoice or waived in the period, tax and fees included',
    columns,
    rows,
    total,
  }
}

function promotionsReport(figures: readonly Figure[]): Report {
  const columns = [text('Promotion'), count('Orders'), cents('Discount'), cents('Paid by others'), cents('Cost to us')]
  const rows = byLabel(figures, 'promotion').map(([label, of]) => {
    const [discount, funded] = [sum(of, 'amountCents'), sum(of, 'fundedCents')]
    return [label, sum(of, 'orders'), discount, funded, discount - funded]
  })
  return {
    name: 'promotions',
    title: 'Cost of promotions',
    note: 'discounts on orders placed in the period, less those of orders canceled in it',
    columns,
    rows,
    // An order may have several discounts, so that its number is not theirs added up.
    total: totalOf(rows, columns),
  }
}

const providerNames: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  invoice: 'Check or transfer',
  unknown: 'Unknown',
}

function cashReport(figures: readonly Figure[]): Report {
  const columns = [
    text('Provider'),
    cents('Captured'),
    cents('Refunded'),
    cents('At the provider'),
    cents('Ledger'),
    cents('Difference'),
  ]
  const rows = byLabel(figures, 'cash').map(([label, of]) => {
    const [captured, refunded, ledger] = [sum(of, 'capturedCents'), sum(of, 'refundedCents'), sum(of, 'amountCents')]
    // Checks and transfers pass no provider: the ledger is all there is.
    const there = label === 'invoice' ? ledger : captured - refunded
    const taken = label === 'invoice' ? ledger : captured
    return [providerNames[label] ?? label, taken, refunded, there, ledger, ledger - there]
  })
  return {
    name: 'cash',
    title: 'Cash by provider',
    note: 'what providers captured and gave back, against the cash of the ledger',
    columns,
    rows,
    total: totalOf(rows, columns),
  }
}

const text = (label: string): Column => ({ label, kind: 'text' })
const count = (label: string): Column => ({ label, kind: 'count' })
const cents = (label: string): Column => ({ label, kind: 'cents' })
const ppm = (label: string): Column => ({ label, kind: 'ppm' })

type Amount = { [Name in keyof Figure]: Figure[Name] extends number ? Name : never }[keyof Figure]

function sum(figures: readonly Figure[], amount: Amount): number {
  return figures.reduce((whole, figure) => whole + figure[amount], 0)
}

function ofKind(figures: readonly Figure[], kind: Figure['kind']): Figure[] {
  return figures.filter((figure) => figure.kind === kind)
}

function inBin(figures: readonly Figure[], kind: Figure['kind'], { from, to }: Bins['bins'][number]): Figure[] {
  return ofKind(figures, kind).filter(({ day }) => day !== null && day >= from && day <= to)
}

/** The figures of a kind by label, the largest amount first. */
function byLabel(figures: readonly Figure[], kind: Figure['kind']): [string, Figure[]][] {
  return [...Map.groupBy(ofKind(figures, kind), ({ label }) => label)].toSorted(
    ([one, ofOne], [other, ofOther]) =>
      sum(ofOther, 'amountCents') - sum(ofOne, 'amountCents') || (one < other ? -1 : 1),
  )
}

function byFirst([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}

/** The sums of counts and cents over the rows; shares are null. */
function totalOf(rows: readonly (readonly Cell[])[], columns: readonly Column[]): Cell[] {
  return columns.map(({ kind }, at) => {
    if (at === 0) return 'Total'
    return kind === 'count' || kind === 'cents'
      ? rows.reduce((whole, row) => whole + numberAt(row, at), 0)
      : kind === 'text'
        ? ''
        : null
  })
}

function numberAt(row: readonly Cell[], at: number): number {
  const cell = row[at]
  return typeof cell === 'number' ? cell : 0
}

/** A part of a whole, in parts per million; null of nothing. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1_000_000)
}

function change(now: number, before: number): number | null {
  return before <= 0 ? null : share(now - before, before)
}
