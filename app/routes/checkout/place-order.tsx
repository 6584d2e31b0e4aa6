import { Form, useNavigation } from 'react-router'
import type { PlacingReply } from '#content/messages/placing.ts'
import { paths } from '#content/paths.ts'
import { useRefusalFocus } from '#app/ui/refusal-focus.ts'
import { Tick } from '#app/ui/tick.tsx'

/**
 * Renders the place-order button. `agreed` is the key of the reviewed order. `after` explains when payment is taken.
 */
export function PlaceOrder({
  agreed,
  cancelWords,
  after,
  isAskedFor,
  isService,
  reply,
}: {
  agreed: string
  /** Until when the order can be canceled. */
  cancelWords: string
  after: string
  isAskedFor: boolean
  /** Whether it is a service without tires. */
  isService: boolean
  reply: PlacingReply | undefined
}) {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <Form method="post" id="place-order" className="place-order">
      <input type="hidden" name="agreed" value={agreed} />
      {isAskedFor ? <input type="hidden" name="ask" value="1" /> : null}
      <TermsTick isTicked={reply?.terms ?? false} error={reply?.errors['terms']} isService={isService} />
      <button className="btn primary large wide" type="submit" disabled={isBusy}>
        {isAskedFor ? 'Send for approval' : isBusy ? 'Placing your order…' : 'Place order'}
      </button>
      {isAskedFor ? (
        <p className="tiny muted">
          This order exceeds your spending limit. We’ll ask an approver at your company to approve it. We don’t place
          the order or hold the appointment until then.
        </p>
      ) : (
        <p className="tiny muted">
          {cancelWords} {after}
        </p>
      )}
    </Form>
  )
}

/** What every order is placed under. */
export function TermsTick({
  isTicked,
  error,
  isService,
}: {
  isTicked: boolean
  error: string | undefined
  isService: boolean
}) {
  return (
    <Tick name="terms" isTicked={isTicked} error={error}>
      I accept the <a href={paths.termsOfSale()}>terms of sale</a>.
      {isService ? null : ' These tires are for my own use, not for resale, and not shipped to a dealership.'}
    </Tick>
  )
}

/** Why the order was not placed. Takes the focus when it appears. */
export function PlacingRefusal({ reply }: { reply: PlacingReply }) {
  const box = useRefusalFocus(reply)
  const errors = Object.entries(reply.errors)
  return (
    <div className="error-summary" role="alert" tabIndex={-1} ref={box}>
      {reply.title ? <p className="strong">{reply.title}</p> : null}
      {reply.words ? <p>{reply.words}</p> : null}
      {errors.map(([name, message]) => (
        <p key={name}>
          <a href={`#${name}`}>{message}</a>
        </p>
      ))}
      {reply.remedy ? (
        <p>
          <a href={reply.remedy.href}>{reply.remedy.label}</a>
        </p>
      ) : null}
    </div>
  )
}
