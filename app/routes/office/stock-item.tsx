import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { adjustStock, findTireStock, type AdjustmentRefusal } from '#domain/stock/stock.server.ts'
import { adjustmentForm, adjustmentReasonNames, adjustmentReasons, stockPoolNames } from '#domain/stock/stock.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { newId } from '#platform/ids.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/stock-item.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? loaderData.title : 'Stock', officePaths.officeStock())

const notFound = () => new Response(null, { status: 404 })

function idOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw notFound()
  return Number(text)
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const itemId = idOf(params.itemId)
  const { shop, session } = await requireStaff(context, 'stock.read', officePaths.officeStockItem(itemId))
  const found = await findTireStock(shop, itemId)
  if (!found) throw notFound()
  const { tire, places, adjustments } = found
  return {
    formKey: newId(),
    title: `${tire.brand} ${tire.line} ${tire.size}`,
    sku: tire.sku,
    isAdjusted: url.searchParams.get('done') === 'adjusted',
    mayAdjust: staffCan(session.roles, 'stock.adjust'),
    places,
    adjustments: adjustments.map(({ recordedAt, ...made }) => ({ ...made, at: timeText(recordedAt, storeZone) })),
  }
}

/** Adjusts the stock of one warehouse: see `adjustStock`. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const itemId = idOf(params.itemId)
  const { shop, actor } = await requireStaff(context, 'stock.adjust', officePaths.officeStockItem(itemId))
  const fields = await readForm(request)
  const checked = checkForm(adjustmentForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { warehouse, ...asked } = checked.value
  const adjusted = await adjustStock(shop, { ...asked, itemId, warehouseId: warehouse, by: actor })
  return adjusted.ok ? seeOther(officePaths.officeStockItem(itemId, 'adjusted')) : refusal(fields, adjusted)
}

function refusal(fields: URLSearchParams, refused: AdjustmentRefusal) {
  switch (refused.reason) {
    case 'not-allowed':
      return refuseForm(formRefusal(fields, 'Your role does not allow that. Nothing was changed.'), 403)
    case 'key-used':
      return refuseForm(formRefusal(fields, 'This form was already used. Load the page again.'), 409)
    case 'not-stocked':
      return fieldRefusal(fields, { warehouse: 'This warehouse does not stock this tire.' })
    case 'held-by-supplier':
      return fieldRefusal(fields, { warehouse: 'A supplier holds this stock. Its feed says how much there is.' })
    case 'none':
      return fieldRefusal(fields, { units: 'Enter at least 1 unit.' })
    case 'below-allocated': {
      const { free, allocated } = refused.detail
      const words = `Only ${free} are free; ${allocated} more are allocated to orders. Cancel or move an order first.`
      return fieldRefusal(fields, { units: words })
    }
  }
}

function fieldRefusal(fields: URLSearchParams, errors: Record<string, string>) {
  return refuseForm(formRefusal(fields, 'Fix 1 field:', errors))
}

type Loaded = Route.ComponentProps['loaderData']

export default function StockItemPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, sku, isAdjusted, mayAdjust, adjustments } = loaderData
  return (
    <OfficePage title={title} crumbs={[{ label: 'Stock', path: officePaths.officeStock() }]}>
      {isAdjusted && !reply ? <Notice tone="go" title="Stock adjusted" isNews /> : null}
      <Columns
        body={
          <>
            <PlacesPanel places={loaderData.places} sku={sku} />
            <Panel id="adjustments" title="Adjustments" note="newest first, Eastern Time">
              {adjustments.length === 0 ? (
                <PanelBody>
                  <p>Never adjusted.</p>
                </PanelBody>
              ) : (
                <AdjustmentTable adjustments={adjustments} />
              )}
            </Panel>
          </>
        }
        last={
          mayAdjust ? <AdjustForm places={loaderData.places} formKey={loaderData.formKey} reply={reply} /> : undefined
        }
      />
    </OfficePage>
  )
}

function PlacesPanel({ places, sku }: Pick<Loaded, 'places' | 'sku'>) {
  return (
    <Panel id="warehouses" title="By warehouse" note={sku}>
      {places.length === 0 ? (
        <PanelBody>
          <p>No warehouse stocks this tire.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="By warehouse"
          columns={[
            { key: 'warehouse', label: 'Warehouse', isRowHeader: true },
            { key: 'pool', label: 'Pool' },
            { key: 'free', label: 'Free', isAmount: true },
            { key: 'allocated', label: 'Allocated', isAmount: true },
            { key: 'total', label: 'On the shelf', isAmount: true },
          ]}
          rows={places.map(({ warehouseId, code, name, state, pool, supplier, free, allocated }) => ({
            id: String(warehouseId),
            cells: {
              warehouse: `${code} ${name}, ${state}`,
              pool: supplier ? `${stockPoolNames[pool]}, ${supplier}` : stockPoolNames[pool],
              free,
              allocated,
              total: free + allocated,
            },
          }))}
        />
      )}
    </Panel>
  )
}

function AdjustmentTable({ adjustments }: Pick<Loaded, 'adjustments'>) {
  return (
    <DataTable
      caption="Adjustments"
      columns={[
        { key: 'at', label: 'When', isRowHeader: true },
        { key: 'warehouse', label: 'Warehouse' },
        { key: 'reason', label: 'Reason' },
        { key: 'change', label: 'Change', isAmount: true },
        { key: 'free', label: 'Free', isAmount: true },
        { key: 'by', label: 'By' },
      ]}
      rows={adjustments.map(
        ({ id, at, warehouse, reason, note, changeUnits, beforeUnits, afterUnits, recordedBy }) => ({
          id: String(id),
          cells: {
            at,
            warehouse,
            reason: (
              <>
                {adjustmentReasonNames[reason]}
                {note ? <small>{note}</small> : null}
              </>
            ),
            change: changeUnits > 0 ? `+${changeUnits}` : String(changeUnits).replace('-', '−'),
            free: `${beforeUnits} to ${afterUnits}`,
            by: recordedBy,
          },
        }),
      )}
    />
  )
}

function AdjustForm({ places, formKey, reply }: Pick<Loaded, 'places' | 'formKey'> & { reply: FormReply | undefined }) {
  const ours = places.filter(({ supplier }) => supplier === null)
  return (
    <Panel id="adjust" title="Adjust" isOpen>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary
            reply={reply}
            labels={{ warehouse: 'Warehouse', reason: 'Reason', units: 'Units', note: 'Note' }}
          />
          <input type="hidden" name="key" value={reply?.values['key'] ?? formKey} />
          <SelectField name="warehouse" label="Warehouse" reply={reply}>
            <option value="">Choose</option>
            {ours.map(({ warehouseId, code, name }) => (
              <option key={warehouseId} value={warehouseId}>
                {code} {name}
              </option>
            ))}
          </SelectField>
          <SelectField name="reason" label="Reason" reply={reply}>
            <option value="">Choose</option>
            {adjustmentReasons.map((reason) => (
              <option key={reason} value={reason}>
                {adjustmentReasonNames[reason]}
              </option>
            ))}
          </SelectField>
          <Field
            name="units"
            label="Units"
            reply={reply}
            inputMode="numeric"
            maxLength={6}
            autoComplete="off"
            hint="For a count, everything on the shelf, with the units of orders. Otherwise, how many."
            required
          />
          <TextAreaField name="note" label="Note" reply={reply} rows={2} maxLength={400} isRequired={false} />
          <p>
            <button className="btn primary">Adjust stock</button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
