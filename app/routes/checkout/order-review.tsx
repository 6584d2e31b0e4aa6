/** The sections of the order review, each with a link to the step that changes it. */
import { tabOf } from '#app/routes/checkout/fulfillment-tabs.ts'
import { isPickup } from '#domain/supply/delivery/delivery.ts'
import type { LineView, MoneyView, ServiceView } from '#app/views/checkout.server.ts'
import type { PlacingReply } from '#content/messages/placing.ts'
import { paths } from '#content/paths.ts'
import type { DestinationView, PayView, ReceiverView, VerdictView } from '#app/routes/checkout/order-review.server.ts'
import { Tick } from '#app/ui/tick.tsx'
import { FitLine } from '#app/ui/tire-facts.tsx'
import { TireLine } from '#app/ui/tire-line.tsx'
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'

/** The tires, price changes since they were added, and their fitment. */
export function TiresReview({
  lines,
  moved,
  verdict,
  service,
  reply,
}: {
  lines: LineView[]
  moved: MoneyView['moved']
  verdict: VerdictView | null
  /** The service without tires, instead of tires. */
  service: ServiceView | null
  reply: PlacingReply | undefined
}) {
  if (service)
    return (
      <section className="panel padded order-review">
        <h2>Service</h2>
        <p className="strong">{service.name}</p>
        <p className="muted">{service.note}</p>
        <Change href={service.href} what="service" />
      </section>
    )
  return (
    <section className="panel padded order-review">
      <h2>Tires</h2>
      <ul className="order-review-lines">
        {lines.map((line) => (
          <ReviewLine key={`${line.itemId} ${line.axle}`} line={line} />
        ))}
      </ul>
      {moved.map((price) => (
        <p key={price.name} className="notice small">
          {price.name}: was {price.from} when you added it, now {price.to}.
        </p>
      ))}
      {verdict ? <FitReview verdict={verdict} reply={reply} /> : null}
      <Change href={paths.cart()} what="tires" />
    </section>
  )
}

/** How each set fits; if the fit has conditions, a checkbox confirms that they were read. */
function FitReview({ verdict, reply }: { verdict: VerdictView; reply: PlacingReply | undefined }) {
  return (
    <div className={`verdict-panel ${verdict.tone}`}>
      {verdict.sets.map((set) => (
        <div key={set.key}>
          {set.tires ? <p className="small muted">{set.tires}</p> : null}
          <FitLine tone={verdict.tone}>{set.headline}</FitLine>
          <ul className="order-review-conditions small">
            {set.reasons.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </div>
      ))}
      {verdict.level === 'fits_with_conditions' ? (
        <Tick
          form="place-order"
          name="conditions"
          isTicked={reply?.conditions ?? false}
          error={reply?.errors['conditions']}
        >
          I have read what the fit depends on
        </Tick>
      ) : null}
    </div>
  )
}

function ReviewLine({ line }: { line: LineView }) {
  const price = (
    <p className="tabular">
      {line.quantity} at {line.unit}
      {line.label ? <small className="muted"> {line.label.label}</small> : null}
    </p>
  )
  return (
    <TireLine line={line} aside={price}>
      {line.coverage ? <p className="small">With {line.coverage.toLowerCase()}</p> : null}
    </TireLine>
  )
}

/** Where the tires go, and when they are installed. */
export function DestinationReview({
  where,
  time,
  arrivesBy,
  vehicle,
  tab,
}: {
  where: DestinationView
  time: string | null
  arrivesBy: string | null
  vehicle: string | null
  tab: Fulfillment
}) {
  return (
    <section className="panel padded order-review">
      <h2>{time || tab === 'shop' || tab === 'mobile' ? 'Where and when' : 'Where'}</h2>
      {time ? <p className="order-time tabular">{time}</p> : null}
      <p>
        <b>{where.title}</b>
        <br />
        <span className="muted">{where.line}</span>
      </p>
      {arrivesBy ? <p className="small muted tabular">Tires there by {arrivesBy}</p> : null}
      {vehicle ? <p className="small">For your {vehicle}</p> : null}
      <Change href={paths.checkoutShipping(tabOf(tab))} what={isPickup(tab) ? 'pickup location' : 'shop and time'} />
    </section>
  )
}

/** Renders the recipient's details. */
export function ReceiverReview({ who }: { who: ReceiverView }) {
  return (
    <section className="panel padded order-review">
      <h2>Who</h2>
      <p>
        <b>{who.name}</b>
        <br />
        <span className="muted">{who.reach}</span>
      </p>
      {who.instructions ? <p className="small">{who.instructions}</p> : null}
      <Change href={paths.shippingConfirmation()} what="your details" />
    </section>
  )
}

/** How the order is paid, and who is billed. */
export function PayReview({ pay }: { pay: PayView }) {
  return (
    <section className="panel padded order-review">
      <h2>Pay with</h2>
      <p>
        <b className="tabular">{pay.with}</b>
        <br />
        <span className="muted">{pay.billing}</span>
      </p>
      {pay.poNumber ? <p className="small">PO number {pay.poNumber}</p> : null}
      <Change href={paths.checkoutPayments()} what="how you pay" />
    </section>
  )
}

function Change({ href, what }: { href: string; what: string }) {
  return (
    <a className="order-review-change small" href={href}>
      Change<span className="visually-hidden"> {what}</span>
    </a>
  )
}
