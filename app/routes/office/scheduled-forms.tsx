import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { AcceptBelow } from './accept-below.tsx'
import type { TestView } from '#app/views/office-promotion.server.ts'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'

const labels = {
  cart: 'Tires',
  state: 'State',
  startsAt: 'Starts',
  endsAt: 'Ends',
  reason: 'Reason',
  acceptsBelow: 'Sell below the minimum price or our cost',
}

/** Prices a cart with and without the promotion or coupon; the cart is in the address. */
export function TestForm({ test }: { test: TestView | null }) {
  const reply = test?.reply ?? undefined
  return (
    <Panel id="test" title="Test against a cart" note="Delivered to a home.">
      <form method="get" action="#test" noValidate>
        {reply?.formError ? (
          <PanelBody>
            <p className="field-error">{reply.formError}</p>
          </PanelBody>
        ) : null}
        <PanelBody isPair>
          <TextAreaField
            name="cart"
            label={labels.cart}
            reply={reply}
            rows={3}
            maxLength={400}
            hint="A SKU and a quantity on each line."
          />
          <Field name="state" label={labels.state} reply={reply} maxLength={2} required hint="Such as IL." />
        </PanelBody>
        <PanelBody>
          <button className="btn">Price it</button>
        </PanelBody>
      </form>
      {test && test.rows.length > 0 ? (
        <DataTable
          caption={`The cart at ${test.at}`}
          columns={[
            { key: 'label', label: `At ${test.at}`, isRowHeader: true },
            { key: 'without', label: 'Without it', isAmount: true },
            { key: 'with', label: 'With it', isAmount: true },
            { key: 'change', label: 'Difference', isAmount: true },
          ]}
          rows={test.rows.map((row) => ({ id: row.label, cells: row }))}
        />
      ) : null}
    </Panel>
  )
}

/** When a draft starts and ends, and the button that discards it. */
export function ScheduleForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <Panel id="schedule" title="Schedule" note="Times are Eastern.">
      <form method="post" noValidate>
        <input type="hidden" name="intent" value="schedule" />
        {reply ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={labels} />
          </PanelBody>
        ) : null}
        <PanelBody isPair>
          <Field name="startsAt" label={labels.startsAt} reply={reply} type="datetime-local" required />
          <Field name="endsAt" label={labels.endsAt} reply={reply} type="datetime-local" required />
        </PanelBody>
        <PanelBody>
          <button className="btn primary">Schedule</button>
        </PanelBody>
      </form>
      <DiscardForm />
    </Panel>
  )
}

/** When a version of a price list starts, and the button that discards it; `isBelow` asks to accept prices too low. */
export function ListScheduleForm({ reply, isBelow }: { reply: FormReply | undefined; isBelow: boolean }) {
  return (
    <Panel id="schedule" title="Schedule" note="Times are Eastern. The version before ends then.">
      <form method="post" noValidate>
        <input type="hidden" name="intent" value="schedule" />
        <PanelBody>
          <ErrorSummary reply={reply} labels={labels} />
          <Field name="startsAt" label={labels.startsAt} reply={reply} type="datetime-local" required />
          <AcceptBelow
            label={labels.acceptsBelow}
            isBelow={isBelow}
            error={reply?.errors['acceptsBelow']}
            note="The version starts automatically."
          />
          <button className="btn primary">Schedule</button>
        </PanelBody>
      </form>
      <DiscardForm />
    </Panel>
  )
}

function DiscardForm() {
  return (
    <form method="post">
      <input type="hidden" name="intent" value="discard" />
      <PanelBody>
        <button className="btn quiet">Discard draft</button>
      </PanelBody>
    </form>
  )
}

/** Ends a running promotion, coupon or version of a price list (`what`), or withdraws a scheduled one. */
export function EndForm({
  what,
  reply,
  isRunning,
}: {
  what: 'promotion' | 'coupon' | 'version'
  reply: FormReply | undefined
  isRunning: boolean
}) {
  return (
    <Panel id="end" title={isRunning ? 'End now' : 'Withdraw'}>
      <form method="post" noValidate>
        <input type="hidden" name="intent" value="end" />
        <PanelBody>
          <ErrorSummary reply={reply} labels={labels} />
          <Field name="reason" label={labels.reason} reply={reply} maxLength={200} required />
          <button className="btn">{`${isRunning ? 'End' : 'Withdraw'} ${what}`}</button>
        </PanelBody>
      </form>
    </Panel>
  )
}
