import type { PayView } from '#app/views/portal-pay.server.ts'
import { includedInRate } from '#content/messages/payouts.ts'

/** A job's pay for the shop by line, with the note that there are no additional payments. */
export function JobPay({ pay: { lines, included, amount, note } }: { pay: PayView }) {
  return (
    <div className="job-pay tabular">
      <dl>
        {lines.map(({ text, rate, amount: sum }) => (
          <div key={text}>
            <dt>
              {text}
              <span>{rate}</span>
            </dt>
            <dd>{sum}</dd>
          </div>
        ))}
        {included.map((text) => (
          <div key={text}>
            <dt>
              {text}
              <span>In the rate per tire</span>
            </dt>
            <dd>Included</dd>
          </div>
        ))}
        <div className="is-total">
          <dt>You earn</dt>
          <dd>{amount ?? 'Not known yet'}</dd>
        </div>
      </dl>
      <p className="muted">
        {note} {lines.length > 0 ? includedInRate : null}
      </p>
    </div>
  )
}
