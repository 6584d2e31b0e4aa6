import { applicationContext, visitorContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { findCart } from '#domain/payments/cart/cart.server.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import { itemizeShipping, shippingTable, unitWords } from '#domain/supply/delivery/delivery.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import type { Route } from './+types/shipping-cost.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'What shipping costs',
    description: 'Shipping, oversize, and handling charges in the contiguous US and other areas.',
    path: serverPaths.shippingCost(),
    isIndexed: false,
  })

type Tires = { quantity: number; weightLb: number; unitCents: number }[]

/** `?item=` and `quantity` show it for a tire, else it is for the visitor's cart, at their ZIP. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const visitor = context.get(visitorContext)
  const asked = await askedTires(app, url.searchParams)
  const cart = asked ? undefined : await findCart(app, visitor.cartId)
  const tires: Tires =
    asked ??
    cart?.lines.map(({ quantity, article, retailUnitCents }) => ({
      quantity,
      weightLb: article.weightLb,
      unitCents: retailUnitCents,
    })) ??
    []
  const zip = visitor.zip ?? cart?.zip ?? null
  const rates = shippingRatesOf(app.businessTerms.current)
  const place = zip ? await findPlace(app.db, zip) : undefined
  const rows = place && place.region !== 'MILITARY' && tires.length > 0 ? itemizeShipping(rates, place, tires) : []
  return {
    title: place ? `Shipping to ${place.city}, ${place.state} ${place.zip}` : null,
    count: tires.reduce((sum, { quantity }) => sum + quantity, 0),
    rows: rows.map(({ kind, unit, units, cents, totalCents, reason }) => ({
      key: `${kind} ${cents} ${reason}`,
      words: kindWords[kind],
      each: `${units} × ${priceWords(cents)} ${unitWords[unit]}`,
      total: priceWords(totalCents),
      reason,
    })),
    total: priceWords(rows.reduce((sum, { totalCents }) => sum + totalCents, 0)),
    table: shippingTable(rates).map(({ zone, kind, unit, cents, reason }, index) => ({
      key: String(index),
      to: regionWords[zone] ?? zone,
      words: kindWords[kind],
      price: cents === 0 ? 'Free' : `${formatCents(cents)} ${kind === 'discount' ? 'less ' : ''}${unitWords[unit]}`,
      reason,
    })),
  }
}

const kindWords = {
  shipping: 'Shipping',
  oversize: 'Oversize tires',
  exception: 'Special rate',
  discount: 'Discount',
  handling: 'Handling',
} as const
const regionWords: Readonly<Record<string, string>> = {
  CONUS: 'Contiguous US',
  AK: 'Alaska',
  HI: 'Hawaii',
  TERRITORY: 'Territories',
}

function priceWords(cents: number): string {
  return cents === 0 ? 'Free' : formatCents(cents)
}

/** Returns the tires in the URL. Returns undefined if the URL has no tires or they don't exist. */
async function askedTires(app: Application, query: URLSearchParams): Promise<Tires | undefined> {
  const [id, count] = [query.get('item') ?? '', query.get('quantity') ?? '4']
  if (!/^[1-9]\d{0,8}$/.test(id)) return undefined
  const item = await findItem(app.catalog, Number(id))
  return (
    item && [
      { quantity: /^[1-9]\d?$/.test(count) ? Number(count) : 4, weightLb: item.weightLb, unitCents: item.retailCents },
    ]
  )
}

export default function ShippingCost({ loaderData: { title, count, rows, total, table } }: Route.ComponentProps) {
  return (
    <article className="wrap narrow-page">
      <h1>What shipping costs</h1>
      {rows.length > 0 ? (
        <>
          <h2>
            {title}, {countOf(count, 'tire')}
          </h2>
          <table className="shipping-costs tabular">
            <caption className="visually-hidden">Your shipping, row by row</caption>
            <tbody>
              {rows.map(({ key, words, each, total: cost, reason }) => (
                <tr key={key}>
                  <th scope="row">
                    {words}
                    <br />
                    <span className="small muted">{reason}</span>
                  </th>
                  <td>{each}</td>
                  <td>{cost}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  In the price you see
                </th>
                <td>
                  <b>{total}</b>
                </td>
              </tr>
            </tfoot>
          </table>
        </>
      ) : (
        <p>
          Enter your ZIP to see it for your address. <a href="/zip?back=/cart">Set your ZIP</a>
        </p>
      )}
      <h2>Everywhere</h2>
      <table className="shipping-costs tabular">
        <caption className="visually-hidden">Rates by destination</caption>
        <thead>
          <tr>
            <th scope="col">To</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {table.map(({ key, to, words, price, reason }) => (
            <tr key={key}>
              <th scope="row">
                {to}: {words.toLowerCase()}
                <br />
                <span className="small muted">{reason}</span>
              </th>
              <td>{price}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted">
        Next to every price per tire, we show the shipping cost to your ZIP. Every out-the-door total includes it.{' '}
        <a href={paths.written('free-shipping')}>How we ship</a>
      </p>
    </article>
  )
}
