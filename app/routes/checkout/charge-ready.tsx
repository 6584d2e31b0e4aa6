import { Form } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { paths } from '#content/paths.ts'

/** Shown for an authorized charge without an order. Links to the review or to other payment methods. */
export function ChargeReady({ total, name }: { total: string; name: string }) {
  return (
    <div className="panel padded stack">
      <p className="fit yes card-ready">
        <Icon name="check-circle" />
        {name} ready, {total} authorized
      </p>
      <p className="muted">Review your order once more. It is placed only when you use the button there.</p>
      <a className="btn primary large" href={paths.orderSummary()}>
        Review your order
      </a>
      <Form method="post">
        <input type="hidden" name="intent" value="another" />
        <button className="link" type="submit">
          {name === 'Card' ? 'Use another card' : 'Pay another way'}
        </button>
      </Form>
    </div>
  )
}
