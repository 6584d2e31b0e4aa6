import { z } from 'zod'
import {
  defineActions,
  formAction,
  numberedId,
  plainAction,
  type RecordValue,
} from '#app/office/define-actions.server.ts'
import { importAction, importRefusals } from '#app/office/file-import.server.ts'
import {
  changeWarehouse,
  closeWarehouse,
  findWarehouse,
  finishClosing,
  importTransit,
  removeTransit,
  reopenWarehouse,
} from '#domain/supply/delivery/delivery.server.ts'
import {
  closingForm,
  closingVersionForm,
  maxTransitFileBytes,
  transitFileLimits,
  transitZones,
  warehouseForm,
  zoneFields,
  type pickupChoices,
} from '#domain/supply/delivery/delivery.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { reallocateParcels } from '#domain/ordering/orders/orders.server.ts'
import { reallocationForm } from '#domain/ordering/orders/orders.ts'
import { addHeldWarehouse, emptyWarehouse } from '#domain/supply/stock/stock.server.ts'
import { emptyForm } from '#domain/supply/stock/stock.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { hoursFields } from '#platform/week-hours.ts'
import type { Application } from '#application'

/** Returns the warehouse number in an address. */
export const warehouseId = (text: string) => numberedId(text, 32_767)

export const warehouseActions = defineActions({
  resource: 'warehouses',
  noun: 'warehouse',
  permission: 'warehouses.manage',
  actions: {
    add: formAction(
      { summary: 'Add a warehouse', form: warehouseForm },
      ({ app, by }, draft) => addHeldWarehouse(app, by, draft),
      ({ id }) => String(id),
    ),
    change: formAction(
      { summary: 'Change a warehouse', description: 'Its code and supplier stay.', form: warehouseForm },
      ({ app, by, id }, draft) => changeWarehouse(app, by, warehouseId(id), draft),
    ),
  },
  refusals: {
    gone: null,
    'changed-meanwhile': ({ by, at }) =>
      `${by ?? 'Another team member'} saved this warehouse${at ? ` on ${timeText(at, storeZone)}` : ''} after you opened it. Your entries are below, with the saved values next to those that differ. Save again to replace them.`,
    'supplier-retired': { field: 'supplier', text: 'This supplier was retired. Choose another one.' },
    'code-taken': { field: 'code', text: 'Another warehouse has this code.', status: 409 },
    'branch-taken': { field: 'branch', text: 'Another warehouse of this supplier has this ID.', status: 409 },
    'zip-unknown': { field: 'zip', text: 'We don’t know where this ZIP code is. Enter one with a street address.' },
  },
  read,
})

async function read(app: Application, id: string): Promise<Record<string, RecordValue> | undefined> {
  const warehouse = await findWarehouse(app, warehouseId(id))
  if (!warehouse) return undefined
  const { code, name, street, zip, cutoff, handlingDays, transit, shipsByHand, supplierId, pool, version } = warehouse
  const { timeZone, branch, unservedZones, pickupReadyHours, pickupKeptDays, pickupNote } = warehouse
  const { dayCutoffs, hours, shipDays, closedDays, carriers, zoneCarriers } = warehouse
  const zoneOfZip = (await findPlace(app.db, zip))?.timeZone
  const pickup: (typeof pickupChoices)[number] = warehouse.offersPickup ? 'on' : 'off'
  return {
    code,
    name,
    street,
    zip,
    timeZone: timeZone === zoneOfZip ? null : timeZone,
    cutoff,
    handlingDays,
    ...Object.fromEntries(
      transitZones.map((zone) => [zoneFields[zone].ships, unservedZones.includes(zone) ? 'off' : 'on']),
    ),
    transitNear: transit.near,
    transitMid: transit.mid,
    transitFar: transit.far,
    transitAlaska: transit.AK,
    transitHawaii: transit.HI,
    transitTerritories: transit.TERRITORY,
    labels: shipsByHand ? 'by-hand' : 'carrier',
    supplier: supplierId === null ? null : String(supplierId),
    ...Object.fromEntries(transitZones.map((zone, index) => [zoneFields[zone].carrier, zoneCarriers[index] ?? null])),
    ...(supplierId === null ? { pickup, pickupReadyHours, pickupKeptDays, pickupNote, carriers } : { pool, branch }),
    hours: hoursFields.map(({ weekday }) => {
      const day = hours.find((each) => each.weekday === weekday)
      return {
        weekday: String(weekday),
        opens: day?.opens ?? null,
        closes: day?.closes ?? null,
        ships: shipDays.includes(weekday),
        cutoff: dayCutoffs[weekday - 1] ?? null,
      }
    }),
    closedDays: closedDays.join('\n'),
    version,
  }
}

/** Transit days by ZIP prefix, imported as a whole. */
export const warehouseTransitActions = defineActions({
  resource: 'warehouses',
  part: 'transit',
  noun: 'transit file',
  permission: 'warehouses.manage',
  actions: {
    import: importAction(
      {
        summary: 'Import transit days by ZIP prefix',
        description: `CSV as it is exported, ${transitFileLimits}. It replaces all prefixes of the warehouse. If a row has an error, no rows are imported.`,
        result: z.object({ prefixes: z.int(), changed: z.boolean() }),
      },
      maxTransitFileBytes,
      (app, by, text, id) => importTransit(app, by, { id: warehouseId(id), text }),
    ),
    remove: plainAction(
      { summary: 'Remove transit days by ZIP prefix', description: 'The days of its zones apply again.' },
      ({ app, by, id }) => removeTransit(app, by, warehouseId(id)),
    ),
  },
  refusals: { ...importRefusals(maxTransitFileBytes), gone: null },
})

export const warehouseClosingActions = defineActions({
  resource: 'warehouses',
  noun: 'warehouse',
  permission: 'warehouses.manage',
  actions: {
    close: formAction(
      {
        summary: 'Close a warehouse',
        description: 'Now, or at the start of `day`. It takes no new orders, and closes when its open work is done.',
        form: closingForm,
      },
      ({ app, by, id }, asked) => closeWarehouse(app, by, { id: warehouseId(id), ...asked }),
    ),
    finish: formAction(
      { summary: 'Finish closing', description: 'Refused while there is open work.', form: closingVersionForm },
      ({ app, by, id }, { version }) => finishClosing(app, by, { id: warehouseId(id), version }),
    ),
    reopen: formAction({ summary: 'Reopen a warehouse', form: closingVersionForm }, ({ app, by, id }, { version }) =>
      reopenWarehouse(app, by, { id: warehouseId(id), version }),
    ),
    move: formAction(
      { summary: 'Move packages of a closing warehouse to others', form: reallocationForm },
      ({ app, by, id }, { moves }) => reallocateParcels(app, by, { warehouseId: warehouseId(id), moves }),
    ),
    empty: formAction(
      { summary: 'Transfer all stock of a closing warehouse', form: emptyForm },
      ({ app, by, id }, { emptyTo }) => emptyWarehouse(app, by, { fromId: warehouseId(id), toId: emptyTo }),
    ),
  },
  refusals: {
    gone: null,
    'day-out-of-range': { field: 'day', text: 'Choose a day after today, within the next year.' },
    'still-open': 'This warehouse still has open work. Complete the list first.',
    'changed-meanwhile': 'Another team member changed this warehouse. Reload the page.',
    'target-closing': { field: 'emptyTo', text: 'Choose a warehouse that isn’t closing.' },
    'nothing-to-move': 'This warehouse has no tires to transfer.',
    'nothing-moved': 'These packages changed. Check the list below and try again.',
  },
})
