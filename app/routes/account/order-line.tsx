import type { OrderCard } from './order-card.ts'

/** An order in a list. `isShared` in a company's, where it says who placed it. */
export function OrderLine({ order, isShared = false }: { order: OrderCard; isShared?: boolean }) {
  return (
    <article className="order-line stack">
      <div className="order-line-head">
        <h2 className="tabular">{order.number}</h2>
        <p className="strong tabular">{order.total}</p>
      </div>
      <p className="small muted tabular">
        Placed {order.placed}
        {isShared && order.placedBy ? ` by ${order.placedBy}` : ''}
        {order.poNumber ? `, PO ${order.poNumber}` : ''}
      </p>
      <p className="strong">{order.state}</p>
      {order.appointment ? <p className="tabular">{order.appointment}</p> : null}
      <ul className="tabular">
        {order.tires.map((tire) => (
          <li key={tire}>{tire}</li>
        ))}
      </ul>
      <p className="row wrap-row">
        <a className="btn" href={order.href} aria-label={`Open order ${order.number}`}>
          Open
        </a>
        {order.cancelHref ? (
          <a className="btn quiet" href={order.cancelHref} aria-label={`Cancel order ${order.number}`}>
            Cancel until {order.cancelUntil}
          </a>
        ) : null}
      </p>
    </article>
  )
}
