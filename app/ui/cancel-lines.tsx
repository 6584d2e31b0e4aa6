import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, SelectField } from '#app/ui/field.tsx'
import type { CancelLinesView } from '#app/views/cancel-lines.server.ts'
import { cancelLinesMessages } from '#content/messages/orders.ts'
import { formatCents } from '#platform/money.ts'

/** How many of each line to cancel, and what the form was when it was shown. */
export function CancelLineFields({ view, reply }: { view: CancelLinesView; reply: FormReply | undefined }) {
  return (
    <>
      <input type="hidden" name="key" value={reply?.values['key'] ?? view.once} />
      <input type="hidden" name="seen" value={view.seen} />
      {view.lines.map(({ lineNo, label, most, quantity }) => (
        <SelectField key={lineNo} name={`units-${lineNo}`} label={label} reply={reply}>
          <option value="">None</option>
          {Array.from({ length: most }, (_, index) => (
            <option key={index} value={index + 1}>
              {index + 1} of {quantity}
            </option>
          ))}
        </SelectField>
      ))}
    </>
  )
}

/** Field labels for the error summary. */
export function cancelLineLabels({ lines }: CancelLinesView): Record<string, string> {
  return Object.fromEntries(lines.map(({ lineNo, label }) => [`units-${lineNo}`, label]))
}

/** The refund amount, once known, and the button that previews it or cancels. */
function Agreed({ reply }: { reply: FormReply | undefined }) {
  const isFaulty = reply === undefined || Object.keys(reply.errors).length > 0
  const agreed = isFaulty ? undefined : reply.values['agreed']
  if (agreed === undefined)
    return (
      <button className="btn" type="submit" name="intent" value="cancel-lines">
        See your refund
      </button>
    )
  return (
    <>
      <input type="hidden" name="agreed" value={agreed} />
      <p role="status">
        <strong>
          {agreed === '0'
            ? cancelLinesMessages.nothingPaid
            : cancelLinesMessages.comesBack(formatCents(Number(agreed)))}
        </strong>{' '}
        Canceling cannot be undone.
      </p>
      <button className="btn stop" type="submit" name="intent" value="cancel-lines">
        Cancel these items
      </button>
    </>
  )
}

/** Renders the form that cancels unshipped lines. */
export function CancelLinesPanel({ view, reply }: { view: CancelLinesView; reply: FormReply | undefined }) {
  return (
    <section className="panel padded order-panel" id="cancel-lines">
      <h2>{cancelLinesMessages.heading}</h2>
      <p className="small muted">
        We refund the original payment method, including tax, fees, and services. Tires that have shipped you can return
        once they arrive.
      </p>
      {view.lines.length === 0 ? (
        <ErrorSummary reply={reply} />
      ) : (
        <details className="cancel-order" open={reply !== undefined}>
          <summary className="btn quiet small">Cancel items</summary>
          <form method="post" action="#cancel-lines" className="stack" noValidate>
            <ErrorSummary reply={reply} labels={cancelLineLabels(view)} />
            <CancelLineFields view={view} reply={reply} />
            <Agreed reply={reply} />
          </form>
        </details>
      )}
    </section>
  )
}
