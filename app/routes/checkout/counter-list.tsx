import { Form } from 'react-router'
import type { CounterView } from '#app/routes/checkout/shipping-view.server.ts'

/** Carrier pickup counters near the shopper. */
export function CounterList({
  counters,
  chosenId,
  zip,
}: {
  counters: CounterView[]
  chosenId: number | null
  zip: string
}) {
  if (counters.length === 0) {
    return (
      <div className="panel padded stack">
        <h2>No pickup location near {zip}</h2>
        <p className="muted">
          There is no carrier counter within 25 miles, and our warehouses do not hand out tires yet. Have the tires
          shipped to a shop or to you.
        </p>
      </div>
    )
  }
  return (
    <Form method="post" className="stack">
      <input type="hidden" name="intent" value="choose-counter" />
      <input type="hidden" name="tab" value="carrier-pickup" />
      <fieldset className="counter-list">
        <legend className="strong">{counters.length} pickup locations within 25 mi</legend>
        {counters.map((counter) => (
          <label key={counter.id} className="panel counter">
            <input type="radio" name="counter" value={counter.id} defaultChecked={counter.id === chosenId} />
            <span>
              <b>{counter.name}</b> <span className="small muted tabular">{counter.miles} mi</span>
              <br />
              <span className="small">{counter.address}</span>
              <br />
              <span className="small muted">{counter.hours}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <button className="btn primary large" type="submit">
        Pick up here
      </button>
    </Form>
  )
}
