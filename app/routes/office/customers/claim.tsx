import { claimActions } from '#app/office/actions/claims.server.ts'
import { claimView } from '#app/office/claim.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { ClaimPage } from '#app/office/decision.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import {
  causeLabels,
  claimKinds,
  claimNumber,
  parseClaimNumber,
} from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { findClaim, type ClaimCase } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/claim.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Coverage claim ${loaderData?.claim.number ?? ''}`.trim(), officePaths.officeClaims())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'claims.read', officePaths.officeClaim(params.number))
  const claim = found(await findClaim(app, found(parseClaimNumber(params.number))))
  return {
    claim: claimView(claim, {
      number: claimNumber(claim.id),
      facts: factsOf(claim),
      givenCents: claim.givenCents,
      suggestedCents: claim.mostCents,
      decides: 'claims.decide',
      session,
      url,
    }),
    orderPath: officePaths.officeOrder(claim.orderId),
    file: claim.fileName,
    words: claim.words,
  }
}

function factsOf(claim: ClaimCase): [string, string][] {
  const { paidCents, tin } = claim
  return [
    ['Received', timeText(claim.createdAt, storeZone)],
    ['Order', orderNumber(claim.orderId)],
    ['Email', claim.email],
    ['Tires', `${claim.tires} × ${claim.tire}`],
    ['DOT number', tin ?? 'Not given'],
    ['Claim', claimKinds[claim.kind]],
    ['Cause', causeLabels[claim.cause]],
    ['Delivered', dateText(claim.deliveredOn)],
    ['Happened', dateText(claim.happenedOn)],
    ...(paidCents === null ? [] : [['Repair cost', formatCents(paidCents)] satisfies [string, string]]),
    ['Maximum payout', formatCents(claim.mostCents)],
  ]
}

export const action = (args: Route.ActionArgs) => {
  const { number } = args.params
  return decideActions(
    args,
    {
      id: number,
      path: (done) => officePaths.officeClaim(number, done),
      signsInAgain: true,
      done: { approve: (_, { state }) => state, refuse: 'refused', retry: 'retry' },
    },
    claimActions,
  )
}

export default function CoverageClaimPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { claim, orderPath, file, words } = loaderData
  return (
    <ClaimPage
      claim={claim}
      list={{ label: 'Coverage claims', path: officePaths.officeClaims() }}
      title="Claim"
      hint="For all tires, up to the plan’s maximum. Refunded to the original payment method."
      reply={reply}
    >
      {words ? <p className="pre-line">{words}</p> : null}
      <p>
        {file ? <a href={officePaths.officeClaimFile(claim.number)}>Download {file}</a> : 'No file attached.'}{' '}
        <a href={orderPath}>Open the order</a>
      </p>
    </ClaimPage>
  )
}
