/** Shop page panels for pausing and closing, the owner's requests, rates, and staff. */
import { Fragment } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Options } from '#app/ui/select-options.tsx'
import { button, FormPanel, OfficeForm, type FormButton } from '#app/office/form.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Acts, KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { AffectedView, StatusPanelView, StatusTo } from '#app/views/office/shop-status.server.ts'
import type { ShopPricesView } from '#app/views/office/shop.server.ts'
import { officePaths } from '#content/office-paths.ts'

const intents: Readonly<Record<StatusTo, string>> = {
  paused: 'pause',
  closing: 'schedule',
  suspended: 'suspend',
  closed: 'close',
}
const explanations: Readonly<Record<StatusTo, string>> = {
  paused:
    'No new bookings through the last day, or until you end the pause if you leave it empty. The shop stays listed with its next free time.',
  closing:
    'The shop takes no bookings after its last day. It closes once each later appointment is moved, canceled, or kept.',
  suspended: 'Customers don’t see the shop until you reopen it. Pay already earned is still sent.',
  closed: 'The shop is removed from the store, and its page leads to shops nearby. Pay already earned is still sent.',
}
const verbs: Readonly<Record<StatusTo, string>> = {
  paused: 'Pause bookings',
  closing: 'Schedule the closing',
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
      title="Pause, suspend, or close"
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
      {days ? <Days to={to} days={days} /> : null}
      {affected ? (
        <AffectedForm
          affected={affected}
          hidden={{ version, ...days?.values }}
          isClosing={to === 'closing'}
          reason="Staff, the shop and the customers of these appointments see it."
          buttons={[button(intents[to], verbs[to], to === 'paused' ? 'primary' : 'stop')]}
          reply={reply}
        />
      ) : null}
    </Panel>
  )
}

/** Renders the appointments that a change affects, each with a choice. */
function AffectedForm({
  affected: { seen, title, rows, rest },
  hidden,
  isClosing,
  reason,
  buttons,
  reply,
}: {
  affected: AffectedView
  hidden: Readonly<Record<string, string | number>>
  isClosing: boolean
  /** The hint of the reason; null without this field. */
  reason: string | null
  buttons: readonly FormButton[]
  reply: FormReply | undefined
}) {
  return (
    <PanelBody>
      <h3>{title}</h3>
      {rows.length > 0 ? (
        <p className="office-note">
          With an offer, customers are emailed a link to take another time or shop with one tap. Orders without an
          answer wait in Jobs not completed.
        </p>
      ) : null}
      <OfficeForm
        reply={reply}
        hidden={{ ...hidden, seen }}
        fields={{
          table: rows.length > 0 ? <Affected rows={rows} reply={reply} /> : null,
          ...(rest && { rest: { label: rest.label, kind: 'choice', options: rest.options } as const }),
          ...(isClosing && rows.length > 0
            ? {
                keepReason: {
                  label: 'Reason for kept appointments',
                  max: 200,
                  isOptional: true,
                  hint: 'Required if you keep one. Only staff see it.',
                } as const,
              }
            : {}),
          ...(reason !== null && { reason: { label: 'Reason', max: 200, hint: reason } }),
        }}
        buttons={buttons}
        note="Changes apply when you select the button."
      />
    </PanelBody>
  )
}

/** The scheduled closing of a shop, with the appointments after its last day. */
export function ClosingPanel({
  closing: { lastDay, reason, affected },
  version,
  reply,
}: {
  closing: { lastDay: string; reason: string; affected: AffectedView | null }
  version: number
  reply: FormReply | undefined
}) {
  return (
    <Panel id="closing" title={`Closes after ${lastDay}`} isOpen>
      <PanelBody>
        <p>{reason}</p>
        <p className="office-note">
          New bookings after this day are refused. The shop closes once each appointment below is moved, canceled, or
          kept.
        </p>
      </PanelBody>
      {affected && affected.rows.length > 0 ? (
        <AffectedForm
          affected={affected}
          hidden={{ version }}
          isClosing
          reason={null}
          buttons={[button('decide', 'Save the choices', 'primary')]}
          reply={reply}
        />
      ) : null}
      {affected ? (
        <PanelBody>
          {affected.rows.length === 0 ? <p>No appointments after this day.</p> : null}
          <OfficeForm
            reply={reply}
            hidden={{ version }}
            buttons={[button('withdraw', 'Withdraw the closing', 'quiet')]}
          />
        </PanelBody>
      ) : null}
    </Panel>
  )
}

const dayLabels: Readonly<Record<string, string>> = {
  from: 'First day',
  through: 'Last day (optional)',
  lastDay: 'Last day',
}

/** Renders the days of a pause, or the last day of a closing. The page shows their effects. */
function Days({ to, days: { values, fault } }: { to: StatusTo; days: NonNullable<StatusPanelView['days']> }) {
  return (
    <PanelBody>
      <form method="get" className="stack">
        <input type="hidden" name="to" value={to} />
        <div className="office-pair">
          {Object.entries(values).map(([name, value]) => (
            <div className="field-row" key={name}>
              <label className="field" htmlFor={`stop-${name}`}>
                {dayLabels[name]}
              </label>
              <input
                className="input"
                type="date"
                id={`stop-${name}`}
                name={name}
                defaultValue={value}
                aria-invalid={fault ? true : undefined}
                aria-describedby={fault ? 'stop-fault' : undefined}
              />
            </div>
          ))}
        </div>
        {fault ? (
          <p className="field-error" id="stop-fault" role="alert">
            {fault}
          </p>
        ) : null}
        <p className="row wrap-row">
          <button className="btn">Show appointments</button>
        </p>
      </form>
    </PanelBody>
  )
}

type AffectedRow = AffectedView['rows'][number]

function Affected({ rows, reply }: { rows: readonly AffectedRow[]; reply: FormReply | undefined }) {
  return (
    <DataTable
      caption="Affected appointments"
      columns={[
        { key: 'order', label: 'Order', isRowHeader: true },
        { key: 'now', label: 'Now' },
        { key: 'choice', label: 'What happens' },
      ]}
      rows={rows.map(({ id, field, order, path, who, now, note, usual, options, moves }) => ({
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
          choice: (
            <>
              {field ? (
                <select
                  className="input"
                  name={field}
                  aria-label={`What happens to ${order}`}
                  defaultValue={reply?.values[field] ?? usual}
                >
                  <Options of={options} />
                </select>
              ) : (
                'As chosen below'
              )}
              {moves.length > 0 ? (
                <small>
                  {moves.map((move) => (
                    <Fragment key={move.path}>
                      {' '}
                      <a href={move.path} aria-label={`${move.label}: ${order}`}>
                        {move.label}
                      </a>
                    </Fragment>
                  ))}
                </small>
              ) : null}
            </>
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
