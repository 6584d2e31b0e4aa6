import { Form } from 'react-router'
import { SlotLabel } from '#app/ui/slot-label.tsx'
import type { SlotView } from '#app/routes/checkout/shipping-view.server.ts'

/**
 * The times of one shop, each a button that holds it; `day` is the day to show again, "2026-12-20", and `back` another
 * page to go on with.
 */
export function SlotForm({
  tab,
  shopId,
  day,
  back,
  label,
  className = 'slots',
  children,
}: {
  tab: string
  shopId: number
  day?: string | undefined
  back?: string | undefined
  label: string
  className?: string
  children: React.ReactNode
}) {
  return (
    <Form
      method="post"
      {...(back ? { action: '/checkout/shipping' } : {})}
      className={`${className} tabular`}
      aria-label={label}
      preventScrollReset
    >
      <input type="hidden" name="intent" value="hold" />
      <input type="hidden" name="tab" value={tab} />
      <input type="hidden" name="shop" value={shopId} />
      {day ? <input type="hidden" name="day" value={day} /> : null}
      {back ? <input type="hidden" name="back" value={back} /> : null}
      {children}
    </Form>
  )
}

/** A time that is available, held for this cart, or taken; `text` explains a drop-off. */
export function SlotButton({ slot, text }: { slot: SlotView; text?: string }) {
  return (
    <button
      className={`slot${slot.isHeld ? ' is-held' : ''}${slot.isFree || slot.isHeld ? '' : ' is-full'}${text ? ' drop-off' : ''}`}
      type="submit"
      name="slot"
      value={slot.value}
      disabled={!slot.isFree && !slot.isHeld}
      aria-pressed={slot.isHeld}
    >
      <SlotLabel label={slot.label} />
      {slot.isFree || slot.isHeld ? null : <span>full</span>}
      {text ? <small>{text}</small> : null}
    </button>
  )
}
