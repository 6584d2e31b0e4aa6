import type { FormEffect, FormReply } from '#app/forms/form.ts'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { FormField } from './form-fields.tsx'
import { FormInputs } from './form.tsx'

/**
 * A preview of the entered values. `fields` are for the preview only. With script, it updates during typing (`live`).
 * Without script, a button requests it (`reply`).
 */
export function EffectPanel({
  title,
  note,
  formId,
  fields,
  empty,
  first,
  act = 'Preview',
  reply,
  live,
}: {
  title: string
  note?: string
  formId: string
  fields: Readonly<Record<string, FormField>>
  /** The text without a preview. */
  empty: string
  /** The effect of the saved values. */
  first?: FormEffect | null
  /** The button's label. A single field has the button next to it. */
  act?: string
  reply: FormReply | undefined
  live: FormReply | undefined
}) {
  const shown = live ?? reply
  const effect = shown ? shown.effect : first
  const isInline = Object.keys(fields).length === 1
  const button = (
    <button className="btn" form={formId} name="intent" value="preview">
      {act}
    </button>
  )
  return (
    <Panel id="preview" title={title} note={note}>
      <PanelBody>
        <div className="stack">
          <div className={isInline ? 'effect-ask' : 'office-pair even'}>
            <FormInputs
              fields={Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, formId }]))}
              // Values that were typed since stay in the fields.
              reply={shownIn(reply, live)}
            />
            {isInline ? button : null}
          </div>
          <div aria-live="polite">{effect ? <EffectRows {...effect} /> : <Faults reply={shown} empty={empty} />}</div>
          {isInline ? null : <p>{button}</p>}
        </div>
      </PanelBody>
    </Panel>
  )
}

/** Returns the reply for the fields of the preview, which have no saved values. */
function shownIn(reply: FormReply | undefined, live: FormReply | undefined): FormReply | undefined {
  if (live) return { values: reply?.values ?? {}, errors: live.errors }
  return reply && { ...reply, isConflict: false }
}

/** Why there is no preview. */
function Faults({ reply, empty }: { reply: FormReply | undefined; empty: string }) {
  const faults = [...new Set(Object.values(reply?.errors ?? {}))]
  return (
    <p className="office-note">
      {faults.length === 0 ? empty : `No preview. ${faults.slice(0, mostFaults).join(' ')}`}
    </p>
  )
}

/** The maximum number of listed errors. */
const mostFaults = 3

/** The rows of an effect. */
export function EffectRows({ title, rows, total, note, isSteps, other }: FormEffect) {
  return (
    <>
      {title ? <h3>{title}</h3> : null}
      <dl className={isSteps ? 'effect-rows is-steps' : 'effect-rows'}>
        {rows.map((row) => (
          <div key={row.label}>
            <dt>
              {row.label}
              {row.note ? <small>{row.note}</small> : null}
            </dt>
            <dd className="tabular">{row.value}</dd>
          </div>
        ))}
        {total ? (
          <div className="total">
            <dt>{total.label}</dt>
            <dd className="tabular">{total.value}</dd>
          </div>
        ) : null}
      </dl>
      {note ? <p className="office-note">{note}</p> : null}
      {other ? <EffectRows {...other} /> : null}
    </>
  )
}
