import { OrderTimeline } from '#app/ui/order-timeline.tsx'
import type { ResultView } from '#app/views/returns.server.ts'
import { MoneyTable } from '#app/ui/return-money.tsx'

/** Renders a return request with its progress, labels, refund, and remaining actions. */
export function ReturnResult({ view, problem }: { view: ResultView; problem: string | undefined }) {
  return (
    <>
      <header className="order-head">
        <h1>{view.title}</h1>
        <p className="muted tabular">
          Return {view.number} of <a href={view.track}>order {view.order}</a>. We email {view.email}.
        </p>
      </header>
      {problem ? (
        <p className="error-summary" role="alert">
          {problem}
        </p>
      ) : null}
      {view.isOver ? null : (
        <section className="order-next" aria-labelledby="next">
          <h2 id="next">What happens now</h2>
          <OrderTimeline steps={view.steps} label="Steps of your return" />
        </section>
      )}
      <div className="checkout-columns">
        <div className="stack">
          <Labels view={view} />
          <Exchange view={view} />
          {view.cart ? (
            <section className="panel padded order-panel">
              <h2>Your new tires</h2>
              <p>{view.exchangeNote}</p>
              <p>
                <a className="btn primary" href={view.cart}>
                  Review your cart
                </a>
              </p>
            </section>
          ) : null}
          {view.reorder ? (
            <section className="panel padded order-panel">
              <h2>Your new tires</h2>
              <p>
                Order {view.reorder.number}
                {view.reorder.isCanceled ? ', canceled: the handling fee is due again.' : '.'}
              </p>
            </section>
          ) : null}
        </div>
        <aside className="stack">
          <section className="panel side-summary" aria-labelledby="money">
            <h2 id="money">The money</h2>
            <MoneyTable money={view.money} />
            <p className="small muted">{view.payment}</p>
          </section>
          {view.canCancel ? (
            <section className="panel padded order-panel">
              <h2>Changed your mind?</h2>
              <p className="small muted">You can cancel until the first tire ships.</p>
              <form method="post">
                <button className="btn quiet small" name="intent" value="cancel">
                  Cancel the return
                </button>
              </form>
            </section>
          ) : null}
        </aside>
      </div>
    </>
  )
}

function Exchange({ view: { exchange, exchangeNote } }: { view: ResultView }) {
  if (!exchange) return null
  return (
    <section className="panel padded order-panel">
      <h2>Exchange</h2>
      <p className="small muted">{exchangeNote}</p>
      {exchange.by === 'cart' ? (
        <form method="post">
          <button className="btn" name="intent" value="exchange">
            {exchange.button}
          </button>
        </form>
      ) : (
        <p>
          <a className="btn" href={exchange.href}>
            {exchange.link}
          </a>
        </p>
      )}
    </section>
  )
}

function Labels({ view }: { view: ResultView }) {
  return (
    <section className="panel padded order-panel">
      <div className="return-head">
        <h2>Your tires</h2>
        {view.labelsPdf ? (
          <a className="btn primary" href={view.labelsPdf}>
            Print all labels (PDF)
          </a>
        ) : null}
      </div>
      <ul className="return-tires">
        {view.tires.map(({ no, name, state, label, print, refusal }) => (
          <li key={no}>
            <div>
              <p className="strong">
                Tire {no}: {state}
              </p>
              <p className="small muted tabular">{label ?? name}</p>
              {refusal ? <p className="small">{refusal}</p> : null}
            </div>
            {print ? (
              <a className="btn quiet small" href={print}>
                Print<span className="visually-hidden"> the label of tire {no}</span>
              </a>
            ) : null}
          </li>
        ))}
      </ul>
      {view.handOver ? <p className="small muted">{view.handOver}</p> : null}
    </section>
  )
}
