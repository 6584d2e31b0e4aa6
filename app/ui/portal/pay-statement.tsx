import type { StatementTotals } from '#domain/payouts/payouts.ts'
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
  /** Where a dispute of it is written; null while or once that is not possible. */
  disputePath: string | null
}

/** The lines of a week by day, with its totals. */
export function PayStatementTable({
  lines,
  totals,
  carriedCents,
}: {
  lines: readonly StatementLine[]
  totals: StatementTotals
  carriedCents: number
}) {
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
        <p className="portal-empty">Nothing yet this week.</p>
      ) : (
        <ul className="pay-lines tabular">
          {lines.map((line) => (
            <li key={line.id}>
              <p className="pay-what">
                <b>{line.name}</b> <span>{line.day}</span>
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
                {line.disputePath ? <a href={line.disputePath}>Dispute</a> : null}
              </p>
              <p className={line.cents < 0 ? 'pay-cents is-less' : 'pay-cents'}>{formatCents(line.cents)}</p>
            </li>
          ))}
        </ul>
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
