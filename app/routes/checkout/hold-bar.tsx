import { useEffect, useState } from 'react'
import { Form, useLocation, useRevalidator } from 'react-router'
import { withQuery } from '#content/paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { HoldView } from '#app/routes/checkout/shipping-view.server.ts'

type Props = { hold: HoldView; now: string; tab: string; form: 'list' | 'dock' | 'page' }

/**
 * Renders the remaining hold time with a button to extend it. Announced to screen readers only at 2:00 and 0:30. When
 * the hold expires, the page fetches its status and shows the options. Without JavaScript it shows the status at the
 * time of the request.
 */
export function HoldBar({ hold, now, tab, form }: Props) {
  const [left, setLeft] = useState(() => secondsBetween(now, hold.expiresAt))
  const [said, setSaid] = useState('')
  const { revalidate } = useRevalidator()
  const isHeld = hold.status === 'held'
  useEffect(() => {
    if (!isHeld) return
    const end = performance.now() + secondsBetween(now, hold.expiresAt) * 1000
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.round((end - performance.now()) / 1000))
      setLeft(seconds)
      if (seconds === 120) setSaid(`${hold.label} is held for two more minutes.`)
      if (seconds === 30) setSaid(`${hold.label} is held for 30 more seconds.`)
      if (seconds === 0) {
        clearInterval(timer)
        void revalidate()
      }
    }, 1000)
    return () => clearInterval(timer)
  }, [isHeld, now, hold.expiresAt, hold.label, revalidate])

  if (form === 'dock')
    return (
      <p className="tiny muted">
        {isHeld && left > 0 ? `${hold.label}, held ${clockText(left)}` : `${hold.label}, hold ended`}
      </p>
    )
  if (!isHeld) return <HoldEnded hold={hold} tab={tab} form={form} />
  return (
    <div className="hold-bar">
      <Icon name="clock" />
      <span>
        {left > 0 ? (
          <>
            {hold.label} is held for you: <b className="tabular">{clockText(left)}</b> left
          </>
        ) : (
          <>The minutes for {hold.label} are over. Checking whether it is still available…</>
        )}
      </span>
      {hold.canExtend ? (
        <Extend tab={tab} form={form}>
          Add 10 minutes
        </Extend>
      ) : null}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  )
}

/** Renders the expired hold with the options to choose another time, another shop, or no installation. */
function HoldEnded({ hold, tab, form }: Pick<Props, 'hold' | 'tab' | 'form'>) {
  const kind = tab === 'mobile' ? 'mobile' : undefined
  return (
    <div className="hold-bar is-ended" role="alert">
      <Icon name="clock" />
      <p>
        <b>
          {hold.status === 'lost' ? `${hold.label} is no longer free.` : `Your minutes for ${hold.label} are over.`}
        </b>{' '}
        {hold.status === 'lost'
          ? 'Your time ran out, and it can no longer be booked. Your cart is unchanged.'
          : 'This time is still available, but it’s no longer reserved for you.'}
      </p>
      <div className="row wrap-row">
        {hold.canExtend ? (
          <Extend tab={tab} form={form}>
            Hold it again
          </Extend>
        ) : null}
        <a href={`${withQuery('/checkout/shipping', { tab: kind, shop: hold.shopId })}#shop-${hold.shopId}`}>
          Change time
        </a>
        {hold.isService ? null : (
          <>
            <a href={withQuery('/checkout/shipping', { tab: kind, shop: 'all' })}>Browse shops</a>
            <Form method="post" action="/checkout/shipping">
              <input type="hidden" name="intent" value="no-install" />
              <button className="link" type="submit">
                Continue without installation
              </button>
            </Form>
          </>
        )}
      </div>
    </div>
  )
}

function Extend({ tab, form, children }: Pick<Props, 'tab' | 'form'> & { children: string }) {
  const here = useLocation().pathname
  return (
    <Form method="post" action="/checkout/shipping" preventScrollReset>
      <input type="hidden" name="intent" value="extend" />
      <input type="hidden" name="tab" value={tab} />
      {form === 'page' ? <input type="hidden" name="back" value={here} /> : null}
      <button className="link" type="submit">
        {children}
      </button>
    </Form>
  )
}

function secondsBetween(now: string, end: string): number {
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(now)) / 1000))
}

function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
