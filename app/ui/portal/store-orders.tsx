import type { StoreOrdersView } from '#app/views/dealer-orders.server.ts'

/** The orders of a branded store, as its shop may see them. */
export function StoreOrders({ sold: { figures, rows } }: { sold: StoreOrdersView }) {
  return (
    <section aria-labelledby="sold">
      <h2 id="sold">Ordered in your store</h2>
      <p className="portal-figures tabular">
        {figures.map(({ words, count }) => (
          <span key={words}>
            <b>{count}</b> {words}
          </span>
        ))}
      </p>
      {rows.length === 0 ? <p>No orders yet.</p> : null}
      <ul className="portal-orders">
        {rows.map(({ number, who, placed, tires, plan, job }) => (
          <li key={number}>
            <p>
              <b className="tabular">{number}</b> · {who} · {placed}
            </p>
            <p>
              {tires.join(', ')}
              {plan ? ` · ${plan}` : ''}
            </p>
            <p className="muted">{job}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
