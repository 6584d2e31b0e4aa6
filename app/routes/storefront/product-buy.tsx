import { useState } from 'react'
import { paths } from '#content/paths.ts'
import { useNavigate, useNavigation } from '#app/router/router.tsx'
import { ExpressButtons } from '#app/ui/express-buttons.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import type { BuyView, Fields, NearView } from './product-view.ts'

/**
 * Price, quantity and buttons. One form: it works without script, and the docked button on small screens belongs to it
 * too.
 */
export function ProductBuy({ buy, name }: { buy: BuyView; name: string }) {
  const { form, refused, stock } = buy
  return (
    <section className="product-buy" aria-label="Price and quantity">
      <Prices buy={buy} />
      {buy.rebate ? (
        <p className="small">
          <a href={buy.rebate.path}>{buy.rebate.label}</a>
        </p>
      ) : null}
      {stock ? <p className={form ? 'small strong' : 'small strong stop'}>{stock}</p> : null}
      {refused ? (
        <div className="refused stack">
          <p className="small">{refused.text}</p>
          {refused.links.map(({ label, path }, index) => (
            <a key={path} className={index === 0 ? 'btn primary large wide' : 'btn quiet wide'} href={path}>
              {label}
            </a>
          ))}
        </div>
      ) : null}
      {form ? (
        <form id="buy" className="buy-form" method="post" action={paths.cart()} aria-label={`Buy ${name}`}>
          <HiddenFields fields={form.fields} />
          {form.quantity ? <Quantity {...form.quantity} path={buy.path} /> : <p className="strong">{buy.set}</p>}
          {refused ? null : (
            <button className="btn primary large wide" type="submit" name="then" value="shipping">
              Choose shop and time
            </button>
          )}
          <div className="fewer-asks small" aria-live="polite">
            {buy.fewer?.texts.map((text) => (
              <p key={text}>{text}</p>
            ))}
            {buy.fewer ? <a href="#fewer">{buy.fewer.more}</a> : null}
          </div>
          <button className={refused ? 'btn quiet large wide' : 'btn quiet wide'} type="submit">
            Add to cart
          </button>
          {refused || !buy.express ? null : <ExpressButtons {...buy.express} />}
        </form>
      ) : (
        <a className="btn primary large wide" href={buy.instead.path}>
          {buy.instead.label}
        </a>
      )}
      {buy.pairs.length > 0 ? (
        <div className="row small buy-pairs">
          <span className="muted">One axle only?</span>
          {buy.pairs.map(({ label, fields }) => (
            <form key={label} method="post" action={paths.cart()}>
              <HiddenFields fields={fields} />
              <button className="link small" type="submit">
                {label}
              </button>
            </form>
          ))}
        </div>
      ) : null}
    </section>
  )
}

/** The total price at the nearest shop, or the one question that leads to it. */
export function OutTheDoor({ near, set, back }: { near: NearView | null; set: string; back: string }) {
  const isBusy = useNavigation().state !== 'idle'
  if (!near)
    return (
      <AskZip
        back={back}
        text="Enter your ZIP to see the out-the-door price with installation, fees, and tax at a nearby shop."
      />
    )
  if (near.problem || near.total === null) {
    return (
      <>
        <AskZip back={back} text={near.problem ?? ''} />
        {near.arrivesOn ? (
          <p className="row top small muted">
            <Icon name="truck" size="s" />
            <span>
              Shipped to {near.zip} by {near.arrivesOn}
            </span>
          </p>
        ) : null}
      </>
    )
  }
  return (
    <details className="panel out-the-door tabular" open aria-busy={isBusy}>
      <summary>
        <span aria-live="polite">
          <b>{near.total}</b> out the door
          <small className="muted">
            {set}, installed at {near.shop}, ZIP {near.zip}
          </small>
        </span>
        <Icon name="down" />
      </summary>
      <OrderSummary rows={near.rows} caption={`What ${set} cost out the door`} />
    </details>
  )
}

/** What stays visible on small screens. */
export function ProductDock({ buy, near }: { buy: BuyView; near: NearView | null }) {
  const { form, refused, instead } = buy
  const isSold = form !== null && refused === null
  return (
    <div className="dock tabular">
      {isSold && near?.total ? (
        <InstalledPrice near={near} quantity={form.quantity?.value ?? '2 + 2'} />
      ) : (
        <PricePerTire price={buy.prices[0]} />
      )}
      {isSold ? (
        <button className="btn primary" type="submit" form="buy" name="then" value="shipping">
          Choose time
        </button>
      ) : (
        <a className="btn" href={refused?.links[0]?.path ?? instead.path}>
          {refused ? 'What fits' : 'Similar tires'}
        </a>
      )}
    </div>
  )
}

function InstalledPrice({ near, quantity }: { near: NearView; quantity: number | string }) {
  return (
    <p>
      <b>{near.total}</b>
      <small className="muted">
        {[`${quantity} installed`, near.shops[0]?.times[0]?.label, near.shop].filter(Boolean).join(', ')}
      </small>
    </p>
  )
}

function PricePerTire({ price }: { price: BuyView['prices'][number] | undefined }) {
  return (
    <p>
      <b>{price?.unit}</b>
      <small className="muted">
        {[`per tire${price?.axle ? `, ${price.axle}` : ''}`, price?.shipping].filter(Boolean).join(' ')}
      </small>
    </p>
  )
}

function Prices({ buy: { prices, label, deal } }: { buy: BuyView }) {
  return (
    <>
      {prices.map(({ axle, unit, was, excise, inCart, shipping }, index) => (
        <p key={axle} className={prices.length > 1 ? 'product-price is-pair tabular' : 'product-price tabular'}>
          <b>{unit}</b>
          <span>
            per tire{axle ? `, ${axle}` : ''}
            {excise ? ` (${excise})` : ''}
            {shipping ? ` ${shipping}` : ''}
          </span>
          {inCart ? <span className="tag tone-deal">{inCart}</span> : null}
          {was ? (
            <s>
              <span className="visually-hidden">was </span>
              {was}
            </s>
          ) : null}
          {label && index === prices.length - 1 ? (
            <a className="tag" id="price-label" href={label.path} data-interaction="modal">
              {label.label}
            </a>
          ) : null}
          {deal && index === prices.length - 1 ? <span className="tag tone-deal">{deal}</span> : null}
        </p>
      ))}
    </>
  )
}

/** One to eight. With script the totals update from the server; without it a button requests them. */
function Quantity({ value, most, path }: { value: number; most: number; path: string }) {
  const navigate = useNavigate()
  const [count, setCount] = useState(value)
  const isAllowed = (next: number) => Number.isInteger(next) && next >= 1 && next <= most
  function choose(next: number) {
    if (!isAllowed(next)) return
    setCount(next)
    const search = new URLSearchParams(window.location.search)
    search.set('quantity', String(next))
    void navigate(`?${search.toString()}`, { replace: true, preventScrollReset: true })
  }
  return (
    <div className="quantity">
      <button type="button" onClick={() => choose(count - 1)} disabled={count <= 1} aria-label="One fewer">
        <Icon name="minus" />
      </button>
      <input
        type="number"
        name="quantity"
        aria-label="Quantity"
        min={1}
        max={most}
        value={count}
        onChange={(event) => setCount(event.currentTarget.valueAsNumber)}
        onBlur={() => (isAllowed(count) ? choose(count) : setCount(value))}
      />
      <button type="button" onClick={() => choose(count + 1)} disabled={count >= most} aria-label="One more">
        <Icon name="plus" />
      </button>
      <button className="link small without-script" type="submit" formMethod="get" formAction={path}>
        Update
      </button>
    </div>
  )
}

function AskZip({ back, text }: { back: string; text: string }) {
  return (
    <form className="panel ask-zip" method="post" action="/zip">
      <input type="hidden" name="back" value={back} />
      <label className="small" htmlFor="product-zip">
        {text}
      </label>
      <div className="row">
        <input
          className="input"
          id="product-zip"
          name="zip"
          inputMode="numeric"
          autoComplete="postal-code"
          placeholder="ZIP code"
          maxLength={10}
        />
        <button className="btn" type="submit">
          Show price
        </button>
      </div>
    </form>
  )
}

function HiddenFields({ fields }: { fields: Fields }) {
  return fields.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}
