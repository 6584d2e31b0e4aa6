import type { OrderReturnsView } from '#app/views/returns.server.ts'

/** The returns of an order, and the way to ask for one. */
export function ReturnsPanel({ returns: { list, ask } }: { returns: OrderReturnsView }) {
  if (list.length === 0 && ask === null) return null
  return (
    <section className="panel padded order-panel" id="returns">
      <h2>Returns</h2>
      {list.length > 0 ? (
        <ul className="stack tabular">
          {list.map(({ label, state, href }) => (
            <li key={label}>
              <a href={href}>{label}</a>: {state}
            </li>
          ))}
        </ul>
      ) : null}
      {ask ? (
        <p>
          <a className="btn quiet small" href={ask}>
            Return tires
          </a>
        </p>
      ) : null}
    </section>
  )
}
