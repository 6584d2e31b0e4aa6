import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { minuteText } from '#platform/time-text.ts'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'

type Subscription = { id: string; every: 'week' | 'month'; hour: number }

const days = { week: 'Weekly, on Monday', month: 'Monthly, on the 1st' } as const

const results: Readonly<Record<string, string>> = {
  subscribed: 'Subscribed. We’ll email you this report.',
  unsubscribed: 'Unsubscribed.',
}

/** A reader's own subscriptions to a report by email. */
export function ReportEmails({
  email,
  subscriptions,
  done,
  reply,
}: {
  email: string
  subscriptions: readonly Subscription[]
  done: string | null
  reply: FormReply | undefined
}) {
  const result = done === null ? undefined : results[done]
  return (
    <Panel id="email" title="Email this report" note={`sent to ${email} with the totals and a link`}>
      <PanelBody>
        {result ? <Notice tone="go" title={result} isNews /> : null}
        {reply ? <ErrorSummary reply={reply} /> : null}
        {subscriptions.map(({ id, every, hour }) => (
          <form key={id} method="post" className="report-email">
            <span>{`${days[every]}, ${minuteText(hour * 60)} ET`}</span>
            <input type="hidden" name="subscription" value={id} />
            <button
              className="btn quiet small"
              name="intent"
              value="unsubscribe"
              aria-label={`Unsubscribe: ${days[every]}`}
            >
              Unsubscribe
            </button>
          </form>
        ))}
        <form method="post" className="report-email">
          <label className="field" htmlFor="every">
            Frequency
            <select className="input" id="every" name="every" defaultValue={reply?.values.every ?? 'week'}>
              <option value="week">{days.week}</option>
              <option value="month">{days.month}</option>
            </select>
          </label>
          <label className="field" htmlFor="hour">
            Hour (times in ET)
            <select className="input" id="hour" name="hour" defaultValue={reply?.values.hour ?? '7'}>
              {Array.from({ length: 24 }, (_, hour) => (
                <option key={hour} value={hour}>
                  {minuteText(hour * 60)}
                </option>
              ))}
            </select>
          </label>
          <button className="btn" name="intent" value="subscribe">
            Subscribe
          </button>
        </form>
      </PanelBody>
    </Panel>
  )
}
