import { warehouseActions, warehouseId } from '#app/office/actions/warehouses.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { button, FormPanel, type FormField } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { warehouseState } from '#app/views/warehouse-state.ts'
import { officePaths } from '#content/office-paths.ts'
import { findWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import {
  counterDays,
  standardTransit,
  transitMiles,
  type CounterDays,
  type labelWays,
  type pickupChoices,
  type supplierPools,
  type TransitDays,
} from '#domain/supply/delivery/delivery.ts'
import { listSuppliers } from '#domain/supply/stock/stock.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/warehouse.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.warehouse?.name ?? 'New warehouse', officePaths.officeWarehouses())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'warehouses.manage', officePaths.officeWarehouse(id))
  const warehouse = id === 'new' ? null : found(await findWarehouse(app, warehouseId(id)))
  const suppliers = await listSuppliers(app)
  return {
    warehouse,
    supplier: suppliers.find(({ id: each }) => each === warehouse?.supplierId)?.name ?? null,
    suppliers: warehouse
      ? []
      : suppliers.flatMap(({ id: each, name, retiredAt }) => (retiredAt ? [] : [{ id: each, name }])),
    tag: warehouse && warehouseState(warehouse),
    closing: warehouse?.supplierId === null ? officePaths.officeWarehouseClosing(id) : null,
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
    },
    warehouseActions,
  )
}

const dayLabels: Readonly<Record<CounterDays, string>> = {
  weekdays: 'Monday to Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
}

export default function WarehousePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { warehouse, supplier, suppliers, tag, closing, news } = loaderData
  const isOwn = warehouse === null || warehouse.supplierId === null
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
      <FormPanel
        id="warehouse"
        title="Warehouse"
        isPair
        reply={reply}
        hidden={{ version: warehouse?.version ?? 0, ...(warehouse && { code: warehouse.code }) }}
        fields={{
          ...(warehouse ? changedFields(warehouse) : { ...newFields(), ...holderFields(suppliers) }),
        }}
        buttons={[warehouse ? button('change', 'Save', 'primary') : button('add', 'Add the warehouse', 'primary')]}
        note={
          isOwn
            ? 'Leave the pickup times of a day empty if shoppers can’t pick up tires on it. Suppliers’ warehouses have no pickup.'
            : `${supplier ?? 'A supplier'} holds these tires and ships them.`
        }
      />
    </OfficePage>
  )
}

const poolOptions: Readonly<Record<(typeof supplierPools)[number], string>> = {
  local: 'Its region',
  nationwide: 'Everywhere',
}

type Warehouse = NonNullable<Route.ComponentProps['loaderData']['warehouse']>

function newFields(): Record<string, FormField> {
  const hint = 'As your stock files name it, such as JOL. It can’t be changed later.'
  // Fields are in pairs, with the times of a day next to each other.
  return {
    code: { label: 'Code', max: 10, hint },
    ...addressFields(undefined),
    cutoff: cutoffField(undefined),
    handlingDays: handlingDaysField(0),
    pickup: pickupField(null),
    ...hoursFields([]),
    ...transitFields(standardTransit),
    labels: labelsField(null),
  }
}

function changedFields(warehouse: Warehouse): Record<string, FormField> {
  return {
    ...addressFields(warehouse),
    cutoff: cutoffField(warehouse.cutoff),
    handlingDays: handlingDaysField(warehouse.handlingDays),
    ...(warehouse.supplierId === null
      ? { labels: labelsField(warehouse), pickup: pickupField(warehouse), ...hoursFields(warehouse.hours) }
      : { pool: poolField(warehouse.pool) }),
    ...transitFields(warehouse.transit),
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
function holderFields(suppliers: readonly { id: number; name: string }[]): Record<string, FormField> {
  if (suppliers.length === 0) return {}
  const options = { '': 'The store', ...Object.fromEntries(suppliers.map(({ id, name }) => [String(id), name])) }
  return {
    supplier: { label: 'Held by', kind: 'choice', options, hint: 'It can’t be changed later.' },
    pool: poolField(undefined),
  }
}

function poolField(value: string | undefined): FormField {
  return { label: 'A supplier ships to', kind: 'choice', options: poolOptions, value }
}

const labelOptions: Readonly<Record<(typeof labelWays)[number], string>> = {
  carrier: 'Bought from the carrier',
  'by-hand': 'By hand',
}

function labelsField(warehouse: { shipsByHand: boolean } | null): FormField {
  const value = warehouse?.shipsByHand ? 'by-hand' : 'carrier'
  const hint = 'By hand: staff enter the carrier and tracking number of each parcel.'
  return { label: 'Shipping labels', kind: 'choice', options: labelOptions, value, hint }
}

const pickupOptions: Readonly<Record<(typeof pickupChoices)[number], string>> = { on: 'Offered', off: 'Not offered' }

function pickupField(warehouse: { offersPickup: boolean } | null): FormField {
  const value = warehouse?.offersPickup ? 'on' : 'off'
  const hint = 'If you turn it off, customers can still collect the orders that they placed.'
  return { label: 'Customer pickup', kind: 'choice', options: pickupOptions, value, hint }
}

function cutoffField(value: string | undefined): FormField {
  const hint = 'In the time zone of the warehouse. Handling of later orders starts the next business day.'
  return { label: 'Cutoff', kind: 'time', value, hint }
}

function handlingDaysField(days: number): FormField {
  const hint = 'Business days until an order ships, from 0 to 10. With 0, it ships the same day.'
  return { label: 'Handling days', kind: 'number', value: String(days), max: 2, hint }
}

/** Returns the business days in transit, by distance and region. */
function transitFields(transit: TransitDays): Record<string, FormField> {
  const field = (where: string, days: number): FormField => ({
    label: `Transit days ${where}`,
    kind: 'number',
    value: String(days),
    max: 2,
  })
  const [near, mid] = [transitMiles.near, transitMiles.mid].map((miles) => countOf(miles, 'mile'))
  return {
    transitNear: field(`within ${near}`, transit.near),
    transitMid: field(`within ${mid}`, transit.mid),
    transitFar: field(`beyond ${mid}`, transit.far),
    transitAlaska: field('to Alaska', transit.AK),
    transitHawaii: field('to Hawaii', transit.HI),
    transitTerritories: field('to the territories', transit.TERRITORY),
  }
}

/** Returns the pickup hours, grouped by days with the same hours. */
function hoursFields(hours: readonly { weekday: number; opens: string; closes: string }[]): Record<string, FormField> {
  const field = (label: string, value: string | undefined) =>
    ({ label, kind: 'time', value, isOptional: true }) as const
  return Object.fromEntries(
    (Object.keys(counterDays) as CounterDays[]).flatMap((days): [string, FormField][] => {
      const day = hours.find(({ weekday }) => weekday === counterDays[days][0])
      return [
        [`${days}Opens`, field(`Pickup from, ${dayLabels[days]}`, day?.opens)],
        [`${days}Closes`, field(`Pickup until, ${dayLabels[days]}`, day?.closes)],
      ]
    }),
  )
}
