/** What the office's page of a warehouse shows around its form. */
import type { FormEffect } from '#app/forms/form.ts'
import type { Staff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { actLabel, staffCan } from '#domain/kernel/staff/staff.ts'
import { changeText, listAudit } from '#domain/kernel/staff/staff.server.ts'
import { readOpenWork, type findWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { warehouseStateOf } from '#domain/supply/delivery/delivery.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { clockText } from '#platform/time-text.ts'
import { previewPromise } from './promise-preview.server.ts'

type Warehouse = NonNullable<Awaited<ReturnType<typeof findWarehouse>>>
type Change = { day: string; entries: { kind: string; time: string; body: string }[] }

/** The ZIP code that the promise is calculated for at first. */
const shopperZip = '60614'
const shownChanges = 8

export type WarehousePage = {
  /** "8,412 tires · 31 open orders" */
  about: string | null
  /** The stock in our warehouse, for roles that may see it. */
  stockPath: string | null
  closing: { path: string; label: string; text: string } | null
  /** What a shopper is promised with the saved settings. */
  promise: FormEffect | null
  shopperZip: string
  changes: Change[]
}

/** Reads the page of an existing warehouse. */
export async function readWarehousePage({ app, session }: Staff, warehouse: Warehouse): Promise<WarehousePage> {
  const can = (permission: Parameters<typeof staffCan>[1]) => staffCan(session.roles, permission)
  const { id, code } = warehouse
  const [work, promise, changes] = await Promise.all([
    readOpenWork(app, id),
    previewPromise(app, id, { ...warehouse, shopperZip }),
    readChanges(app, code),
  ])
  const about = [countOf(work.units, 'tire'), countOf(work.parcels + work.pickups, 'open order')]
  const mayClose = can('warehouses.manage') && !warehouse.isSupplierRetired
  const isOpen = warehouseStateOf(warehouse) === 'open'
  return {
    about: about.join(' · '),
    stockPath: can('stock.read') && warehouse.supplierId === null ? officePaths.officeStock({ warehouse: code }) : null,
    closing: mayClose
      ? {
          path: officePaths.officeWarehouseClosing(String(id)),
          label: isOpen ? 'Close this warehouse…' : 'See its closing',
          text: `${about.join(' and ')} are here. Closing stops new orders. On the next page, you decide where each open order ships from.`,
        }
      : null,
    promise: promise.ok ? promise.value : null,
    shopperZip,
    changes,
  }
}

/** The page of a new warehouse. */
export const newWarehousePage: WarehousePage = {
  about: null,
  stockPath: null,
  closing: null,
  promise: null,
  shopperZip,
  changes: [],
}

/** The latest changes by day, newest first. */
async function readChanges(app: Staff['app'], code: string): Promise<Change[]> {
  const query = { actor: null, act: null, subject: code, from: null, until: null, before: null }
  const { entries } = await listAudit(app, query)
  const own = entries.filter(({ act }) => act.startsWith('warehouse.')).slice(0, shownChanges)
  const days = Map.groupBy(own, ({ at }) => at.toZonedDateTimeISO(storeZone).toPlainDate().toString())
  return [...days].map(([day, changes]) => ({
    day: dateText(day),
    entries: changes.map(({ at, act, actor, reason, before, after }) => ({
      kind: actor,
      time: clockText(at, storeZone),
      body: [(before ? changeText({ before, after }) : '') || actLabel(act), reason].filter(Boolean).join('. '),
    })),
  }))
}
