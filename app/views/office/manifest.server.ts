/** Manifests and the form that requests them, as the back office shows them. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { selectParcels } from '#domain/ordering/orders/orders.server.ts'
import { manifestNumber, manifestStateNames, type ManifestState } from '#domain/ordering/parcels/parcels.ts'
import { findManifest } from '#domain/ordering/parcels/parcels.server.ts'
import { findWarehouse, listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { newId } from '#platform/ids.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import type { Tone } from './order.server.ts'
import { parcelStateLabel } from './parcel.server.ts'

/** Returns what the form that requests manifests shows; null for roles that may not. */
export async function manifestFormView(
  app: Application,
  roles: readonly StaffRole[],
  warehouse: string | undefined,
): Promise<{ key: string; warehouse: string; warehouses: FieldOptions } | null> {
  if (!staffCan(roles, 'parcels.ship')) return null
  const own = (await listWarehouses(app)).filter(({ supplierId, shipsByHand }) => supplierId === null && !shipsByHand)
  const warehouses = own.map(({ code, name }): [string, string] => [code, `${code} ${name}`])
  const codes = own.map(({ code }) => code)
  const only = codes.length === 1 ? codes[0] : undefined
  const chosen = warehouse !== undefined && codes.includes(warehouse) ? warehouse : only
  return codes.length === 0
    ? null
    : { key: newId(), warehouse: chosen ?? '', warehouses: chosen ? warehouses : [['', 'Choose'], ...warehouses] }
}

const tones: Readonly<Record<ManifestState, Tone>> = { requested: 'signal', created: 'go', failed: 'stop' }

/** Returns a manifest's page; undefined if the manifest doesn't exist. */
export async function manifestView(app: Application, id: number, roles: readonly StaffRole[]) {
  const found = await findManifest(app, id)
  if (!found) return undefined
  const { manifest } = found
  const [warehouse, parcels] = await Promise.all([
    findWarehouse(app, manifest.warehouseId),
    selectParcels(
      app.db,
      found.parcels.map(({ shipmentId }) => shipmentId),
    ),
  ])
  const when = (at: Temporal.Instant) => (warehouse ? timeText(at, warehouse.timeZone) : at.toString())
  return {
    id,
    number: manifestNumber(id),
    isWaiting: manifest.state === 'requested',
    failure: manifest.failure,
    state: { label: manifestStateNames[manifest.state], tone: tones[manifest.state] },
    file: manifest.state === 'created' && staffCan(roles, 'parcels.ship') ? officePaths.officeManifestFile(id) : null,
    facts: [
      ['Warehouse', warehouse ? `${warehouse.code} ${warehouse.name}` : ''],
      ['Carrier', manifest.carrier],
      ['Requested', `${when(manifest.requestedAt)} by ${manifest.requestedBy}`],
      ...(manifest.endedAt && manifest.state === 'created' ? ([['Created', when(manifest.endedAt)]] as const) : []),
      ...(manifest.carrierRef ? ([['Carrier reference', manifest.carrierRef]] as const) : []),
    ] as (readonly [string, string])[],
    count: manifest.parcels,
    parcels: found.parcels
      .toSorted((one, other) => Number(one.refusal !== null) - Number(other.refusal !== null))
      .map(({ shipmentId, trackingNumber, refusal }) => {
        const parcel = parcels.find((each) => each.id === shipmentId)
        return {
          id: shipmentId,
          order: parcel ? orderNumber(parcel.orderId) : '',
          tracking: trackingNumber,
          state: parcel ? parcelStateLabel(parcel.state) : '',
          refusal,
        }
      }),
  }
}

export type ManifestPageView = NonNullable<Awaited<ReturnType<typeof manifestView>>>
