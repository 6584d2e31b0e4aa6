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
import { causeLabels, claimKinds, claimNumber, parseClaimNumber } from '#domain/coverage-claims/coverage-claims.ts'
import {
  approveClaim,
  findClaim,
  refuseClaim,
  retryClaimRefund,
  type ApproveRefusal,
  type ClaimCase,
} from '#domain/coverage-claims/coverage-claims.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { approvalForm, refusalForm, staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/claim.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Coverage claim ${loaderData.number}` : 'Coverage claim', officePaths.officeClaims())

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
  const { shop, session } = await requireStaff(context, 'claims.read', officePaths.officeClaim(params.number))
  const found = await findClaim(shop, idOf(params.number))
  if (!found) throw new Response(null, { status: 404 })
  return {
    mayDecide: staffCan(session.roles, 'claims.decide'),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    number: claimNumber(found.id),
    orderPath: officePaths.officeOrder(found.orderId),
    state: found.state,
    approval: approvalView(found.approvalRequest),
    most: ((found.approvalRequest?.amountCents ?? found.mostCents) / 100).toFixed(2),
    file: found.fileName,
    words: found.words,
    canRetry: found.state === 'approved' && found.refund !== null && found.refund.state !== 'done',
    facts: factsOf(found),
    decision: decisionOf(found),
  }
}

function idOf(number: string): number {
  const id = parseClaimNumber(number)
  if (id === undefined) throw new Response(null, { status: 404 })
  return id
}

function factsOf(found: ClaimCase): [string, string][] {
  const { paidCents, tin } = found
  return [
    ['Received', timeText(found.createdAt, storeZone)],
    ['Order', orderNumber(found.orderId)],
    ['Email', found.email],
    ['Tires', `${found.tires} × ${found.tire}`],
    ['DOT number', tin ?? 'Not given'],
    ['Claim', claimKinds[found.kind]],
    ['Cause', causeLabels[found.cause]],
    ['Delivered', dateText(found.deliveredOn)],
    ['Happened', dateText(found.happenedOn)],
    ...(paidCents === null ? [] : [['Repair cost', formatCents(paidCents)] satisfies [string, string]]),
    ['The plan pays at most', formatCents(found.mostCents)],
  ]
}

function decisionOf({ decidedAt, decidedBy, givenCents, refund, refusal }: ClaimCase): [string, string][] {
  if (!decidedAt) return []
  return [
    ['Decided', `${timeText(decidedAt, storeZone)} by ${decidedBy}`],
    ...(givenCents === null ? [] : [['Given', formatCents(givenCents)] satisfies [string, string]]),
    ...(refund
      ? [['Refund', [refundWords[refund.state], refund.note].filter(Boolean).join(': ')] satisfies [string, string]]
      : []),
    ...(refusal ? [['Reason sent', refusal] satisfies [string, string]] : []),
  ]
}

/** `approve` with an amount, `refuse` with a reason that is emailed, or `again` for a refund that failed. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeClaim(params.number)
  const staff = await requireStaff(context, 'claims.decide', path)
  const { shop, actor } = staff
  const id = idOf(params.number)
  const fields = await readForm(request)
  const answer = (outcome: { ok: true } | ApproveRefusal | OtherRefusal, done: string) =>
    outcome.ok
      ? seeOther(officePaths.officeClaim(claimNumber(id), done))
      : refuseForm(replyTo(fields, outcome), outcome.reason === 'not-allowed' ? 403 : 409)
  switch (fields.get('intent')) {
    case 'approve': {
      const checked = checkForm(approvalForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const approved = await approveClaim(shop, { id, givenCents: checked.value.amount, by: actor })
      if (!approved.ok && approved.reason === 'not-fresh') requireFresh(staff, path)
      return answer(approved, approved.ok ? approved.value.state : 'approved')
    }
    case 'refuse': {
      const checked = checkForm(refusalForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      return answer(await refuseClaim(shop, { id, reason: checked.value.reason, by: actor }), 'refused')
    }
    case 'again':
      return answer(await retryClaimRefund(shop, { id, by: actor }), 'again')
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

type OtherRefusal = Extract<
  Awaited<ReturnType<typeof refuseClaim>> | Awaited<ReturnType<typeof retryClaimRefund>>,
  { ok: false }
>

/** Amounts that are too high are the field's fault; everything else is said above the form. */
function replyTo(fields: URLSearchParams, refusal: ApproveRefusal | OtherRefusal): FormReply {
  const detail = 'detail' in refusal ? refusal.detail : undefined
  if (refusal.reason === 'more-than-plan')
    return formRefusal(fields, 'Fix 1 field:', {
      amount: `The plan pays at most ${formatCents(refusal.detail.mostCents)} for this claim.`,
    })
  if (detail && 'leftCents' in detail)
    return formRefusal(fields, 'Fix 1 field:', {
      amount: `Only ${formatCents(detail.leftCents)} of the charge is left to refund.`,
    })
  return formRefusal(fields, refusals[refusal.reason])
}

const refusals = {
  'over-your-limit': concessionMessages['over-your-limit'],
  'not-fresh': concessionMessages['not-fresh'],
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'request-not-found': 'There is no such claim.',
  'already-decided': 'A colleague decided this claim in the meantime. Nothing was changed.',
  'no-reason': 'Write the reason the shopper will read.',
  'nothing-to-retry': 'No refund of this claim is outstanding.',
  'more-than-charged': 'Not enough of the charge is left to refund.',
  'order-over': 'The order was canceled or returned. Refuse the claim instead.',
  'replaced-before': 'The plan has replaced all of these tires already. Refuse this claim.',
  'invoice-settled': 'The invoice no longer has that much open. Pay by transfer, and refuse with that reason.',
  'nothing-charged': 'Nothing was charged for this order.',
} as const

const news: Readonly<Record<string, string>> = {
  approved: 'Approved. The shopper was emailed.',
  requested: concessionMessages.requested,
  refused: 'Refused. The shopper was emailed your reason.',
  again: 'We are asking the provider for the refund again.',
}

export default function ClaimPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayDecide, news: done, number, orderPath, state, approval, most, file, words, canRetry } = loaderData
  return (
    <OfficePage
      title={number}
      crumbs={[{ label: 'Coverage claims', path: officePaths.officeClaims() }]}
      tags={<Tag tone={states[state].tone}>{states[state].words}</Tag>}
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <ApprovalNotice request={approval} what="approve the same amount or less" />
      <Columns
        body={
          <>
            <Panel id="claim" title="Claim">
              <PanelBody>
                <KeyValues rows={loaderData.facts} />
              </PanelBody>
              <PanelBody>
                {words ? <p className="pre-line">{words}</p> : null}
                <p>
                  {file ? <a href={officePaths.officeClaimFile(number)}>Download {file}</a> : 'No file attached.'}{' '}
                  <a href={orderPath}>Open the order</a>
                </p>
              </PanelBody>
            </Panel>
            <ClaimDecision rows={loaderData.decision} />
          </>
        }
        first={decideClaim({
          mayDecide,
          state,
          canRetry,
          reply,
          suggested: most,
          hint: 'For all tires, up to what the plan pays. It goes back the way the order was paid.',
        })}
      />
    </OfficePage>
  )
}
