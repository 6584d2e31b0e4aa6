import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { hasAccountPrice } from '#domain/pricing/pricing/pricing.ts'
import { applicationContext } from '#app/server/context.ts'
import { memberOffersText } from '#content/messages/programs.ts'
import { memberOffersOf, type BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { priceLabels, supportDeskOf, type AccountType } from '#domain/pricing/price-tiers/price-tiers.ts'
import { notFound } from './listing.server.ts'
import { dollars } from './listing-messages.server.ts'
import type { Route } from './+types/price-label.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData
    ? pageHead(matches, {
        title: loaderData.name,
        description: `${loaderData.name} eligibility, pricing, and combinations.`,
        path: paths.priceLabel(loaderData.slug),
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

/** Explains an account type's price. It is the same for everyone and states no prices, so it can be shared. */
export function loader({ params, context }: Route.LoaderArgs) {
  const label = priceLabels.find(({ slug }) => slug === params.label)
  if (!label) throw notFound()
  const { type, name, slug } = label
  return {
    name,
    slug,
    ...words[type],
    rules: rulesOf(type, context.get(applicationContext).businessTerms.current),
    desk: supportDeskOf(type) ?? null,
    isAskedFor: type === 'Special Order',
  }
}

export default function PriceLabelPage({
  loaderData: { name, what, who, rules, desk, isAskedFor },
}: Route.ComponentProps) {
  return (
    <article className="wrap narrow-page">
      <h1>{name}</h1>
      <p>{what}</p>
      <h2>Eligibility</h2>
      <p>{who}</p>
      <h2>How it counts</h2>
      <ul className="bullets">
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      {desk ? (
        <>
          <h2>Your own contact</h2>
          <p>
            {desk.name}: <a href={`tel:${desk.phone.replace(/\D/g, '')}`}>{desk.phone}</a>,{' '}
            <a href={`mailto:${desk.email}`}>{desk.email}</a>
          </p>
        </>
      ) : null}
      {isAskedFor ? (
        <p>
          <a className="btn" href={paths.tireSales()}>
            Ask for a price
          </a>
        </p>
      ) : null}
    </article>
  )
}

type Words = { what: string; who: string }

const words: Partial<Record<AccountType, Words>> = {
  Fleet: {
    what: 'The price your company has agreed with us for its vehicles.',
    who: 'Accounts of companies with a fleet. It comes with an invitation or with an email address of the company, and ends when the company removes the account.',
  },
  'Special Order': {
    what: 'A price quoted for one tire and one customer. Tires without a quote are at the regular price until you ask for one.',
    who: 'For businesses that order hard-to-find tires. Our special orders team sets it up.',
  },
  'Partner Program': {
    what: 'Pricing for members of partner organizations.',
    who: 'Accepted partner program members, for as long as they stay in the program.',
  },
  'Retail Member': {
    what: 'The price of the paid membership.',
    who: 'Accounts with a membership, until it ends.',
  },
  EPP: {
    what: 'The price of the employee purchase plan.',
    who: 'Employees with an account, for as long as they work here.',
  },
  'Sales Tool': {
    what: 'The price our salespeople see when they help a customer.',
    who: 'Our salespeople.',
  },
  WholeSale: {
    what: 'The price for those who buy in volume for their own trade.',
    who: 'Dealers with a wholesale account.',
  },
}

/** Returns the store's price rules as text. See domain/pricing/pricing. */
function rulesOf(type: AccountType, terms: BusinessTerms): string[] {
  const discount = `${dollars(terms['install-discount-cents'])} installation discount with ${terms['install-discount-tires']} or more tires`
  return [
    type === 'Special Order'
      ? 'It is charged exactly as quoted.'
      : 'You never pay more than the regular price. If current deals make your order cheaper, we apply them automatically and show it.',
    hasAccountPrice(type)
      ? 'No deal, discount or payment offer comes off it.'
      : memberOffersText(memberOffersOf(terms)),
    type === 'Special Order' || type === 'WholeSale'
      ? `The ${discount} does not come with it.`
      : `The ${discount} comes with it.`,
    'Installation, fees and tax are the same as for everyone.',
    'If it changes or ends, we show it in your cart before you pay.',
  ]
}
