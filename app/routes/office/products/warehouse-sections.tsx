/** The sections of the warehouse form. */
import type { FormReply } from '#app/forms/form.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import type { FieldSection } from '#app/office/sections-form.tsx'
import type { FieldOptions } from '#app/ui/select-options.tsx'
import type { findWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import {
  labelWays,
  pickupKeptDays,
  pickupReadyHours,
  standardKeptDays,
  standardShipDays,
  standardTransit,
  supplierPools,
  warehouseTimeZones,
} from '#domain/supply/delivery/delivery.ts'
import { WAREHOUSE_PICKUP_READY_HOURS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { CarrierList } from './warehouse-carriers.tsx'
import { DaysTable, ZonesTable } from './warehouse-tables.tsx'

export const warehouseFormId = 'warehouse-form'

export type Suppliers = readonly { id: number; name: string }[]

/** A warehouse as its form needs it. `zone` is the name of its time zone, and `chosenZone` empty for the ZIP code’s. */
export type ShownWarehouse = Omit<NonNullable<Awaited<ReturnType<typeof findWarehouse>>>, 'closedAt'> & {
  zone: string
  chosenZone: string
  /** How many ZIP prefixes have imported transit days. */
  prefixes: number
  /** The page that imports them; null for readers. */
  transitPath: string | null
}

/** Returns the sections of a new warehouse's form. */
export function newSections(suppliers: Suppliers, reply: FormReply | undefined): FieldSection[] {
  const hint = 'As your stock files name it, such as JOL. It can’t be changed later.'
  const { address, ...rest } = sectionsOf(null, reply)
  return [
    { ...address, fields: { code: { label: 'Code', max: 10, hint }, ...address.fields } },
    ...(suppliers.length === 0 ? [] : [holderSection(suppliers)]),
    rest.handling,
    rest.carriers,
    rest.transit,
    rest.pickup,
  ]
}

/** Returns the sections of an existing warehouse's form. A supplier chooses its carriers, and has no pickup. */
export function changedSections(
  warehouse: ShownWarehouse,
  supplier: string | null,
  reply: FormReply | undefined,
): FieldSection[] {
  const { address, handling, carriers, transit, pickup } = sectionsOf(warehouse, reply)
  return warehouse.supplierId === null
    ? [address, handling, carriers, transit, pickup]
    : [address, supplierSection(warehouse, supplier), handling, transit]
}

function sectionsOf(warehouse: ShownWarehouse | null, reply: FormReply | undefined) {
  const isOwn = warehouse === null || warehouse.supplierId === null
  return {
    address: addressSection(warehouse),
    handling: handlingSection(warehouse, reply, isOwn),
    carriers: carrierSection(warehouse, reply),
    transit: {
      id: 'zones',
      title: 'Where it ships',
      note: 'Transit in business days after a package leaves.',
      fields: {
        zones: (
          <>
            <ZonesTable
              transit={warehouse?.transit ?? standardTransit}
              unserved={warehouse?.unservedZones ?? []}
              carriers={isOwn ? (warehouse?.zoneCarriers ?? []) : null}
              reply={reply}
            />
            {warehouse ? <TransitByZip {...warehouse} /> : null}
          </>
        ),
      },
    },
    pickup: pickupSection(warehouse),
  } satisfies Record<string, FieldSection>
}

/** How many ZIP prefixes have imported days, and the page that imports them. */
function TransitByZip({ transitPath, prefixes }: Pick<ShownWarehouse, 'transitPath' | 'prefixes'>) {
  return (
    <p className="field-hint">
      {prefixes > 0
        ? `${countOf(prefixes, 'ZIP prefix has', 'ZIP prefixes have')} imported transit days, which come before the zones. `
        : null}
      {transitPath ? <a href={transitPath}>Import transit by ZIP</a> : null}
    </p>
  )
}

function addressSection(warehouse: ShownWarehouse | null): FieldSection {
  const hint = warehouse
    ? `${warehouse.city}, ${warehouse.state}. Times are ${warehouse.zone}.`
    : 'City and state follow from it.'
  return {
    id: 'address',
    title: 'Address',
    note: 'Sender on shipping labels, and where customers pick up.',
    fields: {
      name: { label: 'Name', value: warehouse?.name, max: 60 },
      ...(warehouse && {
        code: { label: 'Code', value: warehouse.code, hint: 'In stock files. It can’t be changed.', isFixed: true },
      }),
      street: { label: 'Street', value: warehouse?.street, max: 100 },
      zip: { label: 'ZIP code', value: warehouse?.zip, max: 5, hint },
      timeZone: {
        label: 'Time zone',
        kind: 'choice',
        value: warehouse?.chosenZone,
        options: [['', 'From the ZIP code'], ...Object.entries(warehouseTimeZones)],
      },
    },
    spans: warehouse ? { street: 6 } : {},
  }
}

/** The fields for a new warehouse's owner and for the area a supplier ships to. */
function holderSection(suppliers: Suppliers): FieldSection {
  const options: FieldOptions = [
    ['', 'The store'],
    ...suppliers.map(({ id, name }): [string, string] => [String(id), name]),
  ]
  return {
    id: 'holder',
    title: 'Supplier',
    note: 'Only if a supplier holds the tires and ships them.',
    fields: {
      supplier: { label: 'Held by', kind: 'choice', options, hint: 'It can’t be changed later.' },
      ...supplierFields(undefined),
    },
  }
}

function supplierSection(warehouse: ShownWarehouse, supplier: string | null): FieldSection {
  return {
    id: 'holder',
    title: 'Supplier',
    note: `${supplier ?? 'A supplier'} holds these tires and ships them.`,
    fields: supplierFields(warehouse),
  }
}

const poolOptions: Readonly<Record<(typeof supplierPools)[number], string>> = {
  local: 'Its region',
  nationwide: 'Everywhere',
}

function supplierFields(warehouse: ShownWarehouse | undefined): Record<string, FormField> {
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

function handlingSection(warehouse: ShownWarehouse | null, reply: FormReply | undefined, isOwn: boolean): FieldSection {
  return {
    id: 'handling',
    title: 'Cut-off and handling',
    note: 'Orders released before the cut-off ship that day. Orders already placed stay as promised.',
    fields: {
      cutoff: {
        label: 'Cut-off',
        kind: 'time',
        value: warehouse?.cutoff,
        hint: 'In the time zone of the warehouse. Handling of later orders starts the next ship day.',
      },
      handlingDays: {
        label: 'Handling days',
        kind: 'number',
        value: String(warehouse?.handlingDays ?? 0),
        max: 2,
        hint: 'Ship days until an order ships, from 0 to 10. With 0, it ships the same day.',
      },
      days: (
        <DaysTable
          shipDays={warehouse?.shipDays ?? standardShipDays}
          dayCutoffs={warehouse?.dayCutoffs ?? []}
          hours={isOwn ? (warehouse?.hours ?? []) : null}
          reply={reply}
        />
      ),
      closedDays: {
        label: 'Closed days',
        kind: 'area',
        value: (warehouse?.closedDays ?? []).join('\n'),
        max: 1_000,
        rows: 3,
        isOptional: true,
        hint: 'One per line, such as 2026-12-24. The warehouse doesn’t ship and has no pickup on these days.',
      },
    },
    spans: { closedDays: 6 },
  }
}

const labelOptions: Readonly<Record<(typeof labelWays)[number], string>> = {
  carrier: 'Bought from the carrier',
  'by-hand': 'By hand',
}

function carrierSection(warehouse: ShownWarehouse | null, reply: FormReply | undefined): FieldSection {
  return {
    id: 'carriers',
    title: 'Carriers',
    note: 'We buy labels from the first carrier that takes the parcel, after the one that you choose for its zone. With all off, any carrier can be used.',
    fields: {
      carriers: <CarrierList carriers={warehouse?.carriers ?? []} formId={warehouseFormId} reply={reply} />,
      labels: {
        label: 'Shipping labels',
        kind: 'choice',
        options: Object.entries(labelOptions),
        value: warehouse?.shipsByHand ? 'by-hand' : 'carrier',
        hint: 'By hand: staff enter the carrier and tracking number of each parcel.',
      },
    },
  }
}

function pickupSection(warehouse: ShownWarehouse | null): FieldSection {
  return {
    id: 'pickup-section',
    title: 'Pickup',
    note: 'Customers collect tires here instead of at a shop, in the pickup hours above. Suppliers’ warehouses have no pickup.',
    fields: {
      pickup: {
        label: 'Allow pickup',
        kind: 'switch',
        isOn: warehouse?.offersPickup ?? false,
        on: 'on',
        off: 'off',
        hint: 'If you turn it off, customers can still collect the orders that they placed.',
      },
      pickupReadyHours: {
        label: 'Ready after',
        kind: 'choice',
        options: pickupReadyHours.map((hours): [string, string] => [String(hours), countOf(hours, 'hour')]),
        value: String(warehouse?.pickupReadyHours ?? WAREHOUSE_PICKUP_READY_HOURS),
        hint: 'At most, or when the counter opens next.',
      },
      pickupKeptDays: {
        label: 'Kept for',
        kind: 'choice',
        options: pickupKeptDays.map((days): [string, string] => [String(days), countOf(days, 'day')]),
        value: String(warehouse?.pickupKeptDays ?? standardKeptDays),
        hint: 'Then you refund and restock.',
      },
      pickupNote: {
        label: 'Directions for customers',
        kind: 'area',
        value: warehouse?.pickupNote,
        max: 300,
        rows: 2,
        isOptional: true,
        hint: 'Such as “Door 6, ring the bell.” Shown at checkout, with the order, and in its emails.',
      },
    },
    spans: { pickup: 6, pickupNote: 6 },
  }
}
