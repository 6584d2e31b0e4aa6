/** A shop's payout week, Monday to Sunday in its time zone, including the carried-over negative balance. */

/** The Monday of a day's week. */
export function weekOf(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.subtract({ days: day.dayOfWeek - 1 })
}

/** The first day of a week, and the day after its last. */
export function weekDays(week: Temporal.PlainDate): { from: Temporal.PlainDate; until: Temporal.PlainDate } {
  return { from: week, until: week.add({ days: 7 }) }
}

/** Reads a week of an address, the Monday as "2026-11-16"; undefined for anything else. */
export function readWeek(text: string): Temporal.PlainDate | undefined {
  if (!/^20\d{2}-\d{2}-\d{2}$/.test(text)) return undefined
  try {
    const day = Temporal.PlainDate.from(text, { overflow: 'reject' })
    return day.dayOfWeek === 1 ? day : undefined
  } catch {
    return undefined
  }
}

export const jobKindNames = { finished: 'Job', 'no-show': 'No-show' } as const
export const disputeStates = { open: 'In dispute', granted: 'Dispute granted', declined: 'Dispute declined' } as const

/** One amount of a statement. */
export type PayLine = {
  id: string
  kind: 'finished' | 'no-show' | 'adjustment' | 'chargeback'
  day: string
  at: Temporal.Instant
  orderId: number | null
  /** The job's appointment; null for adjustments without a job. */
  bookingId: string | null
  /** Whom the job was for, or why it was adjusted. */
  words: string
  tires: { quantity: number; description: string; rateCents: number; isService?: boolean }[]
  dueAt: Temporal.Instant | null
  disputeUntil: Temporal.Instant
  dispute: keyof typeof disputeStates | null
  transfer: 'intended' | 'sent' | null
  amountCents: number
}

/** Whether the time to dispute a line is over at `at`. Its last moment is still in time. */
export function isTooLateToDispute({ disputeUntil }: Pick<PayLine, 'disputeUntil'>, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at, disputeUntil) > 0
}

export type StatementTotals = {
  jobsCents: number
  feesCents: number
  adjustmentsCents: number
  chargebacksCents: number
  totalCents: number
}

/** The totals of a statement, each the sum of its lines. */
export function sumStatement(lines: readonly Pick<PayLine, 'kind' | 'amountCents'>[]): StatementTotals {
  const sum = (kind: PayLine['kind']) =>
    lines.reduce((cents, line) => cents + (line.kind === kind ? line.amountCents : 0), 0)
  const parts = {
    jobsCents: sum('finished'),
    feesCents: sum('no-show'),
    adjustmentsCents: sum('adjustment'),
    chargebacksCents: sum('chargeback'),
  }
  return { ...parts, totalCents: parts.jobsCents + parts.feesCents + parts.adjustmentsCents + parts.chargebacksCents }
}

export type WeekTotal = { week: string; cents: number }

/** What of the weeks before `week` was below zero and is taken from it: zero or less. `weeks` in any order. */
export function carriedInto(weeks: readonly WeekTotal[], week: string): number {
  return weeks
    .filter((each) => each.week < week)
    .toSorted((a, b) => (a.week < b.week ? -1 : 1))
    .reduce((carried, { cents }) => Math.min(0, carried + cents), 0)
}

export type StatementRow = readonly [
  day: string,
  kind: string,
  order: string,
  words: string,
  tires: string,
  rate: string,
  dollars: string,
]

const kindNames: Readonly<Record<PayLine['kind'], string>> = {
  ...jobKindNames,
  adjustment: 'Adjustment',
  chargeback: 'Chargeback',
}

/** The rows of a statement as files show them. */
export function statementRows(lines: readonly PayLine[], orderName: (orderId: number) => string): StatementRow[] {
  return lines.map((line) => [
    line.day,
    kindNames[line.kind],
    line.orderId === null ? '' : orderName(line.orderId),
    line.words,
    line.tires.map(({ quantity, description }) => `${quantity} × ${description}`).join('; '),
    line.tires.map(({ rateCents }) => (rateCents / 100).toFixed(2)).join('; '),
    (line.amountCents / 100).toFixed(2),
  ])
}
