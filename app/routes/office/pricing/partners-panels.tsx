/** The panels of the partners page, each with its form. */
import type { FormReply } from '#app/forms/form.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel, RowForm } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/partners.ts'

type Data = Route.ComponentProps['loaderData']

export function Forms({ data: { widgets, tomorrow }, reply }: { data: Data; reply: FormReply | undefined }) {
  return (
    <>
      {widgets.length === 0 ? null : (
        <FormPanel
          id="rate"
          title="Change commission rate"
          lead="For orders placed starting on a day"
          reply={reply}
          fields={{
            widget: {
              label: 'Partner',
              kind: 'choice',
              options: widgets.map(({ id, name, rate }) => [id, `${name}: ${rate}`]),
            },
            percent: { label: 'Percent of the tires', kind: 'money' },
            from: { label: 'Starting', kind: 'day', min: tomorrow },
          }}
          buttons={[button('rate', 'Save commission')]}
        />
      )}
      <FormPanel
        id="add-employer"
        title="Add an employer"
        reply={reply?.values['employer'] === undefined ? undefined : reply}
        fields={{
          domain: { label: 'Email domain', max: 253 },
          employer: { label: 'Employer’s name', max: 100 },
        }}
        buttons={[button('add', 'Add employer')]}
      />
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
    <FactsPanel id={`application-${id}`} title={business} rows={rows}>
      {message ? <p className="pre-line">{message}</p> : null}
      {mayDecide ? (
        <RowForm
          about={{ application: id }}
          reply={undefined}
          buttons={[
            button('approve', 'Approve', undefined, { name: `Approve ${business}` }),
            button('refuse', 'Refuse', 'stop', { name: `Refuse ${business}` }),
          ]}
        />
      ) : null}
    </FactsPanel>
  )
}

export function Widgets({ widgets, mayDecide }: { widgets: Data['widgets']; mayDecide: boolean }) {
  return (
    <TablePanel
      id="widgets"
      title="Widgets"
      note="Tires on partners’ own pages"
      empty="No widgets yet."
      columns={{
        name: 'Partner',
        id: 'Key',
        origins: 'Sites',
        email: 'Account',
        since: 'Since',
        rate: 'Commission',
        acts: 'Close',
      }}
      rows={widgets.map(({ id, name, rate, rates, ...cells }) => ({
        id,
        cells: {
          ...cells,
          id,
          name,
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
          acts: mayDecide ? (
            <RowForm
              about={{ widget: id }}
              reply={undefined}
              buttons={[button('close-widget', 'Close', 'quiet', { name: `Close the widget of ${name}` })]}
            />
          ) : null,
        },
      }))}
    />
  )
}

export function Employers({ employers, mayDecide }: { employers: Data['employers']; mayDecide: boolean }) {
  return (
    <TablePanel
      id="employers"
      title="Employers"
      note="Verified work emails there get employee prices"
      end={<a href={officePaths.officeListFile('employers')}>Export as CSV</a>}
      empty="No employers yet."
      columns={{ domain: 'Domain', employer: 'Employer', since: 'Since', acts: 'Remove' }}
      rows={employers.map(({ domain, ...cells }) => ({
        id: domain,
        cells: {
          ...cells,
          domain,
          acts: mayDecide ? (
            <RowForm
              about={{ domain }}
              reply={undefined}
              buttons={[button('remove', 'Remove', 'quiet', { name: `Remove ${domain}` })]}
            />
          ) : null,
        },
      }))}
    />
  )
}
