import type { FieldOptions } from '#app/ui/select-options.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { stockActions } from '#app/office/actions/stock.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { findTireStock, listReorderPoints, listSuppliers } from '#domain/supply/stock/stock.server.ts'
import { adjustmentReasonNames, ageOf, stockChangeReasonNames, stockPoolNames } from '#domain/supply/stock/stock.ts'
import { countOf } from '#platform/count-text.ts'
import { dotWeekText } from '#platform/dot-week.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/stock-item.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? loaderData.title : 'Stock', officePaths.officeStock())

function idOf(text: string): number {
  return Number(found(/^\d{1,9}$/.exec(text)?.[0]))
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const itemId = idOf(params.itemId)
  const { app, session } = await requireStaff(context, 'stock.read', officePaths.officeStockItem(itemId))
  const { tire, places, inventory, adjustments, transfers, warehouses, lots } = found(await findTireStock(app, itemId))
  const [points, suppliers] = await Promise.all([listReorderPoints(app, itemId), listSuppliers(app)])
  const today = storeDay(app.clock.now())
  return {
    formKey: newId(),
    title: `${tire.brand} ${tire.line} ${tire.size}`,
    sku: tire.sku,
    news: doneNews(url, {
      adjusted: 'Stock adjusted',
      bin: 'Bin saved. Pick lists show it now.',
      transfer: 'Stock transferred',
      reorder: 'Reorder point saved',
    }),
    mayAdjust: staffCan(session.roles, 'stock.adjust'),
    mayOrder: staffCan(session.roles, 'stock.order'),
    suppliers: suppliers.flatMap(({ id, name, retiredAt }) => (retiredAt ? [] : [{ id, name }])),
    points: points.map(({ id, warehouse, supplier, reorderAt, orderUpTo, incoming }) => ({
      id: String(id),
      cells: { warehouse, supplier, reorderAt, orderUpTo, incoming },
    })),
    places,
    value: valueText(inventory),
    warehouses,
    lots: lots.flatMap(({ warehouse, lots: here }) =>
      here.map(({ week, units }) => ({
        id: `${warehouse} ${week ?? ''}`,
        cells: { warehouse, week: week ? dotWeekText(week) : 'Not recorded', age: week && ageText(week, today), units },
      })),
    ),
    transfers: transfers.map(({ recordedAt, ...moved }) => ({ ...moved, at: timeText(recordedAt, storeZone) })),
    adjustments: adjustments.map(({ recordedAt, ...made }) => ({ ...made, at: timeText(recordedAt, storeZone) })),
  }
}

/** What a tire's units in our warehouses cost, such as "24 in our warehouses cost $1,920.00, $80.00 each on average". */
function valueText({ units, valueCents }: { units: number; valueCents: number }): string | null {
  if (units === 0) return null
  if (valueCents === 0) return `${units} in our warehouses, cost unknown`
  return `${units} in our warehouses cost ${formatCents(valueCents)}, ${formatCents(Math.round(valueCents / units))} each on average`
}

/** "8 months" or "2 years, 3 months" */
function ageText(week: string, today: Temporal.PlainDate): string {
  const { years, months } = ageOf(week, today)
  return [years > 0 ? countOf(years, 'year') : '', months > 0 || years === 0 ? countOf(months, 'month') : '']
    .filter(Boolean)
    .join(', ')
}

/** Adjusts the stock of one warehouse, moves units to another, or records its bin there. */
export const action = (args: Route.ActionArgs) => {
  const itemId = idOf(args.params.itemId)
  return decideActions(
    args,
    {
      id: String(itemId),
      path: (done) => officePaths.officeStockItem(itemId, done),
      done: { adjust: 'adjusted', transfer: 'transfer', reorder: 'reorder', bin: 'bin' },
    },
    stockActions,
  )
}

export default function StockItemPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, sku, mayAdjust, places, warehouses, adjustments, formKey } = loaderData
  return (
    <DetailPage
      title={title}
      crumbs={[{ label: 'Stock', path: officePaths.officeStock() }]}
      news={loaderData.news}
      reply={reply}
      body={
        <>
          <TablePanel
            id="warehouses"
            title="By warehouse"
            note={loaderData.value ? `${sku}. ${loaderData.value}` : sku}
            empty="No warehouse stocks this tire."
            columns={{
              warehouse: 'Warehouse',
              pool: 'Pool',
              bin: 'Bin',
              free: 'Available',
              allocated: 'Allocated',
              total: 'On hand',
            }}
            amounts={['free', 'allocated', 'total']}
            rows={places.map(({ warehouseId, code, name, state, pool, supplier, bin, free, allocated }) => ({
              id: String(warehouseId),
              cells: {
                warehouse: `${code} ${name}, ${state}`,
                pool: supplier ? `${stockPoolNames[pool]}, ${supplier}` : stockPoolNames[pool],
                bin,
                free,
                allocated,
                total: free + allocated,
              },
            }))}
          />
          <WeekTable lots={loaderData.lots} />
          <TablePanel
            id="reorder-points"
            title="Reorder points"
            empty="No reorder points yet."
            columns={{
              warehouse: 'Warehouse',
              supplier: 'Supplier',
              reorderAt: 'Reorder point',
              orderUpTo: 'Order up to',
              incoming: 'Incoming',
            }}
            amounts={['reorderAt', 'orderUpTo', 'incoming']}
            rows={loaderData.points}
          />
          <AdjustmentTable adjustments={adjustments} />
          <TransferTable transfers={loaderData.transfers} />
        </>
      }
      side={
        mayAdjust ? (
          <>
            <StockForms places={places} warehouses={warehouses} formKey={formKey} reply={reply} />
            {loaderData.mayOrder ? (
              <ReorderForm warehouses={warehouses} suppliers={loaderData.suppliers} reply={reply} />
            ) : null}
          </>
        ) : undefined
      }
    />
  )
}

/** The units by DOT week. */
function WeekTable({ lots }: Pick<Route.ComponentProps['loaderData'], 'lots'>) {
  return (
    <TablePanel
      id="weeks"
      title="By DOT week"
      note="oldest first"
      lead={
        <PanelBody>
          <p className="office-note">The oldest units are assumed to ship first.</p>
        </PanelBody>
      }
      empty="This tire isn’t in any of our warehouses."
      columns={{ warehouse: 'Warehouse', week: 'DOT week', age: 'Age', units: 'On hand' }}
      amounts={['units']}
      rows={lots}
    />
  )
}

function optionsOf(warehouses: readonly { id: number; name: string }[]): FieldOptions {
  return [['', 'Choose'], ...warehouses.map(({ id, name }): [string, string] => [String(id), name])]
}

function StockForms({
  places,
  warehouses,
  formKey,
  reply,
}: Pick<Route.ComponentProps['loaderData'], 'places' | 'warehouses' | 'formKey'> & { reply: FormReply | undefined }) {
  const stocking = warehouses.filter(({ id }) => places.some(({ warehouseId }) => warehouseId === id))
  return (
    <>
      <FormPanel
        id="adjust"
        title="Adjust"
        isOpen
        reply={reply}
        hidden={{ key: formKey }}
        fields={{
          warehouse: { label: 'Warehouse', kind: 'choice', options: optionsOf(warehouses) },
          reason: {
            label: 'Reason',
            kind: 'choice',
            options: [['', 'Choose'], ...Object.entries(adjustmentReasonNames)],
          },
          units: {
            label: 'Units',
            kind: 'number',
            max: 6,
            hint: 'For a count, enter all units on hand, including allocated units. Otherwise, enter the change.',
          },
          note: { label: 'Note', kind: 'area', rows: 2, max: 400, isOptional: true },
        }}
        buttons={[button('adjust', 'Adjust stock', 'primary')]}
      />
      <FormPanel
        id="transfer"
        title="Transfer"
        reply={reply}
        hidden={{ key: formKey }}
        fields={{
          transferFrom: { label: 'From warehouse', kind: 'choice', options: optionsOf(stocking) },
          transferTo: { label: 'To warehouse', kind: 'choice', options: optionsOf(warehouses) },
          transferUnits: {
            label: 'Units to transfer',
            kind: 'number',
            max: 6,
            hint: 'Allocated units don’t move.',
          },
          transferNote: { label: 'Transfer note', kind: 'area', rows: 2, max: 400, isOptional: true },
        }}
        buttons={[button('transfer', 'Transfer stock')]}
      />
      <FormPanel
        id="bin-form"
        title="Bin"
        reply={reply}
        fields={{
          binWarehouse: { label: 'Warehouse of the bin', kind: 'choice', options: optionsOf(stocking) },
          bin: {
            label: 'Bin',
            max: 20,
            isOptional: true,
            hint: 'Bin location, such as A-04-2. Optional.',
          },
        }}
        buttons={[button('bin', 'Save bin')]}
      />
    </>
  )
}

function ReorderForm({
  warehouses,
  suppliers,
  reply,
}: Pick<Route.ComponentProps['loaderData'], 'warehouses' | 'suppliers'> & { reply: FormReply | undefined }) {
  return (
    <FormPanel
      id="reorder"
      title="Reorder point"
      reply={reply}
      fields={{
        reorderWarehouse: { label: 'Warehouse to fill', kind: 'choice', options: optionsOf(warehouses) },
        reorderSupplier: { label: 'Supplier', kind: 'choice', options: optionsOf(suppliers) },
        reorderAt: {
          label: 'Reorder point',
          kind: 'number',
          max: 5,
          isOptional: true,
          hint: 'Stock is low at or below this number of available and incoming units. Leave both fields empty to remove it.',
        },
        orderUpTo: { label: 'Order up to', kind: 'number', max: 5, isOptional: true },
      }}
      buttons={[button('reorder', 'Save reorder point')]}
    />
  )
}

function TransferTable({ transfers }: Pick<Route.ComponentProps['loaderData'], 'transfers'>) {
  return (
    <TablePanel
      id="transfers"
      title="Transfers"
      note="newest first, Eastern Time"
      empty="No transfers yet."
      columns={{ at: 'When', from: 'From', to: 'To', units: 'Units', note: 'Note', by: 'By' }}
      amounts={['units']}
      rows={transfers.map(({ id, recordedBy, ...cells }) => ({ id: String(id), cells: { ...cells, by: recordedBy } }))}
    />
  )
}

function AdjustmentTable({ adjustments }: Pick<Route.ComponentProps['loaderData'], 'adjustments'>) {
  return (
    <TablePanel
      id="adjustments"
      title="Receipts and adjustments"
      note="newest first, Eastern Time"
      empty="No adjustments yet."
      columns={{ at: 'When', warehouse: 'Warehouse', reason: 'Reason', change: 'Change', free: 'Available', by: 'By' }}
      amounts={['change', 'free']}
      rows={adjustments.map(
        ({ id, at, warehouse, reason, note, changeUnits, beforeUnits, afterUnits, recordedBy }) => ({
          id: String(id),
          cells: {
            at,
            warehouse,
            reason: (
              <>
                {stockChangeReasonNames[reason]}
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
