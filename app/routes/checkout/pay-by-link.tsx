/** The payment page behind a signed link, for a canceled charge or the difference after an order edit. */
import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { CardEntry } from '#app/routes/checkout/card-entry.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { paths } from '#content/paths.ts'

type Entry = Parameters<typeof CardEntry>[0]

/** `finish` labels the button after authorization. `note` explains when the card is charged. */
export function PayByLink({
  title,
  children,
  view,
  problem,
  note,
  finish,
  sums,
}: {
  title: string
  children: ReactNode
  view: Pick<Entry, 'status' | 'fields' | 'payer' | 'returnUrl' | 'total'> & {
    path: string
    wentBack: boolean
    rows: Parameters<typeof OrderSummary>[0]['rows']
  }
  problem: Entry['problem']
  note: string
  finish: string
  sums: { title: string; caption: string }
}) {
  const isUnderway = view.status.kind === 'ready' || view.status.kind === 'processing'
  return (
    <div className="wrap">
      <div className="checkout-head">
        <h1>{title}</h1>
        <p className="muted">{children}</p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {view.wentBack && !problem && view.status.kind === 'none' ? (
            <p className="notice" role="status">
              You left the payment page before paying. You haven’t been charged.
            </p>
          ) : null}
          {isUnderway ? (
            <Underway finish={finish} />
          ) : (
            <CardEntry
              status={view.status}
              fields={view.fields}
              payer={view.payer}
              returnUrl={view.returnUrl}
              total={view.total}
              problem={problem}
              hostedPath={view.path}
              note={note}
            />
          )}
        </div>
        <aside className="panel padded stack" aria-labelledby="sums">
          <h2 id="sums">{sums.title}</h2>
          <OrderSummary rows={view.rows} caption={sums.caption} />
        </aside>
      </div>
    </div>
  )
}

/** Rendered after authorization or while the bank's answer is pending. One button completes the payment. */
function Underway({ finish }: { finish: string }) {
  return (
    <div className="notice stack" role="status">
      <p className="strong">Your payment has arrived or is on its way.</p>
      <Form method="post">
        <input type="hidden" name="intent" value="settle" />
        <button className="btn primary" type="submit">
          {finish}
        </button>
      </Form>
    </div>
  )
}

/** Renders the outcome if there's no payment due. */
export function NothingToPay({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="wrap narrow-page stack">
      <h1>{title}</h1>
      {children}
      <p className="row">
        <a className="btn" href={paths.trackOrder()}>
          Track your order
        </a>
        <a className="btn" href={paths.contact()}>
          Contact us
        </a>
      </p>
    </div>
  )
}
