/** A month of reports at a million orders, read as the page of reports reads it. */
import { sql } from 'kysely'
import { countReports, readReports } from '#domain/operations/reports/reports.server.ts'
import { daysOfMonth } from '#domain/operations/reports/reports.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import type { Bench } from './bench.ts'
import { copyFigures, fillDay, ordersOfDay } from './fill-reports.ts'
import { amountRow, type Row } from './report.ts'
import { median } from './rounds.ts'

const most = { readMs: 2_000, countMs: 30_000 }
const day = '2026-10-15'
const everything = { state: null, shopId: null, accountType: null }

/** Fills a separate database. Counts one day of orders and copies its figures to two months. */
export async function measureReports({
  addDatabase,
  pace,
  say,
}: Pick<Bench, 'addDatabase' | 'pace' | 'say'>): Promise<Row[]> {
  const db = createDatabase(await addDatabase('small'), { size: 4 })
  await db.connection().execute((one) => fillDay(one, `${day}T06:00:00Z`))
  const clock = { now: () => Temporal.Instant.from('2026-10-16T12:00:00Z') }
  await countReports({ db, clock })
  const countMs = await timeOf(() => countReports({ db, clock }))
  const dayMs = await timeOf(() => readDayOnce(db))
  await copyFigures(db, day, { from: '2026-09-01', to: '2026-10-31' })
  const period = daysOfMonth(Temporal.PlainYearMonth.from('2026-10'))
  const times: number[] = []
  const limits: number[] = []
  for (let round = 0; round < Math.max(3, pace.rounds); round++) {
    times.push(await timeOf(() => readReports({ db }, { period, comparison: 'month', filter: everything })))
    limits.push(await timeOf(() => readFiguresOnce(db)))
  }
  say(`reports: ${times.map(milliseconds).join(', ')}; their rows once: ${limits.map(milliseconds).join(', ')}`)
  await db.destroy()
  return [
    amountRow('a month of reports at a million orders, beside another', median(times), most.readMs, milliseconds, {
      name: 'its rows read once',
      amount: median(limits),
    }),
    amountRow(
      `counting a day of ${ordersOfDay.toLocaleString('en-US')} orders and the one before`,
      countMs,
      most.countMs,
      milliseconds,
      { name: 'its orders, lines and entries read once', amount: dayMs },
    ),
  ]
}

/** Reads only the sum of both months' figures, as the limit for a month of reports. */
async function readFiguresOnce(db: Database): Promise<void> {
  await sql`select sum(amount_cents) from report_figure`.execute(db)
}

/** Reads the day's rows with each stored price once, as the limit for counting. */
async function readDayOnce(db: Database): Promise<void> {
  await sql`
    select (select sum(length(breakdown::text)) from sales_order), (select sum(net_cents) from order_line), (select sum(amount_cents) from ledger_entry)`.execute(
    db,
  )
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function milliseconds(amount: number): string {
  return `${Math.round(amount).toLocaleString('en-US')} ms`
}
