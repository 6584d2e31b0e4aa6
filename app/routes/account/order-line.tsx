import type { OrderCard } from './order-card.ts'

type OrderLineProps = {
  order: OrderCard
  /** In a company's list, shows who placed it. */
  isShared?: boolean
  /** 'h3' when the order is under another heading. */
  heading?: 'h2' | 'h3'
}

/** Renders a short summary of an order with its contents, status, and actions. */
export function OrderLine({ order, isShared = false, heading: Heading = 'h2' }: OrderLineProps) {
  return (
    <article className="order-line">
      <div className="order-line-head">
        <Heading className="tabular">{order.number}</Heading>
        <p className="strong tabular">{order.total}</p>
      </div>
      <p className="small muted tabular">
        Placed {order.placed}
        {isShared && order.placedBy ? ` by ${order.placedBy}` : ''}
        {order.poNumber ? `, PO ${order.poNumber}` : ''}
      </p>
      <div>
        <p className="strong">{order.state}</p>
        {order.appointment ? <p className="tabular">{order.appointment}</p> : null}
      </div>
      <ul className="tabular">
        {order.tires.map((tire) => (
          <li key={tire}>{tire}</li>
        ))}
      </ul>
      {order.confirmHref && !isShared ? (
        <form method="post" action={order.confirmHref}>
          <button className="btn primary" aria-label={`Confirm order ${order.number}`}>
            Confirm order
          </button>
        </form>
      ) : null}
      <p className="row wrap-row">
        <a className="btn" href={order.href} aria-label={`Open order ${order.number}`}>
          Open
        </a>
        {order.packetHref ? (
          <a className="btn" href={order.packetHref} aria-label={`Fleet packet of order ${order.number}`}>
            Fleet packet
          </a>
        ) : null}
        {order.cancelHref ? (
          <a className="btn quiet" href={order.cancelHref} aria-label={`Cancel order ${order.number}`}>
            Cancel until {order.cancelUntil}
          </a>
        ) : null}
      </p>
    </article>
  )
}
