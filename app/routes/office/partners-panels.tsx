/** The panels of the partners page, each with its form. */
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/partners.ts'

type Data = Route.ComponentProps['loaderData']

/** A reply about a field of the forms; undefined for one that is shown above the page. */
export function formReply(reply: FormReply | undefined): FormReply | undefined {
  const isOfForm = ['rate', 'employer'].includes(reply?.values['intent'] ?? '')
  return isOfForm && Object.keys(reply?.errors ?? {}).length > 0 ? reply : undefined
}

export function Forms({ data: { widgets, tomorrow }, reply }: { data: Data; reply: FormReply | undefined }) {
  const intent = reply?.values['intent']
  return (
    <>
      {widgets.length === 0 ? null : (
        <RateForm widgets={widgets} tomorrow={tomorrow} reply={intent === 'rate' ? reply : undefined} />
      )}
      <EmployerForm reply={intent === 'employer' ? reply : undefined} />
    </>
  )
}

export function ApplicationPanel({
  application: { id, business, message, rows },
  mayDecide,
}: {
  application: Data['applications'][number]
  mayDecide: boolean
}) {
  return (
    <Panel id={`application-${id}`} title={business}>
      <PanelBody>
        <KeyValues rows={rows} />
        {message ? <p className="pre-line">{message}</p> : null}
      </PanelBody>
      {mayDecide ? (
        <PanelBody>
          <form method="post" className="row">
            <input type="hidden" name="application" value={id} />
            <button className="btn" name="intent" value="approve" aria-label={`Approve ${business}`}>
              Approve
            </button>
            <button className="btn stop" name="intent" value="refuse" aria-label={`Refuse ${business}`}>
              Refuse
            </button>
          </form>
        </PanelBody>
      ) : null}
    </Panel>
  )
}

export function Widgets({ widgets, mayDecide }: { widgets: Data['widgets']; mayDecide: boolean }) {
  return (
    <Panel id="widgets" title="Widgets" note="Tires on partners’ own pages">
      {widgets.length === 0 ? (
        <PanelBody>
          <p>None yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Widgets of partners"
          columns={[
            { key: 'name', label: 'Partner', isRowHeader: true },
            { key: 'id', label: 'Key' },
            { key: 'origins', label: 'Sites' },
            { key: 'email', label: 'Account' },
            { key: 'since', label: 'Since' },
            { key: 'rate', label: 'Commission' },
            { key: 'acts', label: 'Close' },
          ]}
          rows={widgets.map(({ id, name, rate, rates, ...cells }) => ({
            id,
            cells: {
              ...cells,
              rate: (
                <details>
                  <summary>{rate}</summary>
                  {rates.map((set) => (
                    <p key={set} className="small">
                      {set}
                    </p>
                  ))}
                </details>
              ),
              id,
              name,
              acts: mayDecide ? (
                <form method="post">
                  <input type="hidden" name="widget" value={id} />
                  <button
                    className="btn quiet"
                    name="intent"
                    value="close-widget"
                    aria-label={`Close the widget of ${name}`}
                  >
                    Close
                  </button>
                </form>
              ) : null,
            },
          }))}
        />
      )}
    </Panel>
  )
}

export function Employers({ employers, mayDecide }: { employers: Data['employers']; mayDecide: boolean }) {
  return (
    <Panel
      id="employers"
      title="Employers"
      note="Verified work emails there get employee prices"
      end={<a href={officePaths.officeListFile('employers')}>Export as CSV</a>}
    >
      {employers.length === 0 ? (
        <PanelBody>
          <p>None yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Employers"
          columns={[
            { key: 'domain', label: 'Domain', isRowHeader: true },
            { key: 'employer', label: 'Employer' },
            { key: 'since', label: 'Since' },
            { key: 'acts', label: 'Remove' },
          ]}
          rows={employers.map(({ domain, ...cells }) => ({
            id: domain,
            cells: {
              ...cells,
              domain,
              acts: mayDecide ? (
                <form method="post">
                  <input type="hidden" name="domain" value={domain} />
                  <button className="btn quiet" name="intent" value="no-employer" aria-label={`Remove ${domain}`}>
                    Remove
                  </button>
                </form>
              ) : null,
            },
          }))}
        />
      )}
    </Panel>
  )
}

function RateForm({
  widgets,
  tomorrow,
  reply,
}: {
  widgets: Data['widgets']
  tomorrow: string
  reply: FormReply | undefined
}) {
  return (
    <Panel id="rate" title="Change a commission" note="For orders placed from a day on">
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ widget: 'Partner', percent: 'Percent', from: 'From' }} />
          <SelectField name="widget" label="Partner" reply={reply}>
            {widgets.map(({ id, name, rate }) => (
              <option key={id} value={id}>
                {name}: {rate}
              </option>
            ))}
          </SelectField>
          <Field name="percent" label="Percent of the tires" reply={reply} inputMode="decimal" autoComplete="off" />
          <Field name="from" label="From" reply={reply} type="date" min={tomorrow} />
          <p>
            <button className="btn" name="intent" value="rate">
              Set rate
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

function EmployerForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <Panel id="add-employer" title="Add an employer">
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ domain: 'Domain', employer: 'Name' }} />
          <Field name="domain" label="Email domain" reply={reply} maxLength={253} autoComplete="off" />
          <Field name="employer" label="Employer’s name" reply={reply} maxLength={100} autoComplete="off" />
          <p>
            <button className="btn" name="intent" value="employer">
              Add employer
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
