import type { FormReply } from '#app/forms/form.ts'
import { openingTimes, weekdayNames } from '#domain/scheduling/installers/installers.ts'
import { minuteText } from '#platform/time-text.ts'

/** When a shop opens and closes on each day, in the fields `opens-1` and `closes-1` for Monday, and so on. */
export function WeekFields({ reply }: { reply: Pick<FormReply, 'values' | 'errors'> }) {
  return (
    <ul className="week-fields">
      {weekdayNames.map((name, index) => (
        <li key={name}>
          <b>{name.slice(0, 3)}</b>
          <Time name={`opens-${index + 1}`} label={`${name} opens`} reply={reply} />
          <Time name={`closes-${index + 1}`} label={`${name} closes`} reply={reply} />
        </li>
      ))}
    </ul>
  )
}

function Time({ name, label, reply }: { name: string; label: string; reply: Pick<FormReply, 'values' | 'errors'> }) {
  return (
    <select
      className="input"
      name={name}
      aria-label={label}
      aria-describedby={reply.errors['hours'] ? 'hours-error' : undefined}
      defaultValue={reply.values[name] ?? ''}
    >
      <option value="">Closed</option>
      {openingTimes.map((minutes) => (
        <option key={minutes} value={minutes}>
          {minuteText(minutes)}
        </option>
      ))}
    </select>
  )
}
