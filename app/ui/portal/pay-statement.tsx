import { Icon } from '#app/ui/icon.tsx'
import type { StatementTotals } from '#domain/installer-portal/payouts/payouts.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'

/** One amount of a statement as its page shows it. */
export type StatementLine = {
  id: string
  day: string
  name: string
  words: string
  tires: readonly string[]
  rate: string
  state: string
  cents: number
  isSent: boolean
  /** Where to dispute the line, and until when; null if that isn’t possible. */
  dispute: { path: string; until: string } | null
}

/** A week's totals, with jobs by rates and other items, compared with the amount sent to the shop's bank. */
export function PayBooks({ lines, totals, carriedCents }: { lines: readonly StatementLine[] } & StatementSums) {
  const statement = totals.totalCents + carriedCents
  const sent = lines.reduce((sum, { cents, isSent }) => sum + (isSent ? cents : 0), 0)
  const parts: [string, number][] = [
    ['Jobs by rate', totals.jobsCents],
    ['Fees and adjustments', statement - totals.jobsCents],
    ['Statement', statement],
    ['Sent to your bank', sent],
  ]
  return (
    <p className="pay-books tabular">
      {parts.map(([name, cents]) => (
        <span key={name}>
          {name} <b>{formatCents(cents)}</b>
        </span>
      ))}
      {sent === statement && lines.length > 0 ? (
        <b className="job-ok">
          <Icon name="check-circle" size="s" /> Adds up to the cent
        </b>
      ) : null}
    </p>
  )
}

type StatementSums = { totals: StatementTotals; carriedCents: number }

/** The lines of a week by day, with its totals. */
export function PayStatementTable({
  lines,
  totals,
  carriedCents,
}: { lines: readonly StatementLine[] } & StatementSums) {
  const sums: [string, number][] = [
    ['Jobs', totals.jobsCents],
    ['No-show fees', totals.feesCents],
    ['Adjustments', totals.adjustmentsCents],
    ['Chargebacks', totals.chargebacksCents],
    ...(carriedCents === 0 ? [] : [['Carried from earlier weeks', carriedCents] as [string, number]]),
  ]
  return (
    <>
      {lines.length === 0 ? (
        <p className="portal-empty">No payouts yet this week.</p>
      ) : (
        daysOf(lines).map(({ day, lines: ofDay }, index, days) => (
          <details key={day} className="pay-day" open={index === days.length - 1}>
            <summary className="tabular">
              <b>
                {day}
                <span>{countOf(ofDay.length, 'payout line')}</span>
              </b>
              <b>{formatCents(ofDay.reduce((sum, { cents }) => sum + cents, 0))}</b>
              <Icon name="down" />
            </summary>
            <StatementLines lines={ofDay} />
          </details>
        ))
      )}
      <dl className="pay-sums tabular">
        {sums.map(([name, cents]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatCents(cents)}</dd>
          </div>
        ))}
        <div className="is-total">
          <dt>Total</dt>
          <dd>{formatCents(totals.totalCents + carriedCents)}</dd>
        </div>
      </dl>
    </>
  )
}

/** The lines of each day, in the order of the days. */
function daysOf(lines: readonly StatementLine[]): { day: string; lines: StatementLine[] }[] {
  return [...Map.groupBy(lines, ({ day }) => day)].map(([day, ofDay]) => ({ day, lines: ofDay }))
}

function StatementLines({ lines }: { lines: readonly StatementLine[] }) {
  return (
    <ul className="pay-lines tabular">
      {lines.map((line) => (
        <li key={line.id}>
          <p className="pay-what">
            <b>{line.name}</b>
          </p>
          <p className="pay-words">
            {line.words}
            {line.tires.map((tire) => (
              <span key={tire}>{tire}</span>
            ))}
            {line.rate ? <span>{line.rate}</span> : null}
          </p>
          <p className="pay-state">
            {line.state}
            {line.dispute ? (
              <span className="pay-dispute">
                <a href={line.dispute.path}>Dispute</a>
                <span>until {line.dispute.until}</span>
              </span>
            ) : null}
          </p>
          <p className={line.cents < 0 ? 'pay-cents is-less' : 'pay-cents'}>{formatCents(line.cents)}</p>
        </li>
      ))}
    </ul>
  )
}
