/** What a shop is paid, by week, as its owner and the office read it. */
import type { PaidShop } from '#domain/installers/installers.server.ts'
import { selectGreetings } from '#domain/orders/orders.server.ts'
import { selectBalances, selectPayLines, selectWeekTotals } from '#domain/payouts/job-pay.sql.server.ts'
import { selectBankPayouts, selectNextDue, type BankPayout } from '#domain/payouts/transfers.sql.server.ts'
import {
  carriedInto,
  sumStatement,
  weekDays,
  weekOf,
  type PayLine,
  type StatementTotals,
  type WeekTotal,
} from '#domain/payouts/statement.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

export type PayStatement = { week: Temporal.PlainDate; lines: PayLine[]; totals: StatementTotals; carriedCents: number }

/** A statement as a document. */
export type StatementSheet = PayStatement & { shop: Pick<PaidShop, 'name' | 'code' | 'timeZone'>; store: string; sample: boolean }

/** Reads the statement of a week, which begins on its Monday. */
export async function readStatement(
  db: Database,
  shopId: number,
  week: Temporal.PlainDate,
): Promise<PayStatement> {
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
