import type { FormReply } from '#app/forms/form.ts'
import { Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'

type Reply = { reply: FormReply | undefined }

type Dispute = {
  id: string
  about: string
  at: string
  state: 'open' | 'granted' | 'declined'
  words: string
  answer: string | null
}

/** What the shop objects to; the oldest without an answer has the form. */
export function DisputePanel({
  disputes,
  submissions,
  reply,
}: Reply & { disputes: readonly Dispute[]; submissions: { answer: string } }) {
  if (disputes.length === 0) return null
  const next = disputes.findLast(({ state }) => state === 'open')
  return (
    <Panel id="disputes" title="Disputes" isOpen={next !== undefined}>
      {disputes.map(({ id, about, at, state, words, answer }) => (
        <PanelBody key={id}>
          <p>
            <b>{about}</b>, {at} <Tag tone={state === 'open' ? 'signal' : 'plain'}>{state}</Tag>
          </p>
          <p>{words}</p>
          {answer === null ? null : <p>Answer: {answer}</p>}
          {id === next?.id ? (
            <form method="post" noValidate>
              <input type="hidden" name="dispute" value={id} />
              <input type="hidden" name="submission" value={submissions.answer} />
              <TextAreaField name="answer" label="Answer" reply={reply} rows={3} maxLength={2_000} />
              <Field
                name="granted"
                label="Pay"
                reply={reply}
                inputMode="decimal"
                maxLength={14}
                required={false}
                hint="Empty declines it."
              />
              <button className="btn primary" name="intent" value="answer">
                Answer
              </button>
            </form>
          ) : null}
        </PanelBody>
      ))}
    </Panel>
  )
}

/** Adjustments above the limit of one person. */
export function ProposalPanel({ proposals }: { proposals: readonly { id: string; words: string }[] }) {
  if (proposals.length === 0) return null
  return (
    <Panel id="proposals" title="To approve" isOpen>
      {proposals.map(({ id, words }) => (
        <PanelBody key={id}>
          <p>{words}</p>
          <form method="post">
            <input type="hidden" name="intent" value="decide" />
            <input type="hidden" name="adjustment" value={id} />
            <button className="btn primary" name="decision" value="approve">
              Approve
            </button>{' '}
            <button className="btn" name="decision" value="decline">
              Decline
            </button>
          </form>
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
    <Panel id="adjust" title="Adjust or charge back">
      <form method="post" noValidate>
        <input type="hidden" name="submission" value={submissions.adjust} />
        <PanelBody isPair>
          <SelectField name="kind" label="What" reply={reply}>
            <option value="add">Adjustment, paid to the shop</option>
            <option value="deduct">Adjustment, taken from the shop</option>
            <option value="chargeback">Chargeback for bad work</option>
          </SelectField>
          <Field name="amount" label="Amount" reply={reply} inputMode="decimal" maxLength={14} hint="As 22.00." />
          <SelectField name="job" label="Job" reply={reply}>
            <option value="">None</option>
            {jobs.map(({ id, words }) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </SelectField>
          <Field name="reason" label="Reason" reply={reply} maxLength={500} hint="The shop reads it." />
        </PanelBody>
        <PanelBody>
          <button className="btn primary" name="intent" value="adjust">
            Save
          </button>
        </PanelBody>
      </form>
    </Panel>
  )
}

/** What was sent, and taking some of it back. */
export function TransferPanel({
  transfers,
  submissions,
  reply,
}: Reply & {
  transfers: readonly { id: string; state: string; words: string; refusal: string | null }[]
  submissions: { reverse: string }
}) {
  if (transfers.length === 0) return null
  const sent = transfers.filter(({ state }) => state === 'sent')
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
          <form method="post">
            <p>Tried again by itself, less and less often, and as soon as the shop changes its bank account.</p>
            <button className="btn" name="intent" value="send">
              Send now
            </button>
          </form>
        ) : null}
      </PanelBody>
      {sent.length === 0 ? null : (
        <form method="post" noValidate>
          <input type="hidden" name="submission" value={submissions.reverse} />
          <PanelBody isPair>
            <SelectField name="transfer" label="Transfer" reply={reply}>
              {sent.map(({ id, words }) => (
                <option key={id} value={id}>
                  {words}
                </option>
              ))}
            </SelectField>
            <Field
              name="back"
              label="Take back"
              reply={reply}
              inputMode="decimal"
              maxLength={14}
              hint="Lowers what the shop owes."
            />
          </PanelBody>
          <PanelBody>
            <button className="btn" name="intent" value="reverse">
              Take back
            </button>
          </PanelBody>
        </form>
      )}
    </Panel>
  )
}
