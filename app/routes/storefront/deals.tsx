import { redirect } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { listDeals, listRebates } from '#domain/catalog/catalog/catalog.server.ts'
import { readShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { saleNames, saleOf, type SaleName } from '#domain/catalog/catalog/catalog.ts'
import { countOf } from '#platform/count-text.ts'
import { DealGroups, DealRows } from './deal-groups.tsx'
import { dealGroups, dealsNote, rebateRow } from './deal-views.server.ts'
import type { Route } from './+types/deals.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageHead(matches, {
    title: loaderData?.brand ? `${loaderData.brand.name} tire deals` : 'Tire deals',
    description:
      'Daily deals, discounts, buy 3 get 1 offers, and manufacturer rebates, with end dates and eligible tires.',
    path: paths.deals(),
    isIndexed: !loaderData?.brand,
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** All current deals; `?brand=` filters them. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { catalog, clock } = app
  const [all, allRebates] = await Promise.all([listDeals(catalog), listRebates(catalog)])
  const brands = [
    ...new Map(
      [...all, ...allRebates].flatMap(({ subject: { brand } }) => (brand ? [[brand.slug, brand] as const] : [])),
    ).values(),
  ]
  const asked = url.searchParams.get('brand')
  const brand = brands.find(({ slug }) => slug === asked) ?? null
  // A brand that no longer has deals leads to the page of all deals.
  if (asked !== null && !brand) throw redirect(paths.deals())
  const isMine = ({ subject }: { subject: { brand: { slug: string } | null } }) =>
    !brand || subject.brand?.slug === brand.slug
  const now = clock.now()
  const deals = all.filter(isMine)
  return {
    brand,
    brands: brands.sort((a, b) => (a.name < b.name ? -1 : 1)),
    count: deals.length,
    note: await dealsNote(app),
    groups: dealGroups(deals, now, await readShippingTo(app, context.get(visitorContext).zip)),
    rebates: allRebates.filter(isMine).map((rebate) => rebateRow(rebate, now)),
    sales: (Object.keys(saleNames) as SaleName[]).map((name) => ({
      path: paths.deal(name),
      name: saleNames[name],
      isOn: saleOf(name, now).state === 'running',
    })),
  }
}

export default function Deals({
  loaderData: { brand, brands, count, note, groups, rebates, sales },
}: Route.ComponentProps) {
  return (
    <div className="wrap directory deals-page">
      <Crumbs
        crumbs={[{ label: 'Home', path: paths.home() }, ...(brand ? [{ label: 'Deals', path: paths.deals() }] : [])]}
        here={brand?.name ?? 'Deals'}
      />
      <div className="directory-head">
        <h1>{brand ? `${brand.name} deals` : 'Tire deals'}</h1>
        <p className="muted">
          {count === 0 ? 'No deals' : countOf(count, 'deal runs', 'deals run')} right now. Deals come off in your cart
          automatically: no codes. All times are Eastern (New York).
        </p>
        {note ? <p className="notice">{note}</p> : null}
        <ul className="row sale-links">
          {sales.map(({ path, name, isOn }) => (
            <li key={path}>
              <a className={isOn ? 'btn primary' : 'btn quiet'} href={path}>
                {name}
                {isOn ? ': on now' : ''}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <details className="deal-brands" open={brand !== null}>
        <summary>Deals by brand ({brands.length})</summary>
        <nav aria-label="Deals by brand">
          <ul className="category-chips">
            <li>
              <a
                className={brand ? 'chip' : 'chip is-on'}
                href={paths.deals()}
                {...(brand ? {} : { 'aria-current': 'true' as const })}
              >
                All brands
              </a>
            </li>
            {brands.map(({ slug, name }) => (
              <li key={slug}>
                <a
                  className={slug === brand?.slug ? 'chip is-on' : 'chip'}
                  href={paths.deals(slug)}
                  {...(slug === brand?.slug ? { 'aria-current': 'true' as const } : {})}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </details>
      <DealGroups groups={groups} />
      {rebates.length > 0 ? (
        <section className="deal-group">
          <h2>Rebates after purchase</h2>
          <p className="muted">
            You pay our price; the maker pays you back when you send its form. A rebate is never part of a price you see
            here.
          </p>
          <DealRows rows={rebates} />
        </section>
      ) : null}
      {groups.length === 0 && rebates.length === 0 ? (
        <p>
          No deals right now. New deals of the day start at midnight Eastern.{' '}
          <a href={paths.types()}>See all tires by type</a>.
        </p>
      ) : null}
    </div>
  )
}
