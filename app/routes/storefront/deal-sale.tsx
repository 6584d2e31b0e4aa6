import { applicationContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { listDeals, listDealsDuring } from '#domain/catalog/catalog/catalog.server.ts'
import { readShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { saleNames, saleOf, type SaleName } from '#domain/catalog/catalog/catalog.ts'
import { dayText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import { pluralForm } from '#platform/count-text.ts'
import { DealGroups } from './deal-groups.tsx'
import { dealGroups, dealsNote } from './deal-views.server.ts'
import type { Route } from './+types/deal-sale.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData
    ? pageHead(matches, {
        title: `${loaderData.title} tire sale ${loaderData.year}`,
        description: `${loaderData.title} ${loaderData.year} runs ${loaderData.when}. All tire deals in the sale, with installed prices near you.`,
        path: loaderData.path,
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** The seasonal sale. Shows upcoming deals before it, current deals during it, and the remaining deals after it. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { catalog, clock } = app
  const name = url.pathname.split('/').at(-1) as SaleName
  const now = clock.now()
  const sale = saleOf(name, now)
  const deals =
    sale.state === 'after'
      ? await listDeals(catalog)
      : await listDealsDuring(catalog, sale.starts.toInstant(), sale.ends.toInstant())
  const lastDay = sale.ends.subtract({ days: 1 }).toPlainDate()
  const isOneDay = lastDay.equals(sale.starts.toPlainDate())
  return {
    title: saleNames[name],
    path: paths.deal(name),
    other: (Object.keys(saleNames) as SaleName[])
      .filter((each) => each !== name)
      .map((each) => ({ path: paths.deal(each), name: saleNames[each] })),
    state: sale.state,
    year: sale.year,
    when: isOneDay ? dayText(lastDay) : `${dayText(sale.starts)} through ${dayText(lastDay)}`,
    /** The start of the sale if it is upcoming, otherwise its end. */
    moment: (sale.state === 'before' ? sale.starts : sale.ends).toInstant().toString(),
    days: storeDay(now).until(sale.starts.toPlainDate(), { largestUnit: 'day' }).days,
    note: await dealsNote(app),
    groups: dealGroups(deals, now, await readShippingTo(app, context.get(visitorContext).zip)),
  }
}

export default function SalePage({ loaderData }: Route.ComponentProps) {
  const { title, year, state, when, moment, days, note, groups, other } = loaderData
  return (
    <>
      <section className="band sale-band">
        <div className="wrap">
          <Crumbs crumbs={[{ label: 'Deals', path: paths.deals() }]} here={title} />
          <h1 className="capitals">
            {title} {year}
          </h1>
          <p className="sale-when tabular">
            {state === 'before' ? (
              <>
                <time dateTime={moment}>{when}</time>, from midnight Eastern.{' '}
                {pluralForm(days, 'It starts tonight.', `${days} days to go.`)}
              </>
            ) : state === 'running' ? (
              <>
                <b>On now</b>, until midnight Eastern at the end of{' '}
                <time dateTime={moment}>{when.split(' through ').at(-1)}</time>.
              </>
            ) : (
              <>It ran {when}, and is over. It comes back next November.</>
            )}
          </p>
        </div>
      </section>
      <div className="wrap directory deals-page">
        {note ? <p className="notice">{note}</p> : null}
        <p className="muted">
          {groups.length === 0
            ? 'No deal is set for these days yet.'
            : state === 'before'
              ? 'On the list so far, with the price each tire will have. Some run already.'
              : state === 'running'
                ? 'They come off in your cart automatically: no codes.'
                : 'These deals still run.'}{' '}
          <a href={paths.deals()}>All of today’s deals</a>
          {other.map(({ path, name }) => (
            <span key={path}>
              {' · '}
              <a href={path}>{name}</a>
            </span>
          ))}
        </p>
        <DealGroups groups={groups} />
      </div>
    </>
  )
}
