import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel, OfficeForm } from '#app/office/form.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'

type Reply = { reply: FormReply | undefined }

type Dispute = {
  id: string
  about: string
  at: string
  state: 'open' | 'granted' | 'declined'
  words: string
  photo: string | null
  answer: string | null
}

/** What the shop disputes; the oldest without an answer has the form. */
export function DisputePanel({
  disputes,
  submissions,
  reply,
}: Reply & { disputes: readonly Dispute[]; submissions: { answer: string } }) {
  if (disputes.length === 0) return null
  const next = disputes.findLast(({ state }) => state === 'open')
  return (
    <Panel id="disputes" title="Disputes" isOpen={next !== undefined}>
      {disputes.map(({ id, about, at, state, words, photo, answer }) => (
        <PanelBody key={id}>
          <p>
            <b>{about}</b>, {at} <Tag tone={state === 'open' ? 'signal' : 'plain'}>{state}</Tag>
          </p>
          <p>{words}</p>
          {photo === null ? null : (
            <p>
              <a href={photo}>Photo from the shop</a>
            </p>
          )}
          {answer === null ? null : <p>Answer: {answer}</p>}
          {id === next?.id ? (
            <OfficeForm
              reply={reply}
              about={{ dispute: id }}
              hidden={{ submission: submissions.answer }}
              fields={{
                answer: { label: 'Answer', kind: 'area', rows: 3, max: 2_000 },
                granted: { label: 'Pay in dollars', kind: 'money', isOptional: true, hint: 'Leave empty to decline.' },
              }}
              buttons={[button('answer', 'Answer', 'primary')]}
            />
          ) : null}
        </PanelBody>
      ))}
    </Panel>
  )
}

/** Adjustments above the approval threshold. */
export function ProposalPanel({ proposals }: { proposals: readonly { id: string; words: string }[] }) {
  if (proposals.length === 0) return null
  return (
    <Panel id="proposals" title="To approve" isOpen>
      {proposals.map(({ id, words }) => (
        <PanelBody key={id}>
          <p>{words}</p>
          <OfficeForm
            reply={undefined}
            about={{ adjustment: id }}
            buttons={[
              button('decide', 'Approve', 'primary', { sends: { decision: 'approve' } }),
              button('decide', 'Decline', undefined, { sends: { decision: 'decline' } }),
            ]}
          />
        </PanelBody>
      ))}
    </Panel>
  )
}

/** A correction of the shop's pay. */
export function AdjustPanel({
  jobs,
  submissions,
  reply,
}: Reply & { jobs: readonly { id: string; words: string }[]; submissions: { adjust: string } }) {
  return (
    <FormPanel
      id="adjust"
      title="Adjust or charge back"
      isPair
      reply={reply}
      hidden={{ submission: submissions.adjust }}
      fields={{
        kind: {
          label: 'Type',
          kind: 'choice',
          options: Object.entries({
            add: 'Adjustment, paid to the shop',
            deduct: 'Adjustment, taken from the shop',
            chargeback: 'Clawback for bad work',
          }),
        },
        amount: { label: 'Amount in dollars', kind: 'money', hint: 'Such as 22.00.' },
        job: {
          label: 'Job',
          kind: 'choice',
          options: [['', 'None'], ...jobs.map(({ id, words }): [string, string] => [id, words])],
        },
        reason: { label: 'Reason', max: 500, hint: 'Shown to the shop.' },
      }}
      buttons={[button('adjust', 'Save adjustment', 'primary')]}
    />
  )
}

/** Renders the transfers and the form to reverse part of one. */
export function TransferPanel({
  transfers,
  submissions,
  mayReverse,
  reply,
}: Reply & {
  transfers: readonly { id: string; state: string; words: string; refusal: string | null }[]
  mayReverse: boolean
  submissions: { reverse: string }
}) {
  if (transfers.length === 0) return null
  const sent = transfers.filter(({ state }) => state === 'sent').map(({ id, words }): [string, string] => [id, words])
  return (
    <Panel id="transfers" title="Transfers" note="newest first">
      <PanelBody>
        <ul>
          {transfers.map(({ id, state, words, refusal }) => (
            <li key={id}>
              {words} <Tag tone={state === 'sent' ? 'go' : state === 'refused' ? 'stop' : 'plain'}>{state}</Tag>
              {refusal === null ? null : ` The provider: ${refusal}`}
            </li>
          ))}
        </ul>
        {transfers[0]?.state === 'refused' ? (
          <OfficeForm
            reply={reply}
            text="We retry automatically at increasing intervals, and as soon as the shop changes its bank account."
            buttons={[button('send', 'Send now')]}
          />
        ) : null}
      </PanelBody>
      {sent.length === 0 || !mayReverse ? null : (
        <PanelBody>
          <OfficeForm
            isPair
            reply={reply}
            hidden={{ submission: submissions.reverse }}
            fields={{
              transfer: { label: 'Transfer', kind: 'choice', options: sent },
              back: { label: 'Dollars to reverse', kind: 'money', hint: 'Reduces what the shop owes.' },
            }}
            buttons={[button('reverse', 'Reverse')]}
          />
        </PanelBody>
      )}
    </Panel>
  )
}
