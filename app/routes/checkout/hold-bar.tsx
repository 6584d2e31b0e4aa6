import { useEffect, useState } from 'react'
import { Form, useLocation } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import type { HoldView } from '#app/routes/checkout/shipping-view.server.ts'

/** How long the time is held, with the button that adds to it. Said aloud at 2:00 and 0:30 only. Without script it shows until when. */
export function HoldBar({ hold, now, tab, form }: { hold: HoldView; now: string; tab: string; form: 'list' | 'dock' | 'page' }) {
  const [left, setLeft] = useState(() => secondsBetween(now, hold.expiresAt))
  const [said, setSaid] = useState('')
  const here = useLocation().pathname
  useEffect(() => {
    const end = performance.now() + secondsBetween(now, hold.expiresAt) * 1000
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.round((end - performance.now()) / 1000))
      setLeft(seconds)
      if (seconds === 120) setSaid(`${hold.label} is held for two more minutes.`)
      if (seconds === 30) setSaid(`${hold.label} is held for 30 more seconds.`)
      if (seconds === 0) setSaid(`The hold on ${hold.label} has ended. Add 10 minutes to take it back if it is still free.`)
    }, 1000)
    return () => clearInterval(timer)
  }, [now, hold.expiresAt, hold.label])

  if (form === 'dock') return <p className="tiny muted">{left > 0 ? `${hold.label}, held ${clockText(left)}` : `${hold.label}, hold ended`}</p>
  return (
    <div className="hold-bar">
      <Icon name="clock" />
      <span>
        {left > 0 ? (
          <>
            {hold.label} is held for you: <b className="tabular">{clockText(left)}</b> left
          </>
        ) : (
          <>The hold on {hold.label} has ended.</>
        )}
      </span>
      {hold.canExtend ? (
        <Form method="post" action="/checkout/shipping" preventScrollReset>
          <input type="hidden" name="intent" value="extend" />
          <input type="hidden" name="tab" value={tab} />
          {form === 'page' ? <input type="hidden" name="back" value={here} /> : null}
          <button className="link" type="submit">
            Add 10 minutes
          </button>
        </Form>
      ) : null}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  )
}

function secondsBetween(now: string, end: string): number {
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(now)) / 1000))
}

function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
