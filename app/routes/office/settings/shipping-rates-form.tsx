import type { FormReply } from '#app/forms/form.ts'
import { useFormInput, useLivePreview } from '#app/office/form-input.ts'
import { CellInput } from '#app/office/form-fields.tsx'
import { button, FormButtons, FormInputs } from '#app/office/form.tsx'
import { SaveBar, useUnsavedChanges } from '#app/office/save-bar.tsx'
import { ErrorSummary } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Columns, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { readShippingRules } from '#app/views/office/shipping-plan.server.ts'
import type { readShippingRates, TermField } from '#app/views/office/terms.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { gridHandlers } from './rates-grid.ts'
import { previewLabels, ShippingPreview, type FirstPreview } from './shipping-preview.tsx'
import { AddLink, ExceptionsPanel, ownZoneRow } from './shipping-rules.tsx'
import { startsAtField } from './term-panels.tsx'

type Rates = Awaited<ReturnType<typeof readShippingRates>> &
  Awaited<ReturnType<typeof readShippingRules>> & { first: FirstPreview }

const formId = 'rates'
const starts = 'starts-shipping'

/** Shipping rates by zone, and what they charge. The table itself is the form. */
export function ShippingRatesForm({
  rates,
  reply: posted,
  restored,
}: {
  rates: Rates
  reply: FormReply | undefined
  /** Earlier rates to fill in; null for the current ones. */
  restored: Record<string, string> | null
}) {
  const answered = posted && /^(?:shipping|preview)$/.test(posted.values['intent'] ?? '') ? posted : undefined
  const reply = answered ?? (restored ? { values: restored, errors: {} } : undefined)
  const live = useLivePreview<FormReply>(officePaths.officeShippingRates())
  useFormInput(formId, live.read)
  const unsaved = useUnsavedChanges(formId, reply !== undefined)
  return (
    <>
      <Columns
        body={
          <>
            <RatesPanel rates={rates} reply={reply} isSaved={!unsaved.isUnsaved} />
            <ExceptionsPanel exceptions={rates.exceptions} mayManage />
          </>
        }
        last={<ShippingPreview formId={formId} first={rates.first} reply={answered} live={live.reply} />}
      />
      <SaveBar
        formId={formId}
        intent="shipping"
        label="Save rates"
        note="New carts use the rates at once. Carts in checkout confirm the new price."
        unsaved={unsaved}
      />
    </>
  )
}

/** Saving the rates unchanged confirms them. */
function RatesPanel({
  rates: { amounts, zones, ownZones, oversize, version, hasHandling: hasRegionHandling },
  reply,
  isSaved,
}: {
  rates: Rates
  reply: FormReply | undefined
  isSaved: boolean
}) {
  const hasHandling = hasRegionHandling || ownZones.some((zone) => zone.hasHandling)
  const all = [...zones.flatMap(({ cells }) => cells), oversize]
  const labels = Object.fromEntries(all.map(({ name, label }) => [name, label]))
  return (
    <Panel id="shipping" title="Rates by zone" end={<AddLink kind="zones">Add zone</AddLink>}>
      <form id={formId} method="post" noValidate autoComplete="off">
        {reply && Object.keys(reply.errors).length > 0 ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={{ ...labels, ...previewLabels, [starts]: startsAtField.label }} />
          </PanelBody>
        ) : null}
        <input type="hidden" name="seen" value={version} />
        <input type="hidden" name="plan" value={reply?.values['plan'] ?? ''} />
        <div role="presentation" {...gridHandlers}>
          <DataTable
            caption="Shipping rates by zone"
            columns={[
              { key: 'zone', label: 'Zone', isRowHeader: true },
              ...amounts.map((amount) => ({ ...amount, isAmount: true })),
            ]}
            rows={[
              ...zones.map(({ zone, label, note, cells }) => ({
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
              })),
              ...ownZones.map(ownZoneRow),
            ]}
          />
        </div>
        <PanelBody>
          <div className="stack">
            <div className="office-pair">
              <FormInputs reply={reply} fields={{ [oversize.name]: oversize, [starts]: startsAtField }} />
            </div>
            <p className="office-note">
              Free from counts the tires in the order at retail, before discounts. Leave it empty for never.
            </p>
            <p className="office-note">Not shipped to APO, FPO, and DPO addresses and P.O. boxes.</p>
            <Notice
              tone={hasHandling ? 'stop' : 'signal'}
              title={hasHandling ? 'Product pages show handling with shipping' : 'Handling is $0.00 in every zone'}
            >
              <p>A fee on every order has to be in the advertised price (California SB 478).</p>
            </Notice>
            {isSaved ? <FormButtons buttons={[button('shipping', 'Save rates', 'primary')]} /> : null}
          </div>
        </PanelBody>
      </form>
    </Panel>
  )
}

function RateInput({
  field: { name, label, value, zeroText },
  reply,
}: {
  field: Pick<TermField, 'name' | 'label' | 'value'> & { zeroText?: string | undefined }
  reply: FormReply | undefined
}) {
  return (
    <CellInput
      name={name}
      field={{ label, value, kind: 'money', max: 10, ...(zeroText && { placeholder: zeroText }) }}
      prefix="$"
      reply={reply}
    />
  )
}
