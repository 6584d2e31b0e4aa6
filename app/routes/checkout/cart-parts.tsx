import { Form, useNavigation } from 'react-router'
import type { CartPartsView, CartPartView } from './cart-parts.server.ts'

/** The parts in the cart, and those that can be added. */
export function CartParts({ parts, offers }: CartPartsView) {
  return (
    <>
      {parts.map((part) => (
        <article key={part.sku} className="panel cart-part">
          <PartText part={part} />
          {part.problem ? <p className="field-error">{part.problem}</p> : null}
          <div className="row">
            <PartForm part={part} button="Update" />
            <RemovePart part={part} />
          </div>
        </article>
      ))}
      {offers.map(({ key, name, note, fit, isFitting, parts: choices }) => (
        <details key={key} className="panel cart-part">
          <summary className="strong">Add {name.toLowerCase()}</summary>
          <p className="small muted">
            {note}. {fit}.
          </p>
          {isFitting
            ? choices.map((part) => (
                <div key={part.sku} className="cart-part-choice">
                  <PartText part={part} />
                  <PartForm part={part} button="Add" />
                </div>
              ))
            : null}
        </details>
      ))}
    </>
  )
}

function PartText({ part: { name, facts, unit } }: { part: CartPartView }) {
  return (
    <div>
      <p className="strong">{name}</p>
      <p className="small muted">{facts}</p>
      <p className="tabular">
        <span className="strong">{unit}</span> <span className="small muted">each</span>
      </p>
    </div>
  )
}

function PartForm({ part: { sku, name, quantity, quantities }, button }: { part: CartPartView; button: string }) {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <Form method="post" className="quantity-form" preventScrollReset>
      <input type="hidden" name="intent" value="set-part" />
      <input type="hidden" name="sku" value={sku} />
      <select className="input" name="units" aria-label={`Quantity of ${name}`} defaultValue={quantity} key={quantity}>
        {quantities.map((units) => (
          <option key={units}>{units}</option>
        ))}
      </select>
      <button className="btn small quiet" type="submit" disabled={isBusy} aria-label={`${button} ${name}`}>
        {button}
      </button>
    </Form>
  )
}

function RemovePart({ part: { sku, name } }: { part: CartPartView }) {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="set-part" />
      <input type="hidden" name="sku" value={sku} />
      <input type="hidden" name="units" value="0" />
      <button className="link small" type="submit" disabled={isBusy} aria-label={`Remove ${name}`}>
        Remove
      </button>
    </Form>
  )
}
