/** The pages of reports on a month or other days: what is asked for, the main figures, and addresses. */
import { salesTaxNames } from '#domain/pricing/pricing.ts'
import { stateOptions } from '#app/ui/states.ts'
import { percent } from '#app/views/report-charts.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readReports, type ReportFilter, type ReportsOfPeriod } from '#domain/reports/reports.server.ts'
import {
  comparedWith,
  comparisons,
  daysOfMonth,
  lengthOf,
  monthOf,
  promiseTargetPpm,
  reportEntries,
  reportNames,
  type Comparison,
  type Period,
  type ReportName,
} from '#domain/reports/reports.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Shop } from '#shop'
import { readDay } from './office-times.ts'
import { money, monthName, number, periodName, signed, viewOf, type LinkOf } from './report-tables.server.ts'

/** What is asked for; what makes no sense counts as not asked. */
export type AskedReports = { period: Period; comparison: Comparison; filter: ReportFilter }

/** How many months are offered, the current one first. */
const monthsOffered = 36

/** The most days that are shown at once. */
const mostDays = 366

/** Reads a month, or days that take its place, and filters from the address of a page. */
export function readAskedReports(query: URLSearchParams, now: Temporal.Instant): AskedReports {
  const today = storeDay(now)
  const current = today.toPlainYearMonth()
  const comparison = comparisons.find((each) => each === query.get('compare')) ?? 'year'
  const state = query.get('state') ?? ''
  const shop = query.get('shop') ?? ''
  const type = (query.get('type') ?? '').trim()
  return {
    period: daysIn(query, today) ?? daysOfMonth(monthIn(query.get('month') ?? '', current) ?? current),
    comparison,
    filter: {
      state: /^[A-Z]{2}$/.test(state) ? state : null,
      shopId: /^[1-9]\d{0,8}$/.test(shop) ? Number(shop) : null,
      accountType: /^[A-Za-z ]{1,40}$/.test(type) ? type : null,
    },
  }
}

function monthIn(text: string, current: Temporal.PlainYearMonth): Temporal.PlainYearMonth | undefined {
  if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(text)) return undefined
  const month = Temporal.PlainYearMonth.from(text)
  return Temporal.PlainYearMonth.compare(month, current) > 0 ? undefined : month
}

/** The days from `from` to `to`, at most a year of them, none of which is to come. */
function daysIn(query: URLSearchParams, today: Temporal.PlainDate): Period | undefined {
  const [from, to] = [readDay(query.get('from') ?? ''), readDay(query.get('to') ?? '')]
  if (from === '' || to === '') return undefined
  const period = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) }
  const length = lengthOf(period)
  return length < 1 || length > mostDays || Temporal.PlainDate.compare(period.to, today) > 0 ? undefined : period
}

/** The addresses of a report, or of the overview, with what is asked for. */
function addressOf({ period, comparison, filter }: AskedReports, name: ReportName | null) {
  const allowed: readonly string[] = name === null ? ['state', 'shop', 'type'] : reportEntries[name].filters
  const month = monthOf(period)
  return {
    month: month?.toString(),
    from: month ? undefined : period.from.toString(),
    to: month ? undefined : period.to.toString(),
    compare: comparison === 'year' ? undefined : comparison,
    state: (allowed.includes('state') && filter.state) || undefined,
    shop: (allowed.includes('shop') && filter.shopId?.toString()) || undefined,
    type: (allowed.includes('type') && filter.accountType) || undefined,
  }
}

function pathOf(asked: AskedReports, name: ReportName | null): string {
  const address = addressOf(asked, name)
  return name === null ? officePaths.officeReports(address) : officePaths.officeReport(name, address)
}

/** What the overview is made from. */
const overviewNames: readonly ReportName[] = ['sales', 'margin', 'tax', 'promise', 'refunds']

/** Reads what the page of one report shows; with null, the overview: the main figures and sales. */
export async function readReportsPage(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  asked: AskedReports,
  name: ReportName | null,
) {
  const today = storeDay(clock.now())
  const { period, comparison } = asked
  const found = await readReports({ db }, { ...asked, names: name === null ? overviewNames : [name] })
  const other = comparedWith(period, comparison)
  const names = { now: periodName(period), before: other && periodName(other.period) }
  const link = (of: Period) => ({ label: periodName(of), path: pathOf({ ...asked, period: of }, name) })
  const after = besides(period, 1)
  const shown = name ?? 'sales'
  return {
    name,
    title: name === null ? names.now : `${reportEntries[name].label}, ${names.now}`,
    isMonth: monthOf(period) !== null,
    isRunning: Temporal.PlainDate.compare(period.to, today) >= 0,
    countedAt: found.countedAt && timeText(found.countedAt, storeZone),
    facts: name === null ? factsOf(found, names.before) : [],
    previous: link(besides(period, -1)),
    next: Temporal.PlainDate.compare(after.from, today) > 0 || isCut(after, today) ? null : link(after),
    pages: [
      { name: '', label: 'Overview', path: pathOf(asked, null) },
      ...reportNames.map((each) => ({ name: each, label: reportEntries[each].label, path: pathOf(asked, each) })),
    ],
    allCsv: officePaths.officeReportsCsv(addressOf(asked, null)),
    filters: filtersOf(found, asked, { name, current: today.toPlainYearMonth() }),
    report: viewOf(found.reports[shown], {
      csv: officePaths.officeReportsCsv({ ...addressOf(asked, shown), report: shown }),
      names,
      linkOf: linksOf(asked),
    }),
  }
}

/** The orders placed on the days or shipped to the state of a row, or its shop. Orders aren't listed by account type. */
function linksOf({ period, filter }: AskedReports): LinkOf {
  const isWhole = filter.shopId === null && filter.accountType === null
  const days = { from: period.from.toString(), to: period.to.toString() }
  return (column, subject) => {
    if ('shopCode' in subject) return column === 'Shop' ? officePaths.officeShop(subject.shopCode) : undefined
    if (column !== 'Orders' || !isWhole) return undefined
    return 'state' in subject
      ? officePaths.officeOrders({ ...days, destination: subject.state })
      : officePaths.officeOrders({ ...subject.days, destination: filter.state ?? undefined })
  }
}

/** The period right after this one, or with -1 right before it: a month for a month, as many days for days. */
function besides(period: Period, steps: 1 | -1): Period {
  const month = monthOf(period)
  if (month) return daysOfMonth(month.add({ months: steps }))
  const days = steps * lengthOf(period)
  return { from: period.from.add({ days }), to: period.to.add({ days }) }
}

/** Whether days, other than those of a month, are still to come. */
function isCut(period: Period, today: Temporal.PlainDate): boolean {
  return monthOf(period) === null && Temporal.PlainDate.compare(period.to, today) > 0
}

type Choice = { value: string; label: string }

function filtersOf(
  { choices }: ReportsOfPeriod,
  { period, comparison, filter }: AskedReports,
  { name, current }: { name: ReportName | null; current: Temporal.PlainYearMonth },
) {
  const allowed: readonly string[] = name === null ? ['state', 'shop', 'type'] : reportEntries[name].filters
  const states = new Map(stateOptions)
  const withChosen = (options: Choice[], chosen: string | null): Choice[] =>
    chosen === null || options.some(({ value }) => value === chosen)
      ? options
      : [...options, { value: chosen, label: chosen }]
  const month = monthOf(period)
  return {
    month: month?.toString() ?? '',
    // Days that are no month take its place.
    days: month ? { from: '', to: '' } : { from: period.from.toString(), to: period.to.toString() },
    months: withChosen(
      Array.from({ length: monthsOffered }, (_, back) => current.subtract({ months: back })).map((each) => ({
        value: each.toString(),
        label: monthName(each),
      })),
      month?.toString() ?? null,
    ),
    comparison,
    hasState: allowed.includes('state'),
    hasShop: allowed.includes('shop'),
    hasType: allowed.includes('type'),
    state: filter.state ?? '',
    states: withChosen(
      choices.states.map((code) => ({ value: code, label: states.get(code) ?? code })),
      filter.state,
    ),
    shop: filter.shopId?.toString() ?? '',
    shops: withChosen(
      choices.shops.map(({ id, name }) => ({ value: String(id), label: name })),
      filter.shopId?.toString() ?? null,
    ),
    type: filter.accountType ?? '',
    types: withChosen(
      choices.accountTypes.map((type) => ({ value: type, label: type })),
      filter.accountType,
    ),
  }
}

function factsOf({ reports }: ReportsOfPeriod, before: string | null) {
  const cell = (name: ReportName, label: string): number | null => {
    const { columns, total } = reports[name]
    const found = total[columns.findIndex((column) => column.label === label)]
    return typeof found === 'number' ? found : null
  }
  const change = cell('sales', 'Change')
  const [marginShare, unknown] = [cell('margin', 'Share'), cell('margin', 'Cost unknown') ?? 0]
  const refunded = cell('refunds', 'Amount') ?? 0
  const promised = cell('promise', 'Parcels') ?? 0
  return [
    {
      label: 'Sales',
      value: money(cell('sales', 'Sales')),
      meta:
        change === null || before === null
          ? `${number(cell('sales', 'Orders'))} orders`
          : `${signed(change)} on ${before}`,
    },
    {
      label: 'Margin',
      value: marginShare === null ? 'Cost unknown' : percent(marginShare),
      meta: `${money(cell('margin', 'Margin'))}${unknown === 0 ? '' : `; cost unknown of ${money(unknown)}`}`,
    },
    {
      label: 'Tax to remit',
      value: money(cell('tax', salesTaxNames.charged)),
      meta: `and ${money(cell('tax', 'Tire fee'))} in tire fees`,
    },
    {
      label: 'Promise kept',
      value: promised === 0 ? 'None due' : percent(cell('promise', 'Share') ?? 0),
      meta: `${number(cell('promise', 'Kept'))} of ${number(promised)}, target ${percent(promiseTargetPpm)}`,
    },
    { label: 'Refunds', value: money(refunded), meta: `${number(cell('refunds', 'Refunds'))} paid out` },
  ]
}
