import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { notFound } from './listing.server.ts'
import { dollars } from './listing-messages.server.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { findRebate } from '#domain/catalog/catalog/catalog.server.ts'
import { dayText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/rebate-form.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData
    ? pageHead(matches, {
        title: `Claim form: ${loaderData.name}`,
        description: `The form for the ${loaderData.name}, to print, fill in and send with your receipt.`,
        path: paths.rebateForm(loaderData.slug),
        isIndexed: false,
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

/** The mail-in form of a rebate, while claims are accepted. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const found = await findRebate(context.get(applicationContext).catalog, params.deal)
  if (!found || found.state === 'ended' || !('mailTo' in found.rebate.claim)) throw notFound()
  const { slug, name, amountCents, units, startsAt, endsAt, claimBy, claim } = found.rebate
  return {
    slug,
    name,
    amount: dollars(amountCents),
    units,
    bought: `from ${timeText(startsAt, storeZone)} and before ${timeText(endsAt, storeZone)}`,
    by: `${dayText(Temporal.PlainDate.from(claimBy))}, ${claimBy.slice(0, 4)}`,
    mailTo: claim.mailTo,
  }
}

export default function RebateForm({
  loaderData: { slug, name, amount, units, bought, by, mailTo },
}: Route.ComponentProps) {
  return (
    <article className="wrap narrow-page claim-form">
      <Crumbs
        crumbs={[
          { label: 'Deals', path: paths.deals() },
          { label: name, path: paths.deal(slug) },
        ]}
        here="Claim form"
      />
      <h1>Claim form: {name}</h1>
      <p>
        {amount} for {countOf(units, 'tire')} bought in one order {bought}. Print this page, fill it in, and mail it
        with a copy of your receipt, postmarked by {by}, to:
      </p>
      <address>{mailTo}</address>
      <dl className="claim-lines">
        {lines.map((line) => (
          <div key={line}>
            <dt>{line}</dt>
            <dd />
          </div>
        ))}
      </dl>
      <p className="small muted">
        Your receipt is behind <a href={paths.trackOrder()}>Track your order</a>. The DOT numbers stand on the sidewall,
        near the rim, after the letters DOT.
      </p>
    </article>
  )
}

const lines = [
  'Name',
  'Street, city, state, ZIP',
  'Email',
  'Phone',
  'Order number',
  'Date of purchase',
  'Tire and size',
  'DOT numbers of the tires',
  'Signature and date',
]
