import { paths } from '#app/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { oversizeAboveLb, shippingRates } from '#domain/delivery/delivery.ts'
import { formatCents } from '#platform/money.ts'
import type { Route } from './+types/shipping-cost.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'What shipping costs',
    description: 'Free to the 48 states and DC; what a tire costs to Alaska, Hawaii, Puerto Rico and the territories, and what heavy ones add.',
    path: paths.shippingCost(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

const regions = [
  ['CONUS', 'The 48 states and DC'],
  ['AK', 'Alaska'],
  ['HI', 'Hawaii'],
  ['TERRITORY', 'Puerto Rico and the territories'],
] as const

export function loader() {
  return {
    rows: regions.map(([region, where]) => {
      const { perTireCents, oversizePerTireCents } = shippingRates[region]
      return {
        where,
        perTire: perTireCents === 0 ? 'Free' : formatCents(perTireCents),
        oversize: oversizePerTireCents === 0 ? 'Free' : `${formatCents(oversizePerTireCents)} more`,
      }
    }),
    oversizeLb: oversizeAboveLb,
  }
}

export default function ShippingCost({ loaderData: { rows, oversizeLb } }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>What shipping costs</h1>
      <table className="shipping-cost tabular">
        <thead>
          <tr>
            <th scope="col">To</th>
            <th scope="col">Per tire</th>
            <th scope="col">Over {oversizeLb} lb</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ where, perTire, oversize }) => (
            <tr key={where}>
              <th scope="row">{where}</th>
              <td>{perTire}</td>
              <td>{oversize}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted">There is no handling fee. We do not ship to PO boxes or military post offices.</p>
    </div>
  )
}
