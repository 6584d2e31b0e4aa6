/** Reserved page addresses. */
import { listReleasedPages } from './pages.server.ts'
import { paths } from '#content/paths.ts'

/** First segments of routes and web server paths. A test compares them with app/routes.ts. */
export const takenSegments: ReadonlySet<string> = new Set(
  `account advocate-dashboard affiliates agent-checkout agents api appointment book-service book-time brands business car-talk cart
  carts categories checkout compare contact coverage-claim dt-employees email-preferences faqs find finder fitment
  help-center installer-signup invite learn licenses membership military my_customers office order-change
  partner-program pay-again portal press price-guarantee prices privacy-choices punchout quote recommendations register
  repair-pal search shipping-cost sign-in sign-out sitemap stop-mails tire-buying-guide tire-deals tire-reviews
  tire-sales tire-score tire-shops tire-size-camera tire-sizes track-your-order types vehicles warranties zip
  assets brand carrier cxml feeds front healthz mail mail-in map mcp payments pictures readyz share sitemaps suppliers
  texts tread ucp uploaded webhooks widget`.split(/\s+/),
)

/** Returns whether the address `slug` is reserved. */
export async function isTakenAddress(slug: string): Promise<boolean> {
  if (takenSegments.has(slug)) return true
  const address = paths.written(slug)
  return (await listReleasedPages('own')).some((page) => page.address === address)
}
