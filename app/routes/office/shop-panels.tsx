/** Shop page panels for pausing and closing, the owner's requests, rates, and staff. */
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel, OfficeForm, Options } from '#app/office/form.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Acts, KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { StatusPanelView, StatusTo } from '#app/views/office-shop-status.server.ts'
import type { ShopPricesView } from '#app/views/office-shop.server.ts'
import { officePaths } from '#content/office-paths.ts'

const intents: Readonly<Record<StatusTo, string>> = { paused: 'pause', suspended: 'suspend', closed: 'close' }
const explanations: Readonly<Record<StatusTo, string>> = {
  paused: 'No new bookings between two dates. The shop stays listed with its next free time.',
  suspended: 'Customers don’t see the shop until you reopen it. Pay already earned is still sent.',
  closed: 'The shop is removed from the store, and its page leads to shops nearby. Pay already earned is still sent.',
}
const verbs: Readonly<Record<StatusTo, string>> = {
  paused: 'Pause bookings',
  suspended: 'Suspend',
  closed: 'Close the shop',
}

/** Chooses what to do, shows every appointment it affects with a choice for each, and does it. */
export function StatusPanel({
  panel: { to, tabs, days, affected },
  code,
  version,
  reply,
}: {
  panel: StatusPanelView
  code: string
  version: number
  reply: FormReply | undefined
}) {
  return (
    <Panel
      id="stop"
      title="Pause, suspend or close"
      isOpen
      end={
        <a href={officePaths.officeShop(code)} className="btn quiet">
          Cancel
        </a>
      }
    >
      <PanelBody>
        <Acts acts={tabs} />
        <p className="office-note">{explanations[to]}</p>
      </PanelBody>
      {days ? <PauseDays to={to} days={days} /> : null}
      {affected ? (
        <PanelBody>
          <h3>{affected.title}</h3>
          {affected.rows.length > 0 ? (
            <p className="office-note">
              Customers are emailed a link to take another time or shop with one tap. Orders without an answer wait in
              Jobs not completed.
            </p>
          ) : null}
          <OfficeForm
            reply={reply}
            hidden={{ version, seen: affected.seen, ...(days && { from: days.from, through: days.through }) }}
            fields={{
              table: affected.rows.length > 0 ? <Affected rows={affected.rows} reply={reply} /> : null,
              ...(affected.rest && {
                rest: { label: affected.rest.label, kind: 'choice', options: affected.rest.options } as const,
              }),
              reason: {
                label: 'Reason',
                max: 200,
                hint: 'Staff, the shop and the customers of these appointments see it.',
              },
            }}
            buttons={[button(intents[to], verbs[to], to === 'paused' ? 'primary' : 'stop')]}
            note="Changes apply when you select the button."
          />
        </PanelBody>
      ) : null}
    </Panel>
  )
}

/** Renders the dates of a pause. The page shows their effects. */
function PauseDays({ to, days }: { to: StatusTo; days: NonNullable<StatusPanelView['days']> }) {
  const field = (name: 'from' | 'through', label: string) => (
    <div className="field-row">
      <label className="field" htmlFor={`pause-${name}`}>
        {label}
      </label>
      <input
        className="input"
        type="date"
        id={`pause-${name}`}
        name={name}
        defaultValue={days[name]}
        aria-invalid={days.fault ? true : undefined}
        aria-describedby={days.fault ? 'pause-fault' : undefined}
      />
    </div>
  )
  return (
    <PanelBody>
      <form method="get" className="stack">
        <input type="hidden" name="to" value={to} />
        <div className="office-pair">
          {field('from', 'First day')}
          {field('through', 'Last day')}
        </div>
        {days.fault ? (
          <p className="field-error" id="pause-fault" role="alert">
            {days.fault}
          </p>
        ) : null}
        <p className="row wrap-row">
          <button className="btn">Show appointments</button>
        </p>
      </form>
    </PanelBody>
  )
}

type AffectedRow = NonNullable<StatusPanelView['affected']>['rows'][number]

function Affected({ rows, reply }: { rows: readonly AffectedRow[]; reply: FormReply | undefined }) {
  return (
    <DataTable
      caption="Affected appointments"
      columns={[
        { key: 'order', label: 'Order', isRowHeader: true },
        { key: 'now', label: 'Now' },
        { key: 'choice', label: 'What happens' },
      ]}
      rows={rows.map(({ id, field, order, path, who, now, note, options }) => ({
        id,
        cells: {
          order: (
            <>
              <a href={path}>{order}</a>
              <small> {who}</small>
            </>
          ),
          now: note ? (
            <>
              {now}
              <small> {note}</small>
            </>
          ) : (
            now
          ),
          choice: field ? (
            <select
              className="input"
              name={field}
              aria-label={`What happens to ${order}`}
              defaultValue={reply?.values[field] ?? 'offer'}
            >
              <Options of={options} />
            </select>
          ) : (
            'As chosen below'
          ),
        },
      }))}
    />
  )
}

/** The new name or address that the shop's owner asked for. */
export function RequestPanel({
  request: { seen, by, on, rows, mayDecide },
  reply,
}: {
  request: { seen: string; by: string; on: string; rows: readonly [string, string][]; mayDecide: boolean }
  reply: FormReply | undefined
}) {
  return (
    <FormPanel
      id="request"
      title="New name or address"
      isOpen
      lead={`Requested by ${by}, ${on}`}
      reply={reply}
      hidden={{ seen }}
      fields={{
        asked: <KeyValues rows={rows} />,
        ...(mayDecide && {
          reason: { label: 'Reason, if you decline', max: 150, isOptional: true, hint: 'The owner sees it.' } as const,
        }),
      }}
      buttons={mayDecide ? [button('approve', 'Approve', 'primary'), button('decline', 'Decline')] : []}
    />
  )
}

/** What customers pay per tire today, and what the shop is paid for who may see it. */
export function PricesPanel({ prices: { bands, rows, extras } }: { prices: ShopPricesView }) {
  return (
    <Panel id="prices" title="Services and prices" note="Per tire. The store collects the price and pays the shop.">
      {rows.length === 0 ? (
        <PanelBody>
          <p>No prices yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Installation per tire"
          columns={[
            { key: 'name', label: 'Installation', isRowHeader: true },
            ...bands.map(({ key, label }) => ({ key, label, isAmount: true })),
          ]}
          rows={rows.map(({ id, name, cells }) => ({
            id,
            cells: {
              name,
              ...Object.fromEntries(
                cells.map(({ band, price, paid }) => [
                  band,
                  <>
                    {price}
                    {paid ? <small> Shop: {paid}</small> : null}
                  </>,
                ]),
              ),
            },
          }))}
        />
      )}
      {extras.length > 0 ? (
        <PanelBody>
          <KeyValues rows={extras} />
        </PanelBody>
      ) : null}
    </Panel>
  )
}

export function PeoplePanel({ people }: { people: readonly { email: string; name: string; role: string }[] }) {
  return (
    <Panel id="members" title="Owner and team">
      {people.length === 0 ? (
        <PanelBody>
          <p>None</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Owner and team"
          columns={[
            { key: 'name', label: 'Name', isRowHeader: true },
            { key: 'role', label: 'Role' },
          ]}
          rows={people.map(({ email, name, role }) => ({
            id: email,
            cells: {
              name: (
                <>
                  {name}
                  <small> {email}</small>
                </>
              ),
              role,
            },
          }))}
        />
      )}
    </Panel>
  )
}
