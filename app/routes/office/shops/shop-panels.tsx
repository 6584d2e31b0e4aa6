/** Shop page panels for pausing and closing, and for the owner's requests. */
import { Fragment, useState } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { useFormInput } from '#app/office/form-input.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Options } from '#app/ui/select-options.tsx'
import { button, FormPanel, OfficeForm, type FormButton } from '#app/office/form.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { AffectedView, StatusPanelView, StatusTo } from '#app/views/office/shop-status.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'

const intents: Readonly<Record<StatusTo, string>> = {
  paused: 'pause',
  closing: 'schedule',
  suspended: 'suspend',
  closed: 'close',
}
const verbs: Readonly<Record<StatusTo, string>> = {
  paused: 'Pause',
  closing: 'Schedule the closing',
  suspended: 'Suspend',
  closed: 'Close the shop',
}

/** Chooses what to do, shows every appointment it affects with a choice for each, and does it. */
export function StatusPanel({
  panel: { to, choices, days, affected },
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
        <a href={officePaths.officeShop(code)} className="btn quiet icon-only" aria-label="Close this panel">
          <Icon name="cross" />
        </a>
      }
    >
      <PanelBody>
        <ul className="shop-stops" aria-label="What should happen">
          {choices.map(({ label, note, path, isOn }) => (
            <li key={path}>
              <a href={path} aria-current={isOn ? 'true' : undefined}>
                <b>{label}</b>
                <small> {note}</small>
              </a>
            </li>
          ))}
        </ul>
        {days ? <Days to={to} days={days} /> : null}
      </PanelBody>
      {affected ? (
        <AffectedForm
          affected={affected}
          hidden={{ version, ...days?.values }}
          isClosing={to === 'closing'}
          reason="Staff, the shop and the customers of these appointments see it."
          submit={{ intent: intents[to], verb: verbs[to], tone: to === 'paused' ? 'primary' : 'stop' }}
          back={officePaths.officeShop(code)}
          reply={reply}
        />
      ) : null}
    </Panel>
  )
}

type Submit = { intent: string; verb: string; tone: NonNullable<FormButton['tone']> }

/** Counts the chosen offers in a form, from the first choices on. */
function useOffers(formId: string, { rows, rest }: AffectedView, typed: Readonly<Record<string, string>> = {}): number {
  const countIn = (chosen: (name: string, first: string | undefined) => unknown) =>
    rows.filter(({ field, usual }) => field !== null && chosen(field, usual) === 'offer').length +
    (rest && chosen('rest', rest.options[0]?.[0]) === 'offer' ? rest.count : 0)
  const [count, setCount] = useState(countIn((name, first) => typed[name] ?? first))
  useFormInput(formId, (form) => {
    const values = new FormData(form)
    setCount(countIn((name) => values.get(name)))
  })
  return count
}

/** Renders the appointments that a change affects, each with a choice. */
function AffectedForm({
  affected,
  hidden,
  isClosing,
  reason,
  submit: { intent, verb, tone },
  back,
  reply,
}: {
  affected: AffectedView
  hidden: Readonly<Record<string, string | number>>
  isClosing: boolean
  /** The hint of the reason; null without this field. */
  reason: string | null
  submit: Submit
  /** The page without the panel. */
  back: string | null
  reply: FormReply | undefined
}) {
  const { seen, title, rows, rest } = affected
  const formId = `${intent}-form`
  const offers = useOffers(formId, affected, reply?.values)
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
        formId={formId}
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
        buttons={[button(intent, offers > 0 ? `${verb} and send ${countOf(offers, 'offer')}` : verb, tone)]}
        note={
          <>
            Emails are sent and changes apply when you select the button.{' '}
            {back ? <a href={back}>Keep the shop as it is</a> : null}
          </>
        }
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
          submit={{ intent: 'decide', verb: 'Save the choices', tone: 'primary' }}
          back={null}
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
  from: 'From',
  through: 'Through (optional)',
  lastDay: 'Last day',
}

/** Renders the days of a pause, or the last day of a closing. The page shows their effects. */
function Days({ to, days: { values, fault } }: { to: StatusTo; days: NonNullable<StatusPanelView['days']> }) {
  return (
    <form method="get" className="shop-stop-days">
      <input type="hidden" name="to" value={to} />
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
      <button className="btn">Show appointments</button>
      {fault ? (
        <p className="field-error" id="stop-fault" role="alert">
          {fault}
        </p>
      ) : null}
    </form>
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
        { key: 'nearest', label: 'Nearest shop' },
        { key: 'price', label: 'Price there' },
        { key: 'choice', label: 'What happens' },
      ]}
      rows={rows.map(({ id, field, order, path, who, now, note, nearest, usual, options, moves }) => ({
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
          nearest: nearest ? (
            <>
              {nearest.name}
              <small> {nearest.time}</small>
            </>
          ) : null,
          price: nearest?.price,
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
