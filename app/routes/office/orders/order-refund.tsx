import { formatCents } from '#platform/money.ts'
import type { FormReply } from '#app/forms/form.ts'
import { useFormInput, useLivePreview } from '#app/office/form-input.ts'
import type { OrderReply } from '#app/server/office-order-forms.server.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { lowerReasons, refundBearers, refundReasons, usualBearers } from '#domain/ordering/refunds/refunds.ts'
import { LedgerTable } from './order-panels.tsx'
import type { OrderPageView } from './order.tsx'

const formId = 'refund-form'

const labels = {
  amount: 'Amount',
  lowerReason: 'Reason for the lower amount',
  reason: 'Reason',
  bearer: 'Cost charged to',
  note: 'Internal note',
}

/**
 * Renders the refund form with lines and reason, then a preview with the ledger entry and the button that refunds. With
 * script, the preview follows the form, and a reason fills in who usually bears the cost.
 */
export function RefundPanel({ view, reply }: { view: OrderPageView; reply: OrderReply | undefined }) {
  const { order, units, typed, formKey } = view
  const said: FormReply = reply?.reply ?? { values: typed, errors: {} }
  const address = officePaths.officeOrder(order.id, { act: 'refund' })
  const live = useLivePreview<OrderReply>(address)
  const preview = live.reply ? live.reply.preview : (reply?.preview ?? null)
  // Null for an incomplete form. The Preview button shows the errors.
  useFormInput(formId, (form, changed) => {
    if (changed.name === 'reason') fillBearer(form, changed.value)
    const fields = new FormData(form)
    if (fields.get('reason') && fields.get('bearer')) live.read(form, changed)
  })
  const lineLabels = Object.fromEntries(units.map(({ lineNo, name }) => [`units-${lineNo}`, name]))
  return (
    <Panel
      id="refund"
      title="Refund"
      note={order.payment.left ? `${order.payment.left} can still be refunded` : undefined}
      isOpen
      end={<a href={officePaths.officeOrder(order.id)}>Close</a>}
    >
      <PanelBody>
        <form id={formId} method="post" action={`${address}#refund`} noValidate>
          <ErrorSummary reply={reply?.form === 'refund' ? said : undefined} labels={{ ...labels, ...lineLabels }} />
          <input type="hidden" name="key" value={said.values['key'] ?? formKey} />
          <UnitFields units={units} reply={said} />
          <MoneyFields feeCents={view.feeCents} reply={said} />
          {preview ? <Preview preview={preview} view={view} reply={said} /> : null}
          <RefundButtons preview={preview} view={view} />
        </form>
      </PanelBody>
    </Panel>
  )
}

/** Chooses who usually bears the cost for this reason, unless someone chose before. */
function fillBearer(form: HTMLFormElement, reason: string): void {
  const bearer = form.elements.namedItem('bearer')
  if (!(bearer instanceof HTMLSelectElement)) return
  const isChosen = bearer.value !== '' && bearer.dataset['filled'] !== bearer.value
  if (isChosen) return
  bearer.value = Object.hasOwn(usualBearers, reason) ? (usualBearers[reason as keyof typeof usualBearers] ?? '') : ''
  bearer.dataset['filled'] = bearer.value
}

function RefundButtons({
  preview,
  view: { may, isFresh, limit },
}: {
  preview: OrderReply['preview']
  view: OrderPageView
}) {
  const mayMake = preview && (!preview.isOverLimit || (may.approve && isFresh))
  return (
    <p className="office-line">
      {mayMake ? (
        <button className="btn primary" name="intent" value="refund">
          {preview.isOverLimit ? `Request ${preview.amount}` : `Refund ${preview.amount}`}
        </button>
      ) : null}
      <button className={preview ? 'btn quiet' : 'btn primary'} name="intent" value="preview">
        {preview ? 'Check again' : 'Preview'}
      </button>
      <span className="small muted">
        {preview?.isOverLimit
          ? 'Another team member must approve it before we refund the customer.'
          : 'We refund the original payment method and email the customer. You can’t undo a refund.'}{' '}
        The approval threshold per order is {limit}.
      </span>
    </p>
  )
}

function UnitFields({ units, reply }: { units: OrderPageView['units']; reply: FormReply }) {
  return (
    <fieldset className="office-units">
      <legend>Quantity of each item</legend>
      {units.map(({ lineNo, name, quantity, left }) =>
        left === 0 ? (
          <p key={lineNo} className="muted small">
            {name}: all refunded
          </p>
        ) : (
          <SelectField key={lineNo} name={`units-${lineNo}`} label={name} reply={reply}>
            <option value="">None</option>
            {Array.from({ length: left }, (_, index) => (
              <option key={index} value={index + 1}>
                {index + 1} of {quantity}
              </option>
            ))}
          </SelectField>
        ),
      )}
    </fieldset>
  )
}

function MoneyFields({ feeCents, reply }: { feeCents: number; reply: FormReply }) {
  return (
    <div className="office-pair">
      <div className="office-stack">
        <Field
          name="amount"
          label="Amount"
          reply={reply}
          required={false}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          hint="Leave blank to refund the selected lines with tax and fees. Without lines, enter a custom amount."
        />
        <SelectField
          name="lowerReason"
          label="Reason for the lower amount"
          reply={reply}
          hint="Only if the amount is below the selected lines."
        >
          <Options words={lowerReasons} none="Not lower" />
        </SelectField>
        <label className="check">
          <input type="checkbox" name="fee" value="1" defaultChecked={reply.values['fee'] === '1'} />
          <span>Keep the handling fee of {formatCents(feeCents)} a tire</span>
        </label>
      </div>
      <div className="office-stack">
        <SelectField name="reason" label="Reason" reply={reply}>
          <Options words={refundReasons} none="Choose" />
        </SelectField>
        <SelectField
          name="bearer"
          label="Cost charged to"
          reply={reply}
          hint="Choose the manufacturer only for a documented defect."
        >
          <Options words={refundBearers} none="Choose" />
        </SelectField>
        <TextAreaField name="note" label="Internal note" reply={reply} rows={2} maxLength={500} isRequired={false} />
      </div>
    </div>
  )
}

function Options({ words, none }: { words: Readonly<Record<string, string>>; none: string }) {
  return (
    <>
      <option value="">{none}</option>
      {Object.entries(words).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </>
  )
}

function Preview({
  preview,
  view: { may, isFresh, order },
  reply,
}: {
  preview: NonNullable<OrderReply['preview']>
  view: OrderPageView
  reply: FormReply
}) {
  const { amount, amountCents, lines, others, ways, ledger, ledgerSum, isOverLimit } = preview
  return (
    <>
      <input type="hidden" name="agreed" value={amountCents} />
      <h3>This refund</h3>
      <DataTable
        caption="Preview of the refund"
        columns={[
          { key: 'name', label: 'What', isRowHeader: true },
          { key: 'net', label: 'Net', isAmount: true },
          { key: 'tax', label: 'Tax', isAmount: true },
          { key: 'fee', label: 'Fees', isAmount: true },
          { key: 'total', label: 'Refund', isAmount: true },
        ]}
        rows={[
          ...lines.map(({ lineNo, ...cells }) => ({ id: String(lineNo), cells })),
          ...others.map(({ label, amount: total }) => ({ id: label, cells: { name: label, total } })),
        ]}
        footer={[{ name: `Refund to: ${ways}`, total: amount }]}
      />
      <h3>Ledger entry</h3>
      <LedgerTable caption="Preview of the ledger entry" transfers={[{ transfer: '', rows: ledger }]} sum={ledgerSum} />
      {isOverLimit ? (
        <Notice tone="signal" title="Above the approval threshold">
          {may.approve && isFresh ? <p>Another team member with permission must approve it.</p> : null}
          {may.approve && !isFresh ? (
            <p>
              <a href={officePaths.officeSignIn({ back: backTo(order.id, reply), again: 'yes' })}>Sign in again</a> to
              request it. Your entries are saved.
            </p>
          ) : null}
          {may.approve ? null : <p>Ask finance or a manager to make this refund.</p>}
        </Notice>
      ) : null}
    </>
  )
}

/** Returns the page's URL with the form's values. Leaves out a note that is too long. */
function backTo(orderId: number, { values }: FormReply): string {
  const typed = Object.entries(values).filter(
    ([name, value]) => value !== '' && value.length <= 300 && !/^(?:key|intent|agreed)$/.test(name),
  )
  return officePaths.officeOrder(orderId, { act: 'refund', typed: new URLSearchParams(typed).toString() })
}

/** The refunds that were made, with those that wait for a second person or were refused by the provider. */
export function RefundsPanel({ view: { order, may, isFresh } }: { view: OrderPageView }) {
  return (
    <Panel id="refunds" title="Refunds">
      {order.refunds.map((refund) => (
        <PanelBody key={refund.id}>
          <h3 className="office-line">
            {refund.amount} <Tag tone={refund.state.tone}>{refund.state.label}</Tag>
          </h3>
          <p className="small">{refund.text}</p>
          {refund.note ? <blockquote>{refund.note}</blockquote> : null}
          {refund.isDraft && may.approve ? (
            <DecideForm id={refund.id} orderId={order.id} mayApprove={!refund.isMine} isFresh={isFresh} />
          ) : null}
          {refund.mayRetry && may.refund ? (
            <form method="post" action={officePaths.officeOrder(order.id)}>
              <input type="hidden" name="refund" value={refund.id} />
              <p>
                <button className="btn quiet" name="intent" value="retry">
                  Try again
                </button>
              </p>
            </form>
          ) : null}
        </PanelBody>
      ))}
    </Panel>
  )
}

function DecideForm({
  id,
  orderId,
  mayApprove,
  isFresh,
}: {
  id: string
  orderId: number
  mayApprove: boolean
  isFresh: boolean
}) {
  const back = officePaths.officeOrder(orderId)
  return (
    <form method="post" action={back}>
      <input type="hidden" name="refund" value={id} />
      <p className="office-line">
        {mayApprove && isFresh ? (
          <button className="btn primary" name="intent" value="approve">
            Approve
          </button>
        ) : null}
        <button className="btn quiet" name="intent" value="decline">
          Decline
        </button>
        {mayApprove && !isFresh ? (
          <span className="small">
            To approve it, <a href={officePaths.officeSignIn({ back, again: 'yes' })}>sign in again</a>.
          </span>
        ) : null}
        {mayApprove ? null : (
          <span className="small muted">You requested this refund, so another team member must approve it.</span>
        )}
      </p>
    </form>
  )
}

/** A note that only staff see. */
export function NotePanel({
  orderId,
  noteKey,
  reply,
}: {
  orderId: number
  noteKey: string
  reply: FormReply | undefined
}) {
  const back = officePaths.officeOrder(orderId)
  return (
    <Panel id="note" title="Add note" note="Customers never see notes" isOpen end={<a href={back}>Close</a>}>
      <PanelBody>
        <form method="post" action={`${officePaths.officeOrder(orderId, { act: 'note' })}#note`} noValidate>
          <ErrorSummary reply={reply} labels={{ body: 'Note' }} />
          <input type="hidden" name="key" value={reply?.values['key'] ?? noteKey} />
          <TextAreaField name="body" label="Note" reply={reply} rows={4} maxLength={2_000} />
          <p>
            <button className="btn primary" name="intent" value="note" aria-keyshortcuts="Control+Enter">
              Add note
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
