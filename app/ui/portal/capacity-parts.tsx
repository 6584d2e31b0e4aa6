import type { FormReply } from '#app/forms/form.ts'
import { capacityChoices, capacityLabels, timeChoices } from '#app/ui/capacity-choices.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { Options, type FieldOptions } from '#app/ui/select-options.tsx'
import { WeekFields } from '#app/ui/week-fields.tsx'
import { dropOffWindowNames, dropOffWindows } from '#domain/scheduling/booking/booking.ts'
import { minuteText } from '#platform/time-text.ts'

/** A version as the page shows it. */
export type PlanView = {
  title: string
  from: string | null
  isAhead: boolean
  lines: string[]
  facts: { name: string; words: string }[]
  made: string | null
}
type Hurt = { id: string; when: string; who: string; where: string; why: string; move: string }

/** Appointments that do not fit, each with the way to move it. */
export function HurtList({ hurt }: { hurt: readonly Hurt[] }) {
  return (
    <ul className="portal-hurt">
      {hurt.map(({ id, when, who, where, why, move }) => (
        <li key={id}>
          <span>
            <b>{when}</b>
            <span>{where}</span>
            <span>{who}</span>
            <span className="portal-overlap">{why}</span>
          </span>
          <a className="btn" href={move} aria-label={`Move ${who}`}>
            Move
          </a>
        </li>
      ))}
    </ul>
  )
}

/** One version with its days, hours and other terms. */
export function Plan({ plan: { title, lines, facts, made } }: { plan: PlanView }) {
  return (
    <div className="portal-plan">
      <h2>{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <dl>
        {facts.map(({ name, words }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {made ? <p className="muted">{made}</p> : null}
    </div>
  )
}

type Values = Record<string, string>

/** The fields of a new version, filled in with the latest one. */
export function CapacityFields({
  reply,
  values,
  first,
}: {
  reply: FormReply | undefined
  values: Values
  first: string
}) {
  const shown = reply ?? { values, errors: {} }
  return (
    <>
      <Field
        name="from"
        label={capacityLabels['from'] ?? ''}
        reply={reply}
        value={first}
        type="date"
        min={first}
        autoComplete="off"
        hint="The first day on which it counts. Days before keep what they have."
      />
      <fieldset className="portal-prices" id="hours">
        <legend>Hours</legend>
        {shown.errors['hours'] ? (
          <p className="field-error" id="hours-error">
            {shown.errors['hours']}
          </p>
        ) : null}
        <WeekFields reply={shown} />
      </fieldset>
      <fieldset className="portal-prices">
        <legend>Lunch break, on days with hours before and after it</legend>
        {(['lunchFrom', 'lunchTo'] as const).map((name) => (
          <Choice key={name} name={name} reply={reply} values={values} choices={[['', 'None'], ...timeChoices]} />
        ))}
      </fieldset>
      <fieldset className="portal-prices">
        <legend>Bays and people</legend>
        {(['bays', 'technicians', 'dropOffs'] as const).map((name) => (
          <Field
            key={name}
            name={name}
            label={capacityLabels[name] ?? ''}
            reply={reply}
            value={values[name]}
            inputMode="numeric"
            maxLength={2}
            autoComplete="off"
          />
        ))}
      </fieldset>
      <DropOffFields values={shown.values} />
      <TimeFields reply={reply} values={values} />
    </>
  )
}

function DropOffFields({ values }: { values: Values }) {
  return (
    <fieldset className="portal-prices">
      <legend>When cars are dropped off</legend>
      {dropOffWindowNames.map((name) => {
        const { from, to } = dropOffWindows[name]
        const until = name === 'EVE' ? 'until you close' : `to ${minuteText(to)}`
        return (
          <label key={name} className="portal-tick-row">
            <input type="checkbox" name={name} defaultChecked={values[name] === 'on'} />
            <span>
              {dropOffWindows[name].name}, {minuteText(from)} {until}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

function TimeFields({ reply, values }: { reply: FormReply | undefined; values: Values }) {
  return (
    <fieldset className="portal-prices">
      <legend>Times</legend>
      {Object.entries(capacityChoices).map(([name, choices]) => (
        <Choice key={name} name={name} reply={reply} values={values} choices={choices} />
      ))}
    </fieldset>
  )
}

function Choice({
  name,
  reply,
  values,
  choices,
}: {
  name: string
  reply: FormReply | undefined
  values: Values
  choices: FieldOptions
}) {
  return (
    <SelectField name={name} label={capacityLabels[name] ?? ''} reply={reply} value={values[name]}>
      <Options of={choices} />
    </SelectField>
  )
}
