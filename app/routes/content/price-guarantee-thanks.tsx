import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { guaranteeNumber, parseGuaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import { NextSteps } from './next-steps.tsx'
import type { Route } from './+types/price-guarantee-thanks.ts'

/** Shown after a request. Contains only its number, so the page can be reloaded. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'We have your price guarantee request',
    description: 'What you sent has reached us, and what happens next.',
    path: paths.priceGuaranteeThanks(),
    isIndexed: false,
  })

export function loader({ url }: Route.LoaderArgs) {
  const id = parseGuaranteeNumber(url.searchParams.get('request') ?? '')
  return { number: id === undefined ? null : guaranteeNumber(id) }
}

export default function PriceGuaranteeThanks({ loaderData: { number } }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>We have your request</h1>
      {number ? (
        <p>
          Its number is <span className="strong tabular">{number}</span>.
        </p>
      ) : null}
      <p>
        A person looks at the offer and answers by email within {answerWithinText}. About an order, the answer goes to
        the address of the order.
      </p>
      <NextSteps />
    </div>
  )
}
