/** What a shop is paid, by week, as its owner and the office read it. */
import type { PaidShop } from '#domain/scheduling/installers/installers.server.ts'
import { selectGreetings } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  selectBalances,
  selectPayLines,
  selectShopYear,
  selectWeekTotals,
  type ShopYear,
} from './job-pay.sql.server.ts'
import { selectBankPayouts, selectNextDue, type BankPayout } from './transfers.sql.server.ts'
import {
  carriedInto,
  statementRows,
  sumStatement,
  weekDays,
  weekOf,
  type PayLine,
  type StatementRow,
  type StatementTotals,
  type WeekTotal,
} from './statement.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { weekSpanText } from '#platform/day-text.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { formatCents } from '#platform/money.ts'

export type PayStatement = { week: Temporal.PlainDate; lines: PayLine[]; totals: StatementTotals; carriedCents: number }

/** A statement as a document, in words. */
export type StatementSheet = {
  title: string
  store: string
  shop: string
  rows: readonly StatementRow[]
  sums: readonly { name: string; amount: string }[]
  foot: string
}

/** The document of a statement. */
export function statementSheet(
  { week, lines, totals, carriedCents }: PayStatement,
  { shop, store, sample }: { shop: Pick<PaidShop, 'name' | 'code' | 'timeZone'>; store: string; sample: boolean },
): StatementSheet {
  const sums: [string, number][] = [
    ['Jobs', totals.jobsCents],
    ['No-show fees', totals.feesCents],
    ['Adjustments', totals.adjustmentsCents],
    ['Chargebacks', totals.chargebacksCents],
    ['Carried from earlier weeks', carriedCents],
    ['Total', totals.totalCents + carriedCents],
  ]
  return {
    title: `Statement, ${weekSpanText(week)}, ${week.year}`,
    store,
    shop: `${shop.name}, ${shop.code}`,
    rows: statementRows(lines, orderNumber),
    sums: sums.map(([name, cents]) => ({ name, amount: formatCents(cents) })),
    foot: `Days by the clock of the shop, ${shop.timeZone}.${sample ? ' Demo: no real goods, no real money.' : ''}`,
  }
}

/** Reads the statement for a week, identified by its Monday. */
export async function readStatement(db: Database, shopId: number, week: Temporal.PlainDate): Promise<PayStatement> {
  const found = await selectPayLines(db, { shopId, ...weekDays(week) })
  const who = await selectGreetings(
    db,
    found.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])),
  )
  const lines = found.map((line) => ({
    ...line,
    words: line.words || (line.orderId === null ? '' : (who.get(line.orderId) ?? '')),
  }))
  const carriedCents = carriedInto(await selectWeekTotals(db, shopId), week.toString())
  return { week, lines, totals: sumStatement(lines), carriedCents }
}

export type PayOverview = {
  thisWeek: Temporal.PlainDate
  weeks: WeekTotal[]
  owedCents: number
  sentCents: number
  next: { dueAt: Temporal.Instant; jobs: number; cents: number } | undefined
  bank: BankPayout[]
}

/** What a shop is owed, when the next of it is due, and its weeks, newest first. */
export async function readPayOverview(
  { db, clock }: { db: Database; clock: Clock },
  { shopId, timeZone }: { shopId: number; timeZone: string },
): Promise<PayOverview> {
  const balance = (await selectBalances(db, [shopId])).get(shopId)
  return {
    thisWeek: weekOf(clock.now().toZonedDateTimeISO(timeZone).toPlainDate()),
    weeks: await selectWeekTotals(db, shopId),
    owedCents: balance?.owedCents ?? 0,
    sentCents: balance?.sentCents ?? 0,
    next: await selectNextDue(db, shopId),
    bank: await selectBankPayouts(db, shopId),
  }
}

/** Reads a shop's totals for this year in the store's time zone, as on Form 1099. */
export async function readShopYear(
  { db, clock }: { db: Database; clock: Clock },
  { shopId }: { shopId: number },
): Promise<ShopYear & { year: number }> {
  const { year } = storeDay(clock.now())
  const from = Temporal.PlainDate.from({ year, month: 1, day: 1 })
  return { year, ...(await selectShopYear(db, { shopId, from, since: from.toZonedDateTime(storeZone).toInstant() })) }
}
