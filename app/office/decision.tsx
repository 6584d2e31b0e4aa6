/**
 * Decision parts that back office pages share. They include content around forms (form.tsx) and the claim page, where a
 * claim is approved up to an amount or refused with a text for the customer.
 */
import type { ComponentProps, ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'
import { longestRefusal } from '#domain/kernel/staff/staff.ts'
import { DetailPage } from './detail.tsx'
import { button, FormPanel } from './form.tsx'

/** A request for a second person's approval. `amount` is formatted dollars, or null for a price reduction. */
export type ApprovalView = { requestedBy: string; amount: string | null }

/** Shows that a concession is pending a second person, and that person's action. */
export function ApprovalNotice({ request, what }: { request: ApprovalView | null; what: string }) {
  if (!request) return null
  const { requestedBy, amount } = request
  return (
    <Notice
      tone="signal"
      title={amount === null ? concessionMessages.waiting : `${concessionMessages.waiting}: ${amount}`}
    >
      <p>{concessionMessages.toApprove(requestedBy, what)}</p>
    </Notice>
  )
}

/** Shows above a form that it needs a recent sign-in; hidden if the sign-in is recent. */
export function FreshSignInNotice({ isFresh, title, back }: { isFresh: boolean; title: string; back: string }) {
  return isFresh ? null : (
    <Notice tone="signal" title={title}>
      <p>
        <a href={officePaths.officeSignIn({ back, again: 'yes' })}>Sign in again</a> to continue. Your last sign-in was
        more than ten minutes ago.
      </p>
    </Notice>
  )
}

/** A panel of labeled values; hidden if empty. */
export function FactsPanel({
  rows,
  children,
  ...panel
}: Omit<ComponentProps<typeof Panel>, 'children'> & {
  rows: ComponentProps<typeof KeyValues>['rows']
  children?: ReactNode
}) {
  return rows.length === 0 ? null : (
    <Panel {...panel}>
      <PanelBody>
        <KeyValues rows={rows} />
      </PanelBody>
      {children ? <PanelBody>{children}</PanelBody> : null}
    </Panel>
  )
}

/** A claim as its page shows it; dates and amounts are formatted, `suggested` is dollars such as "82.00". */
export type ClaimView = {
  number: string
  state: 'open' | 'approved' | 'refused'
  facts: [string, string][]
  decision: [string, string][]
  approval: ApprovalView | null
  suggested: string
  mayDecide: boolean
  canRetry: boolean
  news: string | null
}

const states = {
  open: { words: 'To decide', tone: 'signal' },
  approved: { words: 'Approved', tone: 'go' },
  refused: { words: 'Refused', tone: 'plain' },
} as const

/** The claim page, with the customer's request (`children` below the details), and the decision forms. */
export function ClaimPage({
  claim,
  list,
  title,
  hint,
  reply,
  children,
}: {
  claim: ClaimView
  list: { label: string; path: string }
  /** The heading of the submitted content. */
  title: string
  /** What the amount is for. */
  hint: string
  reply: FormReply | undefined
  children: ReactNode
}) {
  const { number, state, facts, decision, approval, news } = claim
  return (
    <DetailPage
      title={number}
      crumbs={[list]}
      tags={<Tag tone={states[state].tone}>{states[state].words}</Tag>}
      news={news}
      reply={reply}
      body={
        <>
          <FactsPanel id="claim" title={title} rows={facts}>
            {children}
          </FactsPanel>
          <FactsPanel id="decision" title="Decision" rows={decision} />
        </>
      }
      forms={claimForms(claim, hint, reply)}
    >
      <ApprovalNotice request={approval} what="approve the same amount or less" />
    </DetailPage>
  )
}

/** Forms to decide an open claim, or to retry its refund; undefined for readers who may do neither. */
function claimForms(
  { mayDecide, state, canRetry, suggested }: ClaimView,
  hint: string,
  reply: FormReply | undefined,
): ReactNode {
  if (!mayDecide) return undefined
  if (state === 'open')
    return (
      <>
        <FormPanel
          id="approve"
          title="Approve"
          isOpen
          reply={reply}
          fields={{ amount: { label: 'Amount in dollars', kind: 'money', value: suggested, hint } }}
          buttons={[button('approve', 'Approve and refund', 'primary')]}
        />
        <FormPanel
          id="refuse"
          title="Refuse"
          reply={reply}
          fields={{ reason: { label: 'Reason, emailed word for word', kind: 'area', max: longestRefusal } }}
          buttons={[button('refuse', 'Refuse', 'stop')]}
        />
      </>
    )
  return canRetry ? (
    <FormPanel id="again" title="Refund" reply={reply} buttons={[button('retry', 'Try the refund again')]} />
  ) : undefined
}
