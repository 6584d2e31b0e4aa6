import type { FormReply } from '#app/forms/form.ts'
import { button, FormButtons, FormInputs, type FormField } from '#app/office/form.tsx'
import { ErrorSummary } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { readBusinessTerms, TermField } from '#app/views/office/terms.server.ts'

/** From when a change applies. */
export const startsAtField = {
  label: 'Starts',
  kind: 'moment',
  isOptional: true,
  hint: 'Eastern time. Leave empty to start now.',
} satisfies FormField

const starts = 'starts-shipping'

/** Shipping rates by zone. The table itself is the form. Saving it unchanged confirms the rates. */
export function ShippingRates({
  rates: { amounts, zones, oversize },
  version,
  hasHandling,
  reply: posted,
}: {
  rates: Awaited<ReturnType<typeof readBusinessTerms>>['rates']
  version: number
  hasHandling: boolean
  reply: FormReply | undefined
}) {
  const reply = posted?.values['intent'] === 'shipping' ? posted : undefined
  const all = [...zones.flatMap(({ cells }) => cells), oversize]
  const labels = Object.fromEntries(all.map(({ name, label }) => [name, label]))
  return (
    <Panel
      id="shipping"
      title="Shipping rates"
      note="What shoppers pay. Deliveries to a shop use the ZIP code of the shop"
    >
      <form method="post" noValidate autoComplete="off">
        {reply && Object.keys(reply.errors).length > 0 ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={{ ...labels, [starts]: startsAtField.label }} />
          </PanelBody>
        ) : null}
        <input type="hidden" name="seen" value={version} />
        <DataTable
          caption="Shipping rates by zone"
          columns={[{ key: 'zone', label: 'Zone', isRowHeader: true }, ...amounts]}
          rows={zones.map(({ zone, label, note, cells }) => ({
            id: zone,
            cells: {
              zone: (
                <>
                  {label}
                  <small>{note}</small>
                </>
              ),
              ...Object.fromEntries(
                cells.map((cell) => [cell.amount, <RateInput key={cell.name} field={cell} reply={reply} />]),
              ),
            },
          }))}
        />
        <PanelBody>
          <div className="stack">
            <div className="office-pair">
              <FormInputs
                reply={reply}
                fields={{
                  [oversize.name]: oversize,
                  [starts]: startsAtField,
                }}
              />
            </div>
            <p className={hasHandling ? 'field-error' : 'office-note'}>
              {hasHandling
                ? 'A handling fee on every order has to be in the advertised price (California SB 478). Product pages show it with shipping.'
                : 'Handling is $0.00 in every zone. A fee on every order has to be in the advertised price (California SB 478).'}
            </p>
            <FormButtons buttons={[button('shipping', 'Save rates', 'primary')]} />
          </div>
        </PanelBody>
      </form>
    </Panel>
  )
}

function RateInput({
  field: { name, label, value },
  reply,
}: {
  field: Pick<TermField, 'name' | 'label' | 'value'>
  reply: FormReply | undefined
}) {
  const error = reply?.errors[name]
  return (
    <>
      <span className="rate-input">
        <span aria-hidden="true">$</span>
        <input
          className="input tabular"
          id={name}
          name={name}
          inputMode="decimal"
          maxLength={10}
          autoComplete="off"
          aria-label={label}
          defaultValue={reply ? (reply.values[name] ?? value) : value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${name}-error` : undefined}
        />
      </span>
      {error ? (
        <span className="field-error" id={`${name}-error`}>
          {error}
        </span>
      ) : null}
    </>
  )
}
