import { planIn, storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { applicationContext } from '#app/server/context.ts'
import { coverageOf, coverageCents } from '#domain/catalog/offers/offers.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import { warrantyOf } from '#domain/catalog/catalog/catalog.ts'
import { planWords } from '#domain/ordering/checkout/checkout.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/warranties.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageHead(matches, {
    title: loaderData?.tire ? `What covers the ${loaderData.tire.name}` : 'What covers your tires',
    description: `The manufacturer’s mileage warranty and ${loaderData?.plan.name.toLowerCase() ?? 'coverage'}, with coverage, duration, and requirements.`,
    path: paths.warranties(loaderData?.tire?.itemId),
    isIndexed: !loaderData?.tire,
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** `?item=` shows it for one item; an unknown one is ignored. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { catalog, brandedStore, businessTerms } = context.get(applicationContext)
  const text = url.searchParams.get('item') ?? ''
  const item = /^[1-9]\d{0,8}$/.test(text) ? await findItem(catalog, Number(text)) : undefined
  const price = item && (await catalog.cache.prices()).priceOf(item)
  const miles = item ? warrantyOf(item) : null
  return {
    tire: item && {
      itemId: item.id,
      name: `${item.line.brand.name} ${item.line.name}`,
      miles: miles === null ? null : countOf(miles, 'mile'),
      coverage: formatCents(
        price ? coverageOf(item, price, businessTerms.current) : coverageCents(item.retailCents, businessTerms.current),
      ),
    },
    plan: planWords(planIn(storeKindOf(brandedStore)), businessTerms.current),
    returnDays: businessTerms.current['return-days'],
  }
}

export default function Warranties({ loaderData: { tire, plan, returnDays } }: Route.ComponentProps) {
  return (
    <article className="wrap narrow-page">
      <h1>{tire ? `What covers the ${tire.name}` : 'What covers your tires'}</h1>
      <h2>Mileage warranty, by the maker</h2>
      <p>
        {tire
          ? tire.miles
            ? `${tire.miles}. If the tread is worn out before that, the maker credits you for the miles that are missing.`
            : 'The manufacturer offers no mileage warranty on this tire.'
          : 'The manufacturer guarantees the tread for a number of miles. If it wears out sooner, the manufacturer credits you for the remaining miles.'}
      </p>
      {tire && !tire.miles ? null : (
        <p className="small muted">
          It requires that you rotate the tires on the manufacturer’s schedule and save your receipts. Where front and
          rear sizes differ they cannot change places, and half of the miles count.
        </p>
      )}
      <h2>{plan.name}, by us</h2>
      <p>
        {tire
          ? `${tire.coverage} a tire, if you want it, at checkout. It covers road hazards such as nails, glass, and potholes.`
          : 'Optional, at checkout. It covers road hazards such as nails, glass, and potholes.'}
      </p>
      <ul className="bullets">
        {plan.terms.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
      <h2>And if you just do not want them</h2>
      <p>
        Tires that were never mounted{' '}
        <a href={paths.written('returns-and-refunds')}>come back within {countOf(returnDays, 'day')}</a>.
      </p>
    </article>
  )
}
