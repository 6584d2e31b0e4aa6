import { serverPaths } from '#content/server-paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { claimNumber, parseClaimNumber } from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import { NextSteps } from './next-steps.tsx'
import type { Route } from './+types/coverage-claim-thanks.ts'

/** Shown after a claim. Contains only its number, so the page can be reloaded. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'We have your coverage claim',
    description: 'What you sent has reached us, and what happens next.',
    path: serverPaths.coverageClaimThanks(),
    isIndexed: false,
  })

export function loader({ url }: Route.LoaderArgs) {
  const id = parseClaimNumber(url.searchParams.get('claim') ?? '')
  return { number: id === undefined ? null : claimNumber(id) }
}

export default function CoverageClaimThanks({ loaderData: { number } }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>We have your claim</h1>
      {number ? (
        <p>
          Its number is <span className="strong tabular">{number}</span>.
        </p>
      ) : null}
      <p>
        A person looks at it and answers within {answerWithinText}, to the email address of the order. Keep the damaged
        tire, or the receipt of the repair, until then.
      </p>
      <NextSteps />
    </div>
  )
}
