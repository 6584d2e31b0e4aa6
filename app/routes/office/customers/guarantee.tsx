import { guaranteeActions } from '#app/office/actions/claims.server.ts'
import { claimView } from '#app/office/claim.server.ts'
import { decideActions, found, shownRows } from '#app/office/decision.server.ts'
import { ClaimPage } from '#app/office/decision.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { guaranteeNumber, parseGuaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import { findGuarantee, type GuaranteeCase } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/guarantee.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Price guarantee ${loaderData?.claim.number ?? ''}`.trim(), officePaths.officeGuarantees())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'guarantees.read', officePaths.officeGuarantee(params.number))
  const request = found(await findGuarantee(app, found(parseGuaranteeNumber(params.number))))
  return {
    claim: claimView(request, {
      number: guaranteeNumber(request.id),
      facts: factsOf(request),
      givenCents: request.differenceCents,
      suggestedCents: request.suggestedCents,
      decides: 'guarantees.decide',
      session,
      url,
    }),
    file: request.fileName,
    offerUrl: /^https?:\/\//.test(request.offerUrl) ? request.offerUrl : null,
  }
}

function factsOf(request: GuaranteeCase): [string, string][] {
  return shownRows([
    ['Received', timeText(request.createdAt, storeZone)],
    ['Order', request.orderId === null ? 'Before buying' : orderNumber(request.orderId)],
    ['Email', request.email],
    ['Tires', `${request.quantity} × ${request.tire}`],
    ['Our price', `${formatCents(request.ourEachCents)} each`],
    ['Their price', `${formatCents(request.theirEachCents)} each${request.includesInstallation ? ', installed' : ''}`],
    ['Seen at', `${request.competitor}, ${dateText(request.seenOn)}`],
    ['ZIP', request.zip],
    ['Difference with tax', formatCents(request.suggestedCents)],
  ])
}

export const action = (args: Route.ActionArgs) => {
  const { number } = args.params
  return decideActions(
    args,
    {
      id: number,
      path: (done) => officePaths.officeGuarantee(number, done),
      signsInAgain: true,
      done: { approve: (_, { state }) => state, refuse: 'refused', retry: 'retry' },
    },
    guaranteeActions,
  )
}

export default function GuaranteePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { claim, file, offerUrl } = loaderData
  return (
    <ClaimPage
      claim={claim}
      list={{ label: 'Price guarantee', path: officePaths.officeGuarantees() }}
      title="Request"
      hint="For all tires, tax included. Refunded to the original payment method."
      reply={reply}
    >
      {offerUrl ? (
        <p>
          <a href={offerUrl} rel="noreferrer noopener nofollow" target="_blank">
            Open the competitor’s page
          </a>{' '}
          <span className="office-note">The customer entered this address.</span>
        </p>
      ) : null}
      <p>{file ? <a href={officePaths.officeGuaranteeFile(claim.number)}>Download {file}</a> : 'No file attached.'}</p>
    </ClaimPage>
  )
}
