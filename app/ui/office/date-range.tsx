import { useEffect, useState } from 'react'
import { zoneWords, type DateRangeProps } from './date-range-props.ts'
import type { LiveDateRange } from './live-date-range.tsx'

/**
 * The days from which to which a list is shown, in the store's zone, as the fields `from` and `to`. The server sends two
 * date fields. With script, one field with a calendar takes their place, unless only one of the days is given.
 */
export function DateRange({ label, from, to }: DateRangeProps) {
  const [Live, setLive] = useState<typeof LiveDateRange | null>(null)
  const canBeLive = (from === '') === (to === '')
  useEffect(() => {
    if (!canBeLive) return
    let isGone = false
    import('./live-date-range.tsx').then(
      ({ LiveDateRange: loaded }) => {
        if (!isGone) setLive(() => loaded)
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [canBeLive])
  if (Live) return <Live label={label} from={from} to={to} />
  return (
    <fieldset className="office-days">
      <legend>
        {label}, {zoneWords}
      </legend>
      <input className="input" name="from" type="date" defaultValue={from} aria-label={`${label} from`} />
      <span aria-hidden="true">–</span>
      <input className="input" name="to" type="date" defaultValue={to} aria-label={`${label} to`} />
    </fieldset>
  )
}
