import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { countOf } from '#platform/count-text.ts'

/** For a guest who sees an order's progress. Emails a code that opens the whole order. */
export function CodePanel({
  code: { sentTo, minutes, accessMinutes },
  reply,
}: {
  /** `sentTo` is the masked address of this browser's last requested code; null if it hasn't requested a code. */
  code: { sentTo: string | null; minutes: number; accessMinutes: number }
  reply: FormReply | undefined
}) {
  return (
    <section className="panel padded order-panel">
      <h2>See the whole order</h2>
      <ErrorSummary reply={reply} labels={{ code: 'Code' }} />
      {sentTo === null ? (
        <p>
          A code opens the appointment, the receipt and canceling in this browser for {countOf(accessMinutes, 'minute')}
          . We send it to the email of the order.
        </p>
      ) : (
        <>
          <p>
            We sent a code to <b>{sentTo}</b>. It expires {countOf(minutes, 'minute')} after you asked for it.
          </p>
          <form method="post" className="stack" noValidate>
            <Field
              name="code"
              label="Code from the email"
              reply={reply}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={12}
              required
            />
            <button className="btn primary" type="submit" name="intent" value="open-with-code">
              Open the order
            </button>
          </form>
        </>
      )}
      <form method="post">
        <button className="btn quiet" type="submit" name="intent" value="send-code">
          {sentTo === null ? 'Email me a code' : 'Email me a new code'}
        </button>
      </form>
    </section>
  )
}
