import type { ConfirmView, OwnOrderView } from '#app/views/orders.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { confirmOrderMessages } from '#content/messages/orders.ts'
import type { OrderState } from '#domain/ordering/orders/orders.ts'

/** An order's outcome, and the action required from its shopper. */
export function OrderHead({
  number,
  state,
  own,
  deliveryTime,
}: {
  number: string
  state: OrderState
  own: OwnOrderView
  /** Such as "2-4 business days". */
  deliveryTime: string
}) {
  switch (state) {
    case 'confirmed':
      return (
        <header className="order-head">
          <Icon name="check-circle" />
          <h1>Thank you, {own.firstName}.</h1>
          <p>
            Order <b className="tabular">{number}</b> is confirmed, no further action. The details are on their way to{' '}
            {own.email}.
          </p>
        </header>
      )
    case 'needs-confirmation':
      return (
        <header className="order-head is-waiting">
          <Icon name="warning" />
          <h1>{confirmOrderMessages.heading}</h1>
          <p>
            We received your request <b className="tabular">{number}</b>,{' '}
            {confirmOrderMessages.incomplete(deliveryTime)}
          </p>
          {own.confirm ? <ConfirmOrder confirm={own.confirm} /> : null}
        </header>
      )
    case 'canceled':
      return (
        <header className="order-head is-over">
          <Icon name="cross-circle" />
          <h1>Your order is canceled.</h1>
          {own.service === null ? (
            <p>
              Nothing of <b className="tabular">{number}</b> is shipped, and you are not charged.
            </p>
          ) : (
            <p>
              Order <b className="tabular">{number}</b> and its appointment are canceled. {own.payment}
            </p>
          )}
        </header>
      )
    case 'returned':
      return (
        <header className="order-head is-over">
          <Icon name="parcel" />
          <h1>Your order was returned.</h1>
          <p>
            The tires of <b className="tabular">{number}</b> came back to us.
          </p>
        </header>
      )
  }
}

/** Why an order is to be confirmed, until when, and the button that does it: opening an address never confirms. */
export function ConfirmOrder({ confirm }: { confirm: ConfirmView }) {
  return (
    <div className="order-confirm stack">
      {confirm.reasons.length > 0 ? (
        <ul>
          {confirm.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
      <p>
        Please check your order and confirm it by <b className="tabular">{confirm.until}</b>, or it will be canceled. We
        won’t charge or ship until you do.
      </p>
      {confirm.action ? (
        <form method="post" action={confirm.action}>
          <button className="btn primary large">{confirmOrderMessages.button}</button>
        </form>
      ) : (
        <p className="muted">Only the buyer or a company owner can confirm it.</p>
      )}
    </div>
  )
}
