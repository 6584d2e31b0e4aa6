/** Delivery step parts for the hold, the ZIP code field, and delivery to the shopper's address. */
import { Form } from 'react-router'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import type { HoldView } from '#app/routes/checkout/shipping-view.server.ts'
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'

/** Continues with the held time. The button at the bottom of the window belongs to this form too. */
export function KeepTime({ tab, shopId, held }: { tab: Fulfillment; shopId: number | null; held: HoldView | null }) {
  return (
    <Form method="post" id="keep">
      <input type="hidden" name="intent" value="continue" />
      <input type="hidden" name="tab" value={tab} />
      {shopId ? <input type="hidden" name="shop" value={shopId} /> : null}
      <button className="btn primary wide large" type="submit">
        {held ? `Keep ${held.label}` : 'Continue'}
      </button>
    </Form>
  )
}

/** The held time and the total, at the bottom of the window. */
export function HoldDock({ hold, total, now, tab }: { hold: HoldView; total: string; now: string; tab: Fulfillment }) {
  return (
    <div className="dock tabular">
      <div>
        <b>{total}</b>
        <HoldBar hold={hold} now={now} tab={tab} form="dock" />
      </div>
      <button className="btn primary" type="submit" form="keep">
        Keep {hold.label}
      </button>
    </div>
  )
}

export function AskZip() {
  return (
    <div className="panel padded stack">
      <h2>First, your ZIP</h2>
      <p className="muted">It decides which shops are near and when your tires can be there.</p>
      <form method="post" action="/zip" className="row zip-form">
        <input type="hidden" name="back" value="/checkout/shipping" />
        <label className="visually-hidden" htmlFor="ask-zip">
          ZIP code
        </label>
        <input
          className="input"
          id="ask-zip"
          name="zip"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
        />
        <button className="btn primary" type="submit">
          Show shops
        </button>
      </form>
    </div>
  )
}

export function HomeDelivery({ arrivesBy, zip }: { arrivesBy: string | null; zip: string }) {
  return (
    <div className="panel padded stack">
      <h2>Delivered to your door</h2>
      <p>
        {arrivesBy ? (
          <>
            Your tires can be at <b>{zip}</b> by <b>{arrivesBy}</b>.
          </>
        ) : (
          'Enter your address on the next page and we say when they arrive.'
        )}
      </p>
      <p className="muted small">
        Free in the contiguous US. No PO boxes, no military post offices. Installation isn’t included. You can have any
        shop mount them.
      </p>
      <Form method="post">
        <input type="hidden" name="intent" value="ship-home" />
        <input type="hidden" name="tab" value="home" />
        <button className="btn primary large" type="submit">
          Ship to my address
        </button>
      </Form>
    </div>
  )
}
