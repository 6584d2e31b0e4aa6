/** Figures on the office's home page, with value, comparison, and the last fourteen values. */
import { officePaths } from '#content/office-paths.ts'
import {
  selectAppointmentDays,
  selectSalesDays,
  type AppointmentDay,
  type SalesDay,
} from '#domain/ordering/orders/orders.server.ts'
import { selectVisitDays } from '#domain/operations/reports/reports.server.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import type { Application } from '#application'

/** The number of days in a figure. `today` is today so far, and the others end today. */
export const periods = { today: 1, '7': 7, '30': 30 } as const
export type PeriodName = keyof typeof periods

/** Better or worse than before, with the change in words; `same` has no judgment. */
type Change = { tone: 'better' | 'worse' | 'same'; change: string; rest: string }

export type FigureView = {
  name: string
  label: string
  /** Null without data. */
  value: string | null
  change: Change
  /** What it counts, on hover. */
  about: string
  path: string | null
  spark: { label: string; values: number[]; fromZero: boolean }
}

/** Values of a sparkline. */
const points = 14
const promiseDays = 7
const lastPoints = `last ${countOf(points, 'day')}`

/**
 * Returns the figures visible to these roles. Every period ends at the current time of day, today or on its last day,
 * so that periods compare. Promised deliveries use whole days, until yesterday.
 */
export async function readFigures(
  app: Pick<Application, 'db' | 'clock'>,
  roles: readonly StaffRole[],
  period: PeriodName,
): Promise<FigureView[]> {
  const now = app.clock.now()
  const days = periods[period]
  const [sales, appointments] = await Promise.all([
    staffCan(roles, 'reports.read') ? readSales(app, { now, days }) : [],
    staffCan(roles, 'orders.read') ? readAppointments(app, roles, { now, days }) : [],
  ])
  const conversion = staffCan(roles, 'reports.read') ? await readConversion(app, { now, days }) : []
  return [...sales, ...appointments, ...conversion]
}

/** The address of a report on the `days` days until `last`. */
function reportOf(report: string, last: Temporal.PlainDate, days: number): string {
  return officePaths.officeReport(report, { from: last.subtract({ days: days - 1 }).toString(), to: last.toString() })
}

type Span = { now: Temporal.Instant; days: number }
type Sum = { orders: number; cents: number }

async function readSales({ db }: Pick<Application, 'db'>, { now, days }: Span): Promise<FigureView[]> {
  const today = storeDay(now)
  const compared = days === 1 ? 7 : days
  const first = today.subtract({ days: Math.max(points, compared + 1) + days })
  const from = first.toZonedDateTime(storeZone).toInstant()
  const byDay = new Map((await selectSalesDays(db, { from, now })).map((row) => [row.day, row]))
  const at = (ago: number) => sumOf(byDay, { last: today.subtract({ days: ago }), days })
  const current = at(0)
  const before = at(compared)
  const series = Array.from({ length: points }, (_, index) => at(points - 1 - index))
  const isEmpty = series.every(({ orders }) => orders === 0) && before.orders === 0
  const path = officePaths.officeReports({ from: today.subtract({ days: days - 1 }).toString(), to: today.toString() })
  const figure = (about: SalesFigure): FigureView => {
    const { name, label, text, fromZero, none, of } = about
    return {
      name,
      label,
      about: about.about,
      path,
      value: isEmpty ? null : text(of(current)),
      change: isEmpty ? emptyChange(none) : changeOf(of(current), of(before), about),
      spark: { label: `${label}, ${lastPoints}`, values: series.map(of), fromZero },
    }
  }
  return salesFigures.map(figure)
}

type SalesFigure = {
  name: string
  label: string
  about: string
  of(sum: Sum): number
  text(value: number): string
  fromZero: boolean
  /** The change is a number of units rather than a share. */
  inUnits: boolean
  none: string
}

const salesFigures: readonly SalesFigure[] = [
  {
    name: 'sales',
    label: 'Sales',
    about: 'Order totals with tax and fees, excluding canceled orders.',
    of: ({ cents }) => cents,
    text: formatCents,
    fromZero: true,
    inUnits: false,
    none: 'Counts from your first order',
  },
  {
    name: 'orders',
    label: 'Orders',
    about: 'Orders that were placed and not canceled.',
    of: ({ orders }) => orders,
    text: String,
    fromZero: true,
    inUnits: true,
    none: 'Placed and not canceled',
  },
  {
    name: 'average',
    label: 'Average order',
    about: 'Sales divided by orders.',
    of: ({ orders, cents }) => (orders === 0 ? 0 : Math.round(cents / orders)),
    text: formatCents,
    fromZero: false,
    inUnits: false,
    none: 'Sales divided by orders',
  },
]

/** Whole days, and the last one up to the time of day of now. */
function sumOf(byDay: ReadonlyMap<string, SalesDay>, { last, days }: { last: Temporal.PlainDate; days: number }): Sum {
  const whole = Array.from({ length: days - 1 }, (_, index) => byDay.get(last.subtract({ days: index + 1 }).toString()))
  const until = byDay.get(last.toString())
  return {
    orders: (until?.ordersByNow ?? 0) + whole.reduce((sum, day) => sum + (day?.orders ?? 0), 0),
    cents: (until?.centsByNow ?? 0) + whole.reduce((sum, day) => sum + (day?.cents ?? 0), 0),
  }
}

async function readAppointments(
  { db }: Pick<Application, 'db'>,
  roles: readonly StaffRole[],
  { now, days }: Span,
): Promise<FigureView[]> {
  const today = storeDay(now)
  const window = Math.max(promiseDays, days)
  const rows = await selectAppointmentDays(db, {
    from: today.subtract({ days: Math.max(points, window) + window }).toString(),
    to: today.toString(),
    now,
  })
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const promises = promisesFigure(byDay, { today, days: window })
  const path = staffCan(roles, 'reports.read') ? reportOf('promise', today.subtract({ days: 1 }), window) : null
  return [bookedFigure(byDay, { today, days }), { ...promises, path }]
}

/** Orders and visits on the days with visit counts. */
type Conversion = { orders: number; visits: number }

/**
 * Returns the share of visits that ended in an order. Omitted until visits are counted, because unknown isn't zero.
 * Both use whole days, with today so far.
 */
async function readConversion({ db }: Pick<Application, 'db'>, { now, days }: Span): Promise<FigureView[]> {
  const today = storeDay(now)
  const compared = days === 1 ? 7 : days
  const first = today.subtract({ days: Math.max(points, compared + 1) + days })
  const from = first.toZonedDateTime(storeZone).toInstant()
  const [visitsOf, sales] = await Promise.all([
    selectVisitDays(db, first.toString()),
    selectSalesDays(db, { from, now }),
  ])
  if (visitsOf.size === 0) return []
  const ordersOf = new Map(sales.map(({ day, orders }) => [day, orders]))
  const at = (ago: number): Conversion => {
    const sum = { orders: 0, visits: 0 }
    for (let index = 0; index < days; index += 1) {
      const day = today.subtract({ days: ago + index }).toString()
      const visits = visitsOf.get(day) ?? 0
      if (visits === 0) continue
      sum.visits += visits
      sum.orders += ordersOf.get(day) ?? 0
    }
    return sum
  }
  const [current, before] = [at(0), at(compared)]
  const change = Math.round((convertedShare(current) - convertedShare(before)) * 10) / 10
  const rest = `${countOf(current.orders, 'order')} of ${countOf(current.visits, 'visit')}`
  return [
    {
      name: 'conversion',
      label: 'Conversion',
      about: 'Orders divided by visits. A visit is a browser in a day; robots and staff are not counted.',
      path: reportOf('conversion', today, days),
      value: current.visits === 0 ? null : `${convertedShare(current).toFixed(1)}%`,
      change:
        current.visits === 0
          ? emptyChange('Orders divided by visits')
          : before.visits === 0 || change === 0
            ? { tone: 'same', change: '', rest }
            : {
                tone: change > 0 ? 'better' : 'worse',
                change: `${change > 0 ? '↑' : '↓'} ${Math.abs(change).toFixed(1)} points`,
                rest: `, ${rest}`,
              },
      spark: {
        label: `Conversion, ${lastPoints}`,
        values: Array.from({ length: points }, (_, index) => convertedShare(at(points - 1 - index))),
        fromZero: false,
      },
    },
  ]
}

/** In percent. */
function convertedShare({ orders, visits }: Conversion): number {
  return visits === 0 ? 0 : (orders / visits) * 100
}

type Days = ReadonlyMap<string, AppointmentDay>

function add(byDay: Days, { last, days }: { last: Temporal.PlainDate; days: number }): Omit<AppointmentDay, 'day'> {
  const sum = { booked: 0, done: 0, inBay: 0, missed: 0, began: 0, kept: 0 }
  for (let ago = 0; ago < days; ago += 1) {
    const day = byDay.get(last.subtract({ days: ago }).toString())
    if (!day) continue
    for (const key of ['booked', 'done', 'inBay', 'missed', 'began', 'kept'] as const) sum[key] += day[key]
  }
  return sum
}

/** Without a good or bad trend, because more appointments aren't necessarily better. */
function bookedFigure(byDay: Days, { today, days }: { today: Temporal.PlainDate; days: number }): FigureView {
  const at = (ago: number) => add(byDay, { last: today.subtract({ days: ago }), days })
  const { booked, done, inBay, missed } = at(0)
  const isToday = days === 1
  const series = Array.from({ length: points }, (_, index) => at(points - 1 - index).booked)
  const isEmpty = series.every((value) => value === 0)
  const parts = [
    `${done} done`,
    `${inBay} in the bay`,
    `${booked - done - inBay - missed} to come`,
    ...(missed > 0 ? [countOf(missed, 'no-show')] : []),
  ]
  return {
    name: 'appointments',
    label: isToday ? 'Appointments today' : `Appointments, ${countOf(days, 'day')}`,
    about: 'At all shops, on each shop’s own day, without canceled ones.',
    path: officePaths.officeAppointments(),
    value: isEmpty ? null : String(booked),
    change: {
      tone: 'same',
      change: '',
      rest: isEmpty ? 'Booked through your store' : booked === 0 ? 'None booked' : parts.join(', '),
    },
    spark: { label: `Appointments, ${lastPoints}`, values: series, fromZero: true },
  }
}

function promisesFigure(byDay: Days, { today, days }: { today: Temporal.PlainDate; days: number }): FigureView {
  const at = (ago: number) => add(byDay, { last: today.subtract({ days: ago + 1 }), days })
  const current = at(0)
  const before = at(days)
  const series = Array.from({ length: points }, (_, index) => shareOf(at(points - 1 - index)))
  const rest = `${current.kept} of ${current.began}`
  const change = Math.round((shareOf(current) - shareOf(before)) * 10) / 10
  return {
    name: 'promises',
    label: `On-time rate, ${countOf(days, 'day')}`,
    about: 'Appointments with all tires checked in at the shop before the start time, through yesterday.',
    path: null,
    value: current.began === 0 ? null : `${shareOf(current).toFixed(1)}%`,
    change:
      current.began === 0
        ? emptyChange('Tires there before the appointment')
        : before.began === 0 || change === 0
          ? { tone: 'same', change: '', rest }
          : {
              tone: change > 0 ? 'better' : 'worse',
              change: `${change > 0 ? '↑' : '↓'} ${Math.abs(change).toFixed(1)} points`,
              rest: `, ${rest}`,
            },
    spark: { label: `On-time rate over ${countOf(days, 'day')}, ${lastPoints}`, values: series, fromZero: false },
  }
}

/** In percent, and zero without started appointments. */
function shareOf({ began, kept }: Pick<AppointmentDay, 'began' | 'kept'>): number {
  return began === 0 ? 0 : (kept / began) * 100
}

function emptyChange(text: string): Change {
  return { tone: 'same', change: '', rest: text }
}

/**
 * "↑ 16.8% from $13,212.36", or "↑ 3 from 18" in units; under one percent "0.2% more than $734.02", without judgment.
 */
function changeOf(now: number, before: number, { text, inUnits }: Pick<SalesFigure, 'text' | 'inUnits'>): Change {
  if (before === 0) return { tone: 'same', change: '', rest: now === 0 ? 'No earlier data' : 'None before' }
  if (now === before) return { tone: 'same', change: '', rest: `Same as ${text(before)}` }
  const percent = ((now - before) / before) * 100
  const size = inUnits ? text(Math.abs(now - before)) : `${Math.abs(percent).toFixed(Math.abs(percent) < 100 ? 1 : 0)}%`
  if (!inUnits && Math.abs(percent) < 1)
    return { tone: 'same', change: size, rest: ` ${percent > 0 ? 'more' : 'less'} than ${text(before)}` }
  return {
    tone: percent > 0 ? 'better' : 'worse',
    change: `${percent > 0 ? '↑' : '↓'} ${size}`,
    rest: ` from ${text(before)}`,
  }
}
