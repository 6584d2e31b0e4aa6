import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { ApprovalNotice } from '#app/ui/office/approval-notice.tsx'
import { ClaimDecision, decideClaim } from '#app/ui/office/decide-claim.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { approvalView } from '#app/views/office-approval.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { guaranteeNumber, parseGuaranteeNumber } from '#domain/price-guarantee/price-guarantee.ts'
import {
  approveGuarantee,
  findGuarantee,
  refuseGuarantee,
  retryGuaranteeRefund,
  type GuaranteeCase,
} from '#domain/price-guarantee/price-guarantee.server.ts'
import { approvalForm, refusalForm, staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/guarantee.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(
    matches,
    loaderData ? `Price guarantee ${loaderData.number}` : 'Price guarantee',
    officePaths.officeGuarantees(),
  )

const states = {
  open: { words: 'To decide', tone: 'signal' },
  approved: { words: 'Approved', tone: 'go' },
  refused: { words: 'Refused', tone: 'plain' },
} as const

const refundWords = {
  'waits-for-capture': 'Goes back once the order is charged',
  promised: 'On its way to the card',
  done: 'Refunded',
  refused: 'The provider refused the refund',
} as const

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'guarantees.read', officePaths.officeGuarantee(params.number))
  const found = await findGuarantee(shop, idOf(params.number))
  if (!found) throw new Response(null, { status: 404 })
  return {
    mayDecide: staffCan(session.roles, 'guarantees.decide'),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    number: guaranteeNumber(found.id),
    state: found.state,
    approval: approvalView(found.approvalRequest),
    suggested: ((found.approvalRequest?.amountCents ?? found.suggestedCents) / 100).toFixed(2),
    file: found.fileName,
    offerUrl: /^https?:\/\//.test(found.offerUrl) ? found.offerUrl : null,
    canRetry: found.state === 'approved' && found.refund !== null && found.refund.state !== 'done',
    facts: factsOf(found),
    decision: decisionOf(found),
  }
}

function idOf(number: string): number {
  const id = parseGuaranteeNumber(number)
  if (id === undefined) throw new Response(null, { status: 404 })
  return id
}

function factsOf(found: GuaranteeCase): [string, string][] {
  return [
    ['Received', timeText(found.createdAt, storeZone)],
    ['Order', found.orderId === null ? 'Before buying' : orderNumber(found.orderId)],
    ['Email', found.email],
    ['Tires', `${found.quantity} × ${found.tire}`],
    ['Our price', `${formatCents(found.ourEachCents)} each`],
    ['Their price', `${formatCents(found.theirEachCents)} each${found.includesInstallation ? ', installed' : ''}`],
    ['Seen at', `${found.competitor}, ${dateText(found.seenOn)}`],
    ...(found.zip ? [['ZIP', found.zip] satisfies [string, string]] : []),
    ['Difference with tax', formatCents(found.suggestedCents)],
  ]
}

function decisionOf({ decidedAt, decidedBy, differenceCents, refund, refusal }: GuaranteeCase): [string, string][] {
  if (!decidedAt) return []
  return [
    ['Decided', `${timeText(decidedAt, storeZone)} by ${decidedBy}`],
    ...(differenceCents === null ? [] : [['Given', formatCents(differenceCents)] satisfies [string, string]]),
    ...(refund
      ? [['Refund', [refundWords[refund.state], refund.note].filter(Boolean).join(': ')] satisfies [string, string]]
      : []),
    ...(refusal ? [['Reason sent', refusal] satisfies [string, string]] : []),
  ]
}

/** `approve` with an amount, `refuse` with a reason that is emailed, or `again` for a refund that failed. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeGuarantee(params.number)
  const staff = await requireStaff(context, 'guarantees.decide', path)
  const { shop, actor } = staff
  const id = idOf(params.number)
  const fields = await readForm(request)
  const number = guaranteeNumber(id)
  switch (fields.get('intent')) {
    case 'approve': {
      const checked = checkForm(approvalForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const approved = await approveGuarantee(shop, { id, differenceCents: checked.value.amount, by: actor })
      if (!approved.ok && approved.reason === 'not-fresh') requireFresh(staff, path)
      return approved.ok
        ? seeOther(officePaths.officeGuarantee(number, approved.value.state))
        : refuseForm(approvalReply(fields, approved), approved.reason === 'not-allowed' ? 403 : 409)
    }
    case 'refuse': {
      const checked = checkForm(refusalForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const refused = await refuseGuarantee(shop, { id, reason: checked.value.reason, by: actor })
      return refused.ok
        ? seeOther(officePaths.officeGuarantee(number, 'refused'))
        : refuseForm(formRefusal(fields, refusals[refused.reason]), refused.reason === 'not-allowed' ? 403 : 409)
    }
    case 'again': {
      const asked = await retryGuaranteeRefund(shop, { id, by: actor })
      return asked.ok
        ? seeOther(officePaths.officeGuarantee(number, 'again'))
        : refuseForm(formRefusal(fields, refusals[asked.reason]), asked.reason === 'not-allowed' ? 403 : 409)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

type ApprovalRefusal = Extract<Awaited<ReturnType<typeof approveGuarantee>>, { ok: false }>

/** Amounts that are too high are the field's fault; everything else is said above the form. */
function approvalReply(fields: URLSearchParams, refusal: ApprovalRefusal): FormReply {
  if (refusal.reason === 'more-than-paid')
    return formRefusal(fields, 'Fix 1 field:', {
      amount: `At most ${formatCents(refusal.detail.mostCents)} was paid for these tires.`,
    })
  if (refusal.reason === 'more-than-charged')
    return formRefusal(fields, 'Fix 1 field:', {
      amount: `Only ${formatCents(refusal.detail.leftCents)} of the charge is left to refund.`,
    })
  return formRefusal(fields, refusals[refusal.reason])
}

const refusals = {
  'over-your-limit': concessionMessages['over-your-limit'],
  'not-fresh': concessionMessages['not-fresh'],
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'request-not-found': 'There is no such request.',
  'already-decided': 'A colleague decided this request in the meantime. Nothing was changed.',
  'no-reason': 'Write the reason the shopper will read.',
  'nothing-to-retry': 'No refund of this request is outstanding.',
  'more-than-charged': 'Not enough of the charge is left to refund.',
  'order-over': 'The order was canceled or returned. Refuse the request instead.',
  'approved-before': 'Another request for these tires of the order was approved. Refuse this one.',
  'not-released': 'The order can still be canceled. Approve the request once it cannot.',
  'invoice-settled': 'The invoice no longer has that much open. Pay by transfer, and refuse with that reason.',
  'nothing-charged': 'Nothing was charged for this order.',
} as const

const news: Readonly<Record<string, string>> = {
  approved: 'Approved. The shopper was emailed.',
  requested: concessionMessages.requested,
  refused: 'Refused. The shopper was emailed your reason.',
  again: 'We are asking the provider for the refund again.',
}

export default function GuaranteePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const {
    mayDecide,
    news: done,
    number,
    state,
    approval,
    suggested,
    file,
    offerUrl,
    canRetry,
    facts,
    decision,
  } = loaderData
  return (
    <OfficePage
      title={number}
      crumbs={[{ label: 'Price guarantee', path: officePaths.officeGuarantees() }]}
      tags={<Tag tone={states[state].tone}>{states[state].words}</Tag>}
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <ApprovalNotice request={approval} what="approve the same amount or less" />
      <Columns
        body={
          <>
            <Panel id="request" title="Request">
              <PanelBody>
                <KeyValues rows={facts} />
              </PanelBody>
              <PanelBody>
                {offerUrl ? (
                  <p>
                    <a href={offerUrl} rel="noreferrer noopener nofollow" target="_blank">
                      Open their page
                    </a>{' '}
                    <span className="office-note">The shopper typed this address.</span>
                  </p>
                ) : null}
                <p>
                  {file ? <a href={officePaths.officeGuaranteeFile(number)}>Download {file}</a> : 'No file attached.'}
                </p>
              </PanelBody>
            </Panel>
            <ClaimDecision rows={decision} />
          </>
        }
        first={decideClaim({
          mayDecide,
          state,
          canRetry,
          reply,
          suggested,
          hint: 'For all tires, tax included. It goes back the way the order was paid.',
        })}
      />
    </OfficePage>
  )
}
