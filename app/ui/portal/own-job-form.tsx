import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { overlapReasons, ownJobKinds } from '#domain/scheduling/booking/booking.ts'
import { ownJobLengths } from '#domain/installer-portal/portal/portal.ts'
import { PlateLookup, plateLookupLabels, type PlateStates } from './plate-lookup.tsx'

const labels = {
  kind: 'What it is',
  bay: 'Bay',
  on: 'Day',
  at: 'Time',
  minutes: 'Length',
  firstName: 'First name',
  phone: 'Phone',
  vehicle: 'Vehicle',
  tires: 'Tire size',
  note: 'Note',
  reason: 'Reason for double-booking',
  ...plateLookupLabels,
}

/** "45 min", "1 h 30 min" */
function lengthText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' ')
}

/** The form of a shop job, new or existing. With script it is stored on the device while offline. */
export function OwnJobForm({
  reply,
  values,
  formKey,
  bays,
  zone,
  alignment,
  plateStates,
  submit,
}: {
  reply: FormReply | undefined
  values: Record<string, string>
  formKey: string
  bays: readonly { id: string; label: string }[]
  zone: string
  /** How many minutes an alignment takes. */
  alignment: number
  /** Null if the store has no provider for license plates. */
  plateStates: PlateStates | null
  submit: string
}) {
  const valueOf = (name: string) => reply?.values[name] ?? values[name] ?? ''
  return (
    <>
      <ErrorSummary reply={reply} labels={labels} />
      <form method="post" className="portal-form" noValidate data-draft={submit}>
        {/* Enter in a field saves. Otherwise it would press the first button, which looks up a plate. */}
        <button aria-label={submit} hidden />
        <input type="hidden" name="key" value={valueOf('key') || formKey} />
        <input type="hidden" name="revision" value={valueOf('revision') || '0'} />
        <input type="hidden" name="seen" value={valueOf('seen')} />
        <SelectField name="kind" label={labels.kind} reply={reply} value={values['kind'] ?? null}>
          {Object.entries(ownJobKinds).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </SelectField>
        <When {...{ reply, values, bays, zone }} />
        <WithAlignment minutes={alignment} isChosen={(reply ?? { values }).values['alignment'] === 'yes'} />
        {valueOf('seen') === '' && !reply?.errors['reason'] ? null : (
          <SelectField name="reason" label={labels.reason} reply={reply} value={values['reason'] ?? null}>
            <option value="">Choose a reason</option>
            {Object.entries(overlapReasons).map(([reason, words]) => (
              <option key={reason} value={reason}>
                {words}
              </option>
            ))}
          </SelectField>
        )}
        <div className="portal-when">
          {(['firstName', 'phone', 'vehicle', 'tires'] as const).map((name) => (
            <Field
              key={name}
              name={name}
              label={labels[name]}
              reply={reply}
              value={values[name]}
              required={false}
              autoComplete="off"
              {...(name === 'phone' ? { type: 'tel', maxLength: 20 } : { maxLength: name === 'firstName' ? 40 : 80 })}
            />
          ))}
        </div>
        {plateStates ? <PlateLookup reply={reply} states={plateStates} /> : null}
        <Field
          name="note"
          label={labels.note}
          reply={reply}
          value={values['note']}
          required={false}
          maxLength={300}
          autoComplete="off"
        />
        <p className="muted">Name and phone are deleted 90 days after the job.</p>
        <button className="btn primary large wide">{submit}</button>
      </form>
    </>
  )
}

/** A job with an alignment takes longer, by what the shop's job lengths of its day say. */
function WithAlignment({ minutes, isChosen }: { minutes: number; isChosen: boolean }) {
  return (
    <label className="job-check">
      <input type="checkbox" id="alignment" name="alignment" value="yes" defaultChecked={isChosen} />
      <span>With a wheel alignment, which adds {lengthText(minutes).replaceAll(' ', '\u00a0')}</span>
    </label>
  )
}

type WhenProps = {
  reply: FormReply | undefined
  values: Record<string, string>
  bays: readonly { id: string; label: string }[]
  zone: string
}

/** Bay, day, time and duration, which may be missing in the list. */
function When({ reply, values, bays, zone }: WhenProps) {
  const minutes = Number(reply?.values['minutes'] ?? values['minutes'])
  const lengths: readonly number[] = ownJobLengths
  const isOther = minutes >= 15 && minutes <= 720 && !lengths.includes(minutes)
  const choices = isOther ? [...lengths, minutes] : lengths
  return (
    <div className="portal-when">
      <SelectField name="bay" label={labels.bay} reply={reply} value={values['bay'] ?? null}>
        {bays.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <Field name="on" label={labels.on} reply={reply} value={values['on']} type="date" autoComplete="off" />
      <Field
        name="at"
        label={`${labels.at} (${zone})`}
        reply={reply}
        value={values['at']}
        type="time"
        step={900}
        autoComplete="off"
      />
      <SelectField name="minutes" label={labels.minutes} reply={reply} value={values['minutes'] ?? null}>
        {choices.map((length) => (
          <option key={length} value={length}>
            {lengthText(length)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
