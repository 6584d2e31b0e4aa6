import { Fold } from '#app/office/detail.tsx'
import { KeyValues } from '#app/ui/office/office-parts.tsx'
import type { TimeGroup } from '#app/views/office/order-acts.server.ts'
import { countOf } from '#platform/count-text.ts'

/** Days with open lists of times; the others fold to make the page short. */
const openDays = 3

/** Links to the offered times, by day. `path` returns the page that confirms a time. */
export function TimeLinks({ times, path }: { times: readonly TimeGroup[]; path: (value: string) => string }) {
  if (times.length === 0) return <p className="office-panel-body">No times are available in the next weeks.</p>
  return times.map(({ day, times: ofDay }, index) => (
    <Fold key={day} title={day} note={countOf(ofDay.length, 'time')} isOpen={index < openDays}>
      <ul className="office-panel-body office-chips">
        {ofDay.map(({ value, label }) => (
          <li key={value}>
            <a className="chip" href={path(value)}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </Fold>
  ))
}

/** The time to confirm, which the form sends. */
export function ChosenTime({ label, time: { value, text } }: { label: string; time: { value: string; text: string } }) {
  return (
    <>
      <KeyValues rows={[[label, text]]} />
      <input type="hidden" name="slot" value={value} />
    </>
  )
}
