/** The page of a cart filled by an assistant, opened from a link. Shows the contents and one button. */
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { TireLine } from '#app/ui/tire-line.tsx'
import { paths } from '#content/paths.ts'
import { countOf } from '#platform/count-text.ts'
import type { CartForYouView } from './cart-for-you.server.ts'

/** Explains why a link can't be opened, and links to an alternative. */
export function ClosedLink({
  title,
  text,
  next = { href: paths.cart(), label: 'Go to your cart' },
}: {
  title: string
  text: string
  next?: { href: string; label: string }
}) {
  return (
    <div className="wrap narrow-page stack">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a className="btn" href={next.href}>
          {next.label}
        </a>
      </p>
    </div>
  )
}

/**
 * `by` is who filled the cart. `after` explains when the link expires. `mustAsk` is true if the visitor must confirm
 * replacing their own cart.
 */
export function CartForYou({
  shown,
  heading,
  by,
  button,
  after,
  mustAsk,
}: {
  shown: CartForYouView
  heading: string
  by: string
  button: string
  after: string
  mustAsk: boolean
}) {
  const { lines, vehicle, fit, rows, estimateAt, problems, hold, otherTires } = shown
  return (
    <div className="wrap narrow-page stack">
      <h1>{heading}</h1>
      <p>
        {by} filled this cart{vehicle === null ? '' : ` for a ${vehicle}`}. You haven’t ordered yet. Check it, accept
        the terms, and pay.
      </p>
      <Tires lines={lines} />
      {fit.map(({ key, headline, lines: said }) => (
        <div key={key} className="notice small">
          <p className="strong">{headline}</p>
          {said.map((each) => (
            <p key={each}>{each}</p>
          ))}
        </div>
      ))}
      {hold ? (
        <p className="notice">
          Held at {hold.shop}: {hold.time}, until {hold.until}.
        </p>
      ) : null}
      {problems.map((problem) => (
        <p key={problem} className="notice small">
          {problem}
        </p>
      ))}
      {rows.length === 0 ? null : (
        <div className="panel padded">
          <OrderSummary rows={rows} caption={estimateAt ? `What it costs at ${estimateAt}` : 'What it costs'} />
        </div>
      )}
      <form method="post" className="stack">
        {otherTires > 0 ? (
          <>
            <p className={mustAsk ? 'notice' : 'small muted'}>
              Your own cart has {countOf(otherTires, 'tire')}. Opening this one replaces it.
            </p>
            <button className="btn primary large wide" name="replace" value="1">
              Replace my cart
            </button>
            <a className="btn quiet wide" href={paths.cart()}>
              Keep my cart
            </a>
          </>
        ) : (
          <button className="btn primary large wide">{button}</button>
        )}
      </form>
      <p className="small muted">{after}</p>
    </div>
  )
}

function Tires({ lines }: Pick<CartForYouView, 'lines'>) {
  return (
    <ul className="summary-lines">
      {lines.map((line) => (
        <TireLine key={`${line.itemId} ${line.axle}`} line={line}>
          <p className="small tabular">
            {line.quantity} at {line.unit}
          </p>
        </TireLine>
      ))}
    </ul>
  )
}
