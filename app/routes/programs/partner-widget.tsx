import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { mostOrigins } from '#domain/customers/programs/programs.ts'
import type { readPartnerWidget } from './partner-widget.server.ts'

type View = NonNullable<Awaited<ReturnType<typeof readPartnerWidget>>>

const columns = ['Visits', 'Orders', 'Tires sold', 'Pending', 'Booked', 'Taken back']

/** Renders a partner's widget with its embed code, allowed sites, and monthly results. */
export function PartnerWidget({
  widget,
  reply,
  isSaved,
}: {
  widget: View
  reply: FormReply | undefined
  isSaved: boolean
}) {
  return (
    <section className="panel padded stack" aria-labelledby="widget">
      <h2 id="widget">Your widget</h2>
      {isSaved ? <p role="status">Saved. Your widget works on these sites now.</p> : null}
      <p>
        Put this on your page. Choose the tire shop by its code, and your colors. The link stays where no script runs.
      </p>
      <p>
        <textarea className="input" aria-label="Code for your page" readOnly rows={7} value={widget.snippet} />
      </p>
      <p className="small">
        This script never changes. <code>{widget.short}</code> always has the newest one.
      </p>
      <p className="small">
        A plain link counts, too: <code>{widget.link}</code>, or its parameters on any of our page URLs. Add{' '}
        <code>&amp;source=</code> and a name to tell your pages apart.
      </p>
      <p className="small">
        Your systems can receive each order: <a href={widget.webhooks}>webhooks</a>.
      </p>
      <SitesForm origins={widget.origins} reply={reply} />
      <h3 id="months">By month</h3>
      {widget.months.length === 0 ? (
        <p>No visits yet.</p>
      ) : (
        <div className="program-scroll" tabIndex={0} role="region" aria-labelledby="months">
          <table className="program-table program-months tabular">
            <thead>
              <tr>
                <th scope="col">Month</th>
                {columns.map((column) => (
                  <th scope="col" key={column}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {widget.months.map(({ month, cells }) => (
                <tr key={month}>
                  <th scope="row">{month}</th>
                  {cells.map((cell, index) => (
                    <td key={columns[index]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="small">
        You get {widget.percent} of the tire price of each order{widget.laterRates.map((rate) => `, ${rate}`)}. The rate
        of the day an order is placed counts. Commission is pending until the tires can no longer be returned; then it
        is booked, in that month, and does not change. What is canceled, refunded or returned after that is taken back.{' '}
        <a href={widget.report}>Download as CSV</a>
      </p>
    </section>
  )
}

function SitesForm({ origins, reply }: { origins: string; reply: FormReply | undefined }) {
  return (
    <form method="post" className="stack" noValidate>
      <input type="hidden" name="intent" value="origins" />
      <ErrorSummary reply={reply} labels={{ origins: 'Your sites' }} />
      <TextAreaField
        name="origins"
        label={`Your sites, one on each line, up to ${mostOrigins}`}
        reply={reply ?? { values: { origins: origins }, errors: {} }}
        rows={3}
        maxLength={2_000}
        isRequired
      />
      <p>
        <button className="btn">Save sites</button>
      </p>
    </form>
  )
}
