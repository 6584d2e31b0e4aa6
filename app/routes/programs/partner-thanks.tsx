import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import type { Route } from './+types/partner-thanks.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Thank you',
    description: 'We have your application.',
    path: paths.partnerThanks(),
    isIndexed: false,
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export default function PartnerThanks() {
  return (
    <div className="wrap narrow-page">
      <h1>We have your application.</h1>
      <p>
        We sent you an email to confirm. We answer within two business days; if you are accepted, the email says how you
        begin.
      </p>
      <p>
        <a className="btn primary" href={paths.home()}>
          Go to the store
        </a>
      </p>
    </div>
  )
}
