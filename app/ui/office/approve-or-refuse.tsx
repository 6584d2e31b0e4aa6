import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { longestRefusal } from '#domain/staff/staff.ts'

/** The two forms that decide what a shopper asks money for: `approve` with an amount, `refuse` with a reason. */
export function ApproveOrRefuse({
  reply,
  suggested,
  hint,
}: {
  reply: FormReply | undefined
  /** Dollars, such as "82.00". */
  suggested: string
  hint: string
}) {
  const isRefusal = reply?.values['intent'] === 'refuse'
  return (
    <>
      <Panel id="approve" title="Approve" isOpen>
        <PanelBody>
          <form method="post" className="stack" noValidate>
            <ErrorSummary reply={isRefusal ? undefined : reply} labels={{ amount: 'Amount' }} />
            <Field
              name="amount"
              label="Amount in dollars"
              reply={isRefusal ? undefined : reply}
              value={suggested}
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              hint={hint}
            />
            <p>
              <button className="btn primary" name="intent" value="approve">
                Approve and refund
              </button>
            </p>
          </form>
        </PanelBody>
      </Panel>
      <Panel id="refuse" title="Refuse">
        <PanelBody>
          <form method="post" className="stack" noValidate>
            <ErrorSummary reply={isRefusal ? reply : undefined} labels={{ reason: 'Reason' }} />
            <TextAreaField
              name="reason"
              label="Reason, emailed word for word"
              reply={isRefusal ? reply : undefined}
              rows={4}
              maxLength={longestRefusal}
            />
            <p>
              <button className="btn stop" name="intent" value="refuse">
                Refuse
              </button>
            </p>
          </form>
        </PanelBody>
      </Panel>
    </>
  )
}
