import { warehouseActions, warehouseId } from '#app/office/actions/warehouses.server.ts'
import { decideActions, doneNews, found, showing } from '#app/office/decision.server.ts'
import type { FormReply } from '#app/forms/form.ts'
import { EffectPanel } from '#app/office/effect-panel.tsx'
import { useFormInput, useLivePreview } from '#app/office/form-input.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { button, FormInputs, FormPanel, type FormFields } from '#app/office/form.tsx'
import { SaveBar, useUnsavedChanges } from '#app/office/save-bar.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Tag } from '#app/ui/office/office-parts.tsx'
import { WeekHours } from '#app/ui/office/week-hours.tsx'
import { previewPromise, promisePreviewForm } from '#app/views/office/promise-preview.server.ts'
import { warehouseState } from '#app/views/warehouse-state.ts'
import { officePaths } from '#content/office-paths.ts'
import { findWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import {
  carrierField,
  carrierNames,
  dayCutoffFields,
  shipDayFields,
  standardShipDays,
  standardTransit,
  transitMiles,
  type labelWays,
  type pickupChoices,
  type supplierPools,
  type TransitDays,
} from '#domain/supply/delivery/delivery.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { listSuppliers } from '#domain/supply/stock/stock.server.ts'
import { countOf } from '#platform/count-text.ts'
import { hoursFields, weekValues } from '#platform/week-hours.ts'
import type { ComponentProps } from 'react'
import type { Route } from './+types/warehouse.ts'

const formId = 'warehouse-form'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.warehouse?.name ?? 'New warehouse', officePaths.officeWarehouses())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const permission = id === 'new' ? 'warehouses.manage' : 'warehouses.read'
  const { app, session } = await requireStaff(context, permission, officePaths.officeWarehouse(id))
  const mayEdit = staffCan(session.roles, 'warehouses.manage')
  const warehouse = id === 'new' ? null : found(await findWarehouse(app, warehouseId(id)))
  const suppliers = await listSuppliers(app)
  return {
    warehouse,
    mayEdit,
    supplier: (mayEdit && suppliers.find(({ id: each }) => each === warehouse?.supplierId)?.name) || null,
    suppliers: warehouse
      ? []
      : suppliers.flatMap(({ id: each, name, retiredAt }) => (retiredAt ? [] : [{ id: each, name }])),
    tag: warehouse && warehouseState(warehouse),
    closing: mayEdit && warehouse && !warehouse.isSupplierRetired ? officePaths.officeWarehouseClosing(id) : null,
    news: doneNews(url, { saved: 'Saved. New orders use the change immediately.' }),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeWarehouse(id, done),
      done: { add: officePaths.officeWarehouses('added'), change: 'saved' },
      more: {
        steps: ({ app }) => ({
          preview: showing(
            promisePreviewForm,
            (input) => previewPromise(app, id === 'new' ? null : warehouseId(id), input),
            (effect) => ({ effect }),
          ),
        }),
        refusals: {
          'zip-unknown': warehouseActions.refusals['zip-unknown'],
          'destination-unknown': { field: 'shopperZip', text: 'We don’t know where this ZIP code is.' },
          'not-shipped': { field: 'shopperZip', text: 'The store doesn’t ship to APO, FPO, and DPO addresses.' },
        },
      },
    },
    warehouseActions,
  )
}

export default function WarehousePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { warehouse, tag, closing, news } = loaderData
  return (
    <OfficePage
      title={warehouse?.name ?? 'New warehouse'}
      crumbs={[{ label: 'Warehouses', path: officePaths.officeWarehouses() }]}
      tags={tag ? <Tag tone={tag.tone}>{tag.label}</Tag> : undefined}
      end={
        closing ? <a href={closing}>{tag?.label === 'Open' ? 'Close this warehouse' : 'See its closing'}</a> : undefined
      }
      news={news}
      reply={reply}
    >
      {loaderData.mayEdit ? (
        <WarehouseForm loaded={loaderData} reply={reply} />
      ) : (
        <fieldset disabled>
          <WarehousePanel loaded={loaderData} reply={undefined} buttons={[]} />
        </fieldset>
      )}
    </OfficePage>
  )
}

/** The form with the preview of its delivery dates. */
function WarehouseForm({ loaded, reply }: Pick<PanelProps, 'loaded' | 'reply'>) {
  const { warehouse } = loaded
  const live = useLivePreview<FormReply>(officePaths.officeWarehouse(warehouse ? String(warehouse.id) : 'new'))
  useFormInput(formId, live.read)
  const unsaved = useUnsavedChanges(formId, reply !== undefined)
  const [intent, label] = warehouse ? ['change', 'Save'] : ['add', 'Add the warehouse']
  return (
    <>
      <Columns
        body={
          <WarehousePanel
            loaded={loaded}
            reply={reply}
            buttons={[button(intent, label, 'primary')]}
            hidesButtons={unsaved.isUnsaved}
          />
        }
        last={
          <EffectPanel
            title="What a shopper is promised"
            formId={formId}
            fields={{ shopperZip: { label: 'Shopper’s ZIP', value: '60614', max: 5 } }}
            empty="Shows when an order placed now arrives."
            reply={reply}
            live={live.reply}
          />
        }
      />
      <SaveBar
        formId={formId}
        intent={intent}
        label={label}
        note="For new orders. Orders already placed don’t change."
        unsaved={unsaved}
      />
    </>
  )
}

type PanelProps = {
  loaded: Route.ComponentProps['loaderData']
  reply: FormReply | undefined
  buttons: ComponentProps<typeof FormPanel>['buttons']
  hidesButtons?: boolean
}

function WarehousePanel({ loaded: { warehouse, supplier, suppliers }, reply, ...buttons }: PanelProps) {
  return (
    <FormPanel
      id="warehouse"
      title="Warehouse"
      isPair
      formId={formId}
      reply={reply}
      past={['preview']}
      hidden={warehouse ? { version: warehouse.version, code: warehouse.code } : { version: 0 }}
      fields={warehouse ? changedFields(warehouse, reply) : newFields(suppliers, reply)}
      {...buttons}
      note={
        warehouse && warehouse.supplierId !== null
          ? `${supplier ?? 'A supplier'} holds these tires and ships them.`
          : 'Without pickup hours on a day, customers can’t pick up tires on it. Suppliers’ warehouses have no pickup.'
      }
    />
  )
}

const poolOptions: Readonly<Record<(typeof supplierPools)[number], string>> = {
  local: 'Its region',
  nationwide: 'Everywhere',
}

type Suppliers = readonly { id: number; name: string }[]

type Warehouse = NonNullable<Route.ComponentProps['loaderData']['warehouse']>

function newFields(suppliers: Suppliers, reply: FormReply | undefined): FormFields {
  const hint = 'As your stock files name it, such as JOL. It can’t be changed later.'
  return {
    code: { label: 'Code', max: 10, hint },
    ...addressFields(undefined),
    ...holderFields(suppliers),
    cutoff: cutoffField(undefined),
    dayCutoffs: dayCutoffInputs([], reply),
    handlingDays: handlingDaysField(0),
    labels: labelsField(null),
    ...carrierInputs([], reply),
    ...shipDayInputs(standardShipDays, reply),
    closedDays: closedDaysField([]),
    ...transitFields(standardTransit),
    ...pickupFields(null, reply),
  }
}

function changedFields(warehouse: Warehouse, reply: FormReply | undefined): FormFields {
  const isOwn = warehouse.supplierId === null
  return {
    ...addressFields(warehouse),
    cutoff: cutoffField(warehouse.cutoff),
    dayCutoffs: dayCutoffInputs(warehouse.dayCutoffs, reply),
    handlingDays: handlingDaysField(warehouse.handlingDays),
    ...(isOwn ? { labels: labelsField(warehouse) } : supplierFields(warehouse)),
    ...(isOwn && carrierInputs(warehouse.carriers, reply)),
    ...shipDayInputs(warehouse.shipDays, reply),
    closedDays: closedDaysField(warehouse.closedDays),
    ...transitFields(warehouse.transit),
    ...(isOwn && pickupFields(warehouse, reply)),
  }
}

function carrierInputs(carriers: readonly string[], reply: FormReply | undefined): FormFields {
  const ticks = carrierNames.map((name): [string, FormField] => [
    carrierField(name),
    { label: name, kind: 'tick', isTicked: carriers.includes(name) },
  ])
  const hint = 'Labels and tracking numbers can only be from these carriers. Leave all unchecked for any carrier.'
  return { carriers: ticksInput({ legend: 'Carriers', hint, fields: Object.fromEntries(ticks) }, reply) }
}

function shipDayInputs(shipDays: readonly number[], reply: FormReply | undefined): FormFields {
  const ticks = hoursFields.map(({ weekday, day }): [string, FormField] => [
    shipDayFields.get(weekday) ?? '',
    { label: day, kind: 'tick', isTicked: shipDays.includes(weekday) },
  ])
  const hint = 'Leave all unchecked for Monday to Friday. Federal holidays are never ship days.'
  return { shipDays: ticksInput({ legend: 'Ship days', hint, fields: Object.fromEntries(ticks) }, reply) }
}

function ticksInput(
  { legend, hint, fields }: { legend: string; hint: string; fields: FormFields },
  reply: FormReply | undefined,
) {
  return (
    <div className="field-wide">
      <fieldset className="office-ticks">
        <legend>{legend}</legend>
        <FormInputs reply={reply} fields={fields} />
      </fieldset>
      <p className="field-hint">{hint}</p>
    </div>
  )
}

function closedDaysField(days: readonly string[]): FormField {
  const hint = 'One per line, such as 2026-12-24. The warehouse doesn’t ship and has no pickup on these days.'
  return { label: 'Closed days', kind: 'area', value: days.join('\n'), max: 1_000, isOptional: true, hint }
}

function pickupFields(warehouse: Warehouse | null, reply: FormReply | undefined): FormFields {
  return {
    pickupHeading: <h3>Pickup</h3>,
    pickup: pickupField(warehouse),
    week: <WeekHours values={weekValues(warehouse?.hours ?? [])} reply={reply} />,
  }
}

function addressFields(warehouse: Warehouse | undefined): Record<string, FormField> {
  return {
    name: { label: 'Name', value: warehouse?.name, max: 60 },
    street: { label: 'Street', value: warehouse?.street, max: 100 },
    zip: { label: 'ZIP code', value: warehouse?.zip, max: 5, hint: 'City, state and time zone follow from it.' },
  }
}

/** Returns the fields for a new warehouse's owner and for the area a supplier ships to. */
function holderFields(suppliers: Suppliers): Record<string, FormField> {
  if (suppliers.length === 0) return {}
  const options: FieldOptions = [
    ['', 'The store'],
    ...suppliers.map(({ id, name }): [string, string] => [String(id), name]),
  ]
  return {
    supplier: { label: 'Held by', kind: 'choice', options, hint: 'It can’t be changed later.' },
    ...supplierFields(undefined),
  }
}

function supplierFields(warehouse: Warehouse | undefined): Record<string, FormField> {
  return {
    pool: {
      label: 'A supplier ships to',
      kind: 'choice',
      options: Object.entries(poolOptions),
      value: warehouse?.pool,
    },
    branch: {
      label: 'ID at the supplier',
      value: warehouse?.branch,
      max: 40,
      isOptional: true,
      hint: 'As the supplier’s availability service names this warehouse.',
    },
  }
}

const labelOptions: Readonly<Record<(typeof labelWays)[number], string>> = {
  carrier: 'Bought from the carrier',
  'by-hand': 'By hand',
}

function labelsField(warehouse: { shipsByHand: boolean } | null): FormField {
  const value = warehouse?.shipsByHand ? 'by-hand' : 'carrier'
  const hint = 'By hand: staff enter the carrier and tracking number of each parcel.'
  return { label: 'Shipping labels', kind: 'choice', options: Object.entries(labelOptions), value, hint }
}

const pickupOptions: Readonly<Record<(typeof pickupChoices)[number], string>> = { on: 'Offered', off: 'Not offered' }

function pickupField(warehouse: { offersPickup: boolean } | null): FormField {
  const value = warehouse?.offersPickup ? 'on' : 'off'
  const hint = 'If you turn it off, customers can still collect the orders that they placed.'
  return { label: 'Customer pickup', kind: 'choice', options: Object.entries(pickupOptions), value, hint }
}

function cutoffField(value: string | undefined): FormField {
  const hint = 'In the time zone of the warehouse. Handling of later orders starts the next ship day.'
  return { label: 'Cutoff', kind: 'time', value, hint }
}

function dayCutoffInputs(cutoffs: readonly (string | null)[], reply: FormReply | undefined) {
  const fields = hoursFields.map(({ weekday, day }): [string, FormField] => [
    dayCutoffFields.get(weekday) ?? '',
    { label: day, kind: 'time', value: cutoffs[weekday - 1], isOptional: 'in-legend' },
  ])
  return (
    <fieldset className="office-cutoffs field-wide">
      <legend>Another cutoff on (optional)</legend>
      <FormInputs reply={reply} fields={Object.fromEntries(fields)} />
      <p className="field-hint">Days without a time have the cutoff above. Orders already placed stay as promised.</p>
    </fieldset>
  )
}

function handlingDaysField(days: number): FormField {
  const hint = 'Ship days until an order ships, from 0 to 10. With 0, it ships the same day.'
  return { label: 'Handling days', kind: 'number', value: String(days), max: 2, hint }
}

/** Returns the business days in transit, by distance and region. */
function transitFields(transit: TransitDays): FormFields {
  const field = (where: string, days: number): FormField => ({
    label: `Transit days ${where}`,
    kind: 'number',
    value: String(days),
    max: 2,
  })
  const [near, mid] = [transitMiles.near, transitMiles.mid].map((miles) => countOf(miles, 'mile'))
  return {
    transitHeading: <h3>Transit</h3>,
    transitNear: field(`within ${near}`, transit.near),
    transitMid: field(`within ${mid}`, transit.mid),
    transitFar: field(`beyond ${mid}`, transit.far),
    transitAlaska: field('to Alaska', transit.AK),
    transitHawaii: field('to Hawaii', transit.HI),
    transitTerritories: field('to the territories', transit.TERRITORY),
  }
}
