import type { FormReply } from '#app/forms/form.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { Field, TextAreaField } from '#app/ui/field.tsx'
import { PanelBody } from '#app/ui/office/office-parts.tsx'
import { AcceptBelow } from './accept-below.tsx'
import type { TestView } from '#app/views/office/promotion.server.ts'

type Reply = { reply: FormReply | undefined }

/** Prices a cart with and without the promotion or coupon; the cart is in the address. */
export function TestForm({ test }: { test: TestView | null }) {
  const reply = test?.reply ?? undefined
  return (
    <TablePanel
      id="test"
      title="Test against a cart"
      note="Delivered to a home."
      caption={`Cart at ${test?.at ?? ''}`}
      columns={{
        label: `At ${test?.at ?? ''}`,
        without: 'Without discount',
        with: 'With discount',
        change: 'Difference',
      }}
      amounts={['without', 'with', 'change']}
      rows={(test?.rows ?? []).map((row) => ({ id: row.label, cells: row }))}
      lead={
        <form method="get" action="#test" noValidate>
          {reply?.formError ? (
            <PanelBody>
              <p className="field-error">{reply.formError}</p>
            </PanelBody>
          ) : null}
          <PanelBody isPair>
            <TextAreaField
              name="cart"
              label="Tires"
              reply={reply}
              rows={3}
              maxLength={400}
              hint="A SKU and a quantity on each line."
            />
            <Field name="state" label="State" reply={reply} maxLength={2} required hint="Such as IL." />
          </PanelBody>
          <PanelBody>
            <button className="btn">Price this cart</button>
          </PanelBody>
        </form>
      }
    />
  )
}

const startsAt: FormField = { label: 'Starts', kind: 'moment' }
const scheduleButtons = [button('schedule', 'Schedule', 'primary'), button('discard', 'Discard draft', 'quiet')]

/** When a draft starts and ends, and the button that discards it. `text` is for one that has its days. */
export function ScheduleForm({ version, reply, text }: Reply & { version: number; text?: string | undefined }) {
  return (
    <FormPanel
      id="schedule"
      title="Schedule"
      lead="Times are Eastern."
      isPair
      reply={reply}
      hidden={{ version: String(version) }}
      fields={text === undefined ? { startsAt, endsAt: { label: 'Ends', kind: 'moment' } } : {}}
      text={text}
      buttons={scheduleButtons}
    />
  )
}

/**
 * Renders a price list version's start date and the discard button. `isBelow` adds a checkbox to accept prices below
 * the limit.
 */
export function ListScheduleForm({ reply, isBelow }: Reply & { isBelow: boolean }) {
  return (
    <FormPanel
      id="schedule"
      title="Schedule"
      lead="Times are Eastern. The previous version ends then."
      reply={reply}
      fields={{
        startsAt,
        acceptsBelow: (
          <AcceptBelow
            label="Sell below the minimum price or our cost"
            isBelow={isBelow}
            error={reply?.errors['acceptsBelow']}
            note="The version starts automatically."
          />
        ),
      }}
      buttons={scheduleButtons}
    />
  )
}

/** Ends a running promotion, coupon, rebate, or version of a price list (`what`), or withdraws a scheduled one. */
export function EndForm({
  what,
  reply,
  isRunning,
}: Reply & { what: 'promotion' | 'coupon' | 'rebate' | 'version'; isRunning: boolean }) {
  return (
    <FormPanel
      id="end"
      title={isRunning ? 'End now' : 'Withdraw'}
      reply={reply}
      fields={{ reason: { label: 'Reason', max: 200 } }}
      buttons={[button('end', `${isRunning ? 'End' : 'Withdraw'} ${what}`)]}
    />
  )
}
