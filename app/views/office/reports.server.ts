/** Report pages by month or other days, with parameters, main figures, and URLs. */
import { salesTaxNames } from '#domain/pricing/pricing/pricing.ts'
import { stateOptions } from '#app/ui/states.ts'
import { percent } from '#app/views/report-charts.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readReports, type ReportFilter, type ReportsOfPeriod } from '#domain/operations/reports/reports.server.ts'
import {
  codeOf,
  comparedWith,
  comparisons,
  daysOfMonth,
  hasEntries,
  lengthOf,
  monthOf,
  periodNextTo,
  periodOf,
  promiseTargetPpm,
  reportEntries,
  reportNames,
  type Comparison,
  type Period,
  type Report,
  type ReportName,
} from '#domain/operations/reports/reports.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { readDay } from './times.ts'
import { codeName, money, number, periodName, signed, viewOf, type LinkOf } from '#app/views/report-tables.server.ts'

/** The report parameters; invalid values are ignored. */
export type AskedReports = { period: Period; comparison: Comparison; filter: ReportFilter }

/** How many months are offered, the current one first. */
const monthsOffered = 36

/** The maximum number of days shown. */
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
    period: daysIn(query, today) ?? periodIn(query.get('month') ?? '', today) ?? daysOfMonth(current),
    comparison,
    filter: {
      state: /^[A-Z]{2}$/.test(state) ? state : null,
      shopId: /^[1-9]\d{0,8}$/.test(shop) ? Number(shop) : null,
      accountType: /^[A-Za-z ]{1,40}$/.test(type) ? type : null,
    },
  }
}

/** A month, a quarter or a year, unless it is all to come. */
function periodIn(text: string, today: Temporal.PlainDate): Period | undefined {
  const period = periodOf(text)
  return period && Temporal.PlainDate.compare(period.from, today) <= 0 ? period : undefined
}

/** Parses the days from `from` to `to`, at most a year, without future days. */
function daysIn(query: URLSearchParams, today: Temporal.PlainDate): Period | undefined {
  const [from, to] = [readDay(query.get('from') ?? ''), readDay(query.get('to') ?? '')]
  if (from === '' || to === '') return undefined
  const period = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) }
  const length = lengthOf(period)
  return length < 1 || length > mostDays || Temporal.PlainDate.compare(period.to, today) > 0 ? undefined : period
}

/** Returns the URLs of a report or the overview, with its parameters. */
function addressOf({ period, comparison, filter }: AskedReports, name: ReportName | null) {
  const allowed: readonly string[] = name === null ? ['state', 'shop', 'type'] : reportEntries[name].filters
  const code = codeOf(period)
  return {
    month: code ?? undefined,
    from: code === null ? period.from.toString() : undefined,
    to: code === null ? period.to.toString() : undefined,
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

/** The reports on the overview, in order. */
const overviewNames: readonly ReportName[] = ['sales', 'margin', 'tax', 'promise', 'refunds']

/** Reads the page of one report; with null, the overview with the main figures and the reports behind them. */
export async function readReportsPage(
  { db, clock }: Pick<Application, 'db' | 'clock'>,
  asked: AskedReports,
  name: ReportName | null,
) {
  const today = storeDay(clock.now())
  const { period, comparison } = asked
  const shown = name === null ? overviewNames : [name]
  const found = await readReports({ db }, { ...asked, names: shown })
  const other = comparedWith(period, comparison)
  const names = { now: periodName(period), before: other && periodName(other.period) }
  const link = (of: Period) => ({ label: periodName(of), path: pathOf({ ...asked, period: of }, name) })
  const after = periodNextTo(period, 1)
  return {
    name,
    title: name === null ? names.now : `${reportEntries[name].label}, ${names.now}`,
    isMonth: monthOf(period) !== null,
    isRunning: Temporal.PlainDate.compare(period.to, today) >= 0,
    countedAt: found.countedAt && timeText(found.countedAt, storeZone),
    facts: name === null ? factsOf(found, names.before) : [],
    previous: link(periodNextTo(period, -1)),
    next: Temporal.PlainDate.compare(after.from, today) > 0 || isCut(after, today) ? null : link(after),
    pages: [
      { name: '', label: 'Overview', path: pathOf(asked, null) },
      ...reportNames.map((each) => ({ name: each, label: reportEntries[each].label, path: pathOf(asked, each) })),
    ],
    allCsv: officePaths.officeReportsCsv(addressOf(asked, null)),
    filters: filtersOf(found, asked, { name, current: today.toPlainYearMonth() }),
    reports: shown.map((each) => ({
      ...viewOf(found.reports[each], {
        csv: officePaths.officeReportsCsv({ ...addressOf(asked, each), report: each }),
        names,
        linkOf: linksOf(asked, found, each),
      }),
      path: name === null ? pathOf(asked, each) : null,
    })),
  }
}

/** Returns a cell's link, to its row's shop, or its entries. */
function linksOf({ period, comparison, filter }: AskedReports, found: ReportsOfPeriod, report: ReportName): LinkOf {
  const other = comparedWith(period, comparison)
  const shop = filter.shopId === null ? undefined : found.choices.shops.find(({ id }) => id === filter.shopId)?.code
  const isHidden = !hasEntries(report) || (filter.shopId !== null && shop === undefined)
  return ({ column, subject, isBefore }) => {
    const { shopCode } = subject
    if (column === 'Shop') return shopCode === undefined ? undefined : officePaths.officeShop(shopCode)
    const days = isBefore ? other && daysBefore(other, subject.days) : (subject.days ?? textOf(period))
    if (isHidden || !days) return undefined
    return officePaths.officeReportEntries({
      report,
      ...days,
      state: subject.state ?? filter.state ?? undefined,
      row: subject.label,
      shop: shopCode ?? shop,
      type: filter.accountType ?? undefined,
      of: column,
    })
  }
}

const textOf = ({ from, to }: Period) => ({ from: from.toString(), to: to.toString() })

/** Returns the comparison period's days for these days, or all; null without a comparison. */
function daysBefore(
  { period, counterpart }: NonNullable<ReturnType<typeof comparedWith>>,
  days: { from: string; to: string } | undefined,
): { from: string; to: string } | null {
  if (!days) return textOf(period)
  const all = Array.from({ length: lengthOf(period) }, (_, at) => period.from.add({ days: at }).toString())
  const own = all.filter((day) => counterpart(day) >= days.from && counterpart(day) <= days.to)
  const [from, to] = [own[0], own.at(-1)]
  return from === undefined || to === undefined ? null : { from, to }
}

/** Returns whether a custom range includes future days. */
function isCut(period: Period, today: Temporal.PlainDate): boolean {
  return codeOf(period) === null && Temporal.PlainDate.compare(period.to, today) > 0
}

/** The last months, the quarters they are in, and the years. */
function periodsOffered(current: Temporal.PlainYearMonth): Choice[] {
  const months = Array.from({ length: monthsOffered }, (_, back) => current.subtract({ months: back }))
  const codes = [
    ...months.map((month) => month.toString()),
    ...months.map(({ year, month }) => `${year}-Q${Math.ceil(month / 3)}`),
    ...months.map(({ year }) => String(year)),
  ]
  return [...new Set(codes)].map((code) => ({ value: code, label: codeName(code) }))
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
  const code = codeOf(period)
  return {
    month: code ?? '',
    // Custom days replace a month, quarter or year.
    days: code === null ? textOf(period) : { from: '', to: '' },
    months: withChosen(periodsOffered(current), code),
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
  const cellOf = (name: ReportName, label: string, row: Report['before']): number | null => {
    const found = row?.[reports[name].columns.findIndex((column) => column.label === label)]
    return typeof found === 'number' ? found : null
  }
  const cell = (name: ReportName, label: string) => cellOf(name, label, reports[name].total)
  const sales = cell('sales', 'Sales') ?? 0
  const change = cell('sales', 'Change')
  const [marginShare, unknown] = [cell('margin', 'Share'), cell('margin', 'Cost unknown') ?? 0]
  const marginBefore = cellOf('margin', 'Share', reports.margin.before)
  const refunded = cell('refunds', 'Amount') ?? 0
  const promised = cell('promise', 'Parcels') ?? 0
  const marginMeta = [
    money(cell('margin', 'Margin')),
    ...(marginShare === null || marginBefore === null ? [] : [pointsText(marginShare - marginBefore)]),
    ...(unknown === 0 ? [] : [`cost unknown of ${money(unknown)}`]),
  ]
  return [
    {
      label: 'Sales',
      value: money(sales),
      meta:
        change === null || before === null
          ? `${number(cell('sales', 'Orders'))} orders`
          : `${signed(change)} on ${before}`,
    },
    {
      label: 'Margin',
      value: marginShare === null ? 'Cost unknown' : percent(marginShare),
      meta: marginMeta.join(', '),
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
    {
      label: 'Refunds',
      value: money(refunded),
      meta: `${number(cell('refunds', 'Refunds'))} paid out${sales > 0 ? `, ${percent(Math.round((refunded * 1_000_000) / sales))} of sales` : ''}`,
    },
  ]
}

/** A difference of two shares in parts per million, as "+0.9 points". */
function pointsText(ppm: number): string {
  const points = signed(ppm).replace('%', '')
  return [points, 'points'].join(' ')
}
