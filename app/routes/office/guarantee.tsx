import { claimRefusals, claimView, tooMuch } from '#app/office/claim.server.ts'
import { decide, found, press, shownRows, step } from '#app/office/decision.server.ts'
import { ClaimPage } from '#app/office/decision.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { guaranteeNumber, parseGuaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import {
  approveGuarantee,
  findGuarantee,
  refuseGuarantee,
  retryGuaranteeRefund,
  type GuaranteeCase,
} from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { approvalForm, refusalForm } from '#domain/kernel/staff/staff.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/guarantee.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Price guarantee ${loaderData?.claim.number ?? ''}`.trim(), officePaths.officeGuarantees())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'guarantees.read', officePaths.officeGuarantee(params.number))
  const request = found(await findGuarantee(shop, found(parseGuaranteeNumber(params.number))))
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

export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'request',
      permission: 'guarantees.decide',
      path: (done) => officePaths.officeGuarantee(args.params.number, done),
      signsInAgain: true,
    },
    ({ shop, by }) => {
      const id = found(parseGuaranteeNumber(args.params.number))
      return {
        approve: step(
          approvalForm,
          ({ amount }) => approveGuarantee(shop, { id, differenceCents: amount, by }),
          ({ state }) => state,
        ),
        refuse: step(refusalForm, ({ reason }) => refuseGuarantee(shop, { id, reason, by }), 'refused'),
        again: press(() => retryGuaranteeRefund(shop, { id, by })),
      }
    },
    {
      ...claimRefusals,
      'request-not-found': 'Price guarantee request not found.',
      'order-over': 'The order was canceled or returned. Refuse the request instead.',
      'approved-before': 'Another request for these tires was already approved. Refuse this one.',
      'not-released': 'The customer can still cancel the order. Approve the request after the cancel window ends.',
      'more-than-paid': ({ mostCents }) => tooMuch(`At most ${formatCents(mostCents)} was paid for these tires.`),
    },
  )

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
