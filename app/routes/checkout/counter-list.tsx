import { Form } from 'react-router'
import { pickupAwayMessage } from '#content/messages/booking.ts'
import type { CountersView, CounterView } from '#app/routes/checkout/shipping-view.server.ts'
import { placesWithinMiles, pickupProof } from '#domain/supply/pickup-places/pickup-places.ts'
import { countOf } from '#platform/count-text.ts'

/** The carrier's places near the shopper, each with its hours. */
export function CounterList({
  pickup: { counters, isAway, asOf },
  chosenId,
  zip,
}: {
  pickup: CountersView
  chosenId: number | null
  zip: string
}) {
  if (counters.length === 0)
    return (
      <div className="panel padded stack">
        <h2>{isAway ? 'FedEx locations are not available right now' : `No FedEx location near ${zip}`}</h2>
        <p className="muted">
          {isAway
            ? pickupAwayMessage
            : `No FedEx location within ${countOf(placesWithinMiles, 'mile')} can hold tires for you. Have them shipped to a shop or to you.`}
        </p>
        <p className="row">
          <a className="btn" href="/checkout/shipping">
            Ship to a shop
          </a>
          <a className="btn quiet" href="/zip?back=/checkout/shipping">
            Change ZIP
          </a>
        </p>
      </div>
    )
  return (
    <Form method="post" className="stack">
      <input type="hidden" name="intent" value="choose-counter" />
      <input type="hidden" name="tab" value="carrier-pickup" />
      {asOf ? (
        <p className="notice small" role="status">
          FedEx does not answer right now. This is the list of {asOf}.
        </p>
      ) : null}
      <fieldset className="counter-list">
        <legend className="strong">
          {countOf(counters.length, 'FedEx location')} within {placesWithinMiles} mi
        </legend>
        {counters.map((counter) => (
          <Counter key={counter.id} counter={counter} isChosen={counter.id === chosenId} />
        ))}
      </fieldset>
      <p className="muted small">Bring {pickupProof}. Tires are not installed at FedEx.</p>
      <button className="btn primary large" type="submit">
        Pick up here
      </button>
    </Form>
  )
}

function Counter({ counter, isChosen }: { counter: CounterView; isChosen: boolean }) {
  const { id, letter, name, miles, address, today, week, holdsDays, directions } = counter
  return (
    <div className="panel counter" id={`place-${id}`}>
      <label className="counter-choice">
        <input type="radio" name="counter" value={id} defaultChecked={isChosen} />
        <span>
          <b>
            {letter}. {name}
          </b>{' '}
          <span className="small muted tabular">{miles} mi</span>
          <br />
          <span className="small">{address}</span>
          {today ? (
            <>
              <br />
              <span className="small tabular">Today: {today}</span>
            </>
          ) : null}
          <br />
          <span className="small muted">Holds your tires for {countOf(holdsDays, 'day')}</span>
        </span>
      </label>
      <div className="counter-more small">
        {week.length > 0 ? (
          <details>
            <summary>Hours of the week</summary>
            <ul className="tabular">
              {week.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        ) : (
          <p className="muted">FedEx does not say its hours. Call before you go.</p>
        )}
        <a href={directions}>Directions</a>
      </div>
    </div>
  )
}
