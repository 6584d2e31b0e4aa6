import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import type { MoneyView, ServiceView } from '#app/views/checkout.server.ts'
import { paths } from '#content/paths.ts'

/** The cart page for a service without tires. */
export function ServiceCart({
  service: { name, note, href },
  money,
  time,
}: {
  service: ServiceView
  money: MoneyView
  time: string | null
}) {
  return (
    <div className="wrap cart-page">
      <h1>Your cart</h1>
      <div className="cart-columns">
        <section className="panel padded stack" aria-label="Service in your cart">
          <h2>{name}</h2>
          <p className="muted">{note}</p>
          <p>
            {money.shopName}
            {time === null ? null : <span className="tabular">, {time}</span>}
          </p>
          <p className="row">
            <a href={href}>Change</a>
            <button className="link" form="remove-service">
              Remove
            </button>
          </p>
          <form method="post" id="remove-service">
            <input type="hidden" name="intent" value="remove-service" />
          </form>
        </section>
        <SideSummary money={money}>
          <a className="btn primary wide large" href={time === null ? href : paths.shippingConfirmation()}>
            {time === null ? 'Pick a time' : 'Continue'}
          </a>
        </SideSummary>
      </div>
    </div>
  )
}
