/** A customer's vehicles, and the tires shops installed for them, with DOT numbers. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listGarage } from '#domain/customers/accounts/accounts.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { positionName, tinText } from '#domain/installer-portal/work-orders/work-orders.ts'
import { listInstalledSetsOf, type InstalledSet } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Application } from '#application'

/** How sure we are of the sizes of a vehicle. */
function certaintyOf({ label, confirmed, fitmentId }: ChosenVehicle): { tone: Tone; words: string } {
  if (label) return { tone: 'go', words: 'Door label entered' }
  if (confirmed) return { tone: 'go', words: 'Door label checked' }
  return fitmentId === null
    ? { tone: 'signal', words: 'Size not chosen' }
    : { tone: 'plain', words: 'Door label not checked' }
}

export async function readCustomerVehicles(
  app: Application,
  { accountIds, orderIds }: { accountIds: readonly string[]; orderIds: readonly number[] },
) {
  const [garages, sets] = await Promise.all([
    Promise.all(accountIds.map((id) => listGarage(app, id))),
    listInstalledSetsOf(app.db, orderIds),
  ])
  return {
    garage: garages.flat().map(({ id, vehicle, mileage, mileageOn }) => ({
      id,
      name: vehicle.name,
      certainty: certaintyOf(vehicle),
      notes: [
        ...(vehicle.label ? [vehicle.label.front] : []),
        ...(mileage !== null && mileageOn !== null ? [`${countOf(mileage, 'mile')} on ${dateText(mileageOn)}`] : []),
      ].join(' · '),
    })),
    installed: sets.map(setOf),
  }
}

function setOf({ orderId, shop, installedOn, odometerMiles, tires }: InstalledSet) {
  const kinds = Map.groupBy(tires, ({ brand, line, size }) => `${brand} ${line} ${size}`)
  const recalls = [...new Set(tires.flatMap(({ recall }) => (recall === null ? [] : [recall])))]
  return {
    orderId,
    number: orderNumber(orderId),
    path: officePaths.officeOrder(orderId),
    tires: [...kinds].map(([kind, each]) => `${each.length} ${kind}`).join(', '),
    fitted: `Installed ${dateText(installedOn.toString())} at ${shop}, ${countOf(odometerMiles, 'mile')}`,
    positions: tires.map(({ position, tin }) => `${positionName(position)}: DOT ${tinText(tin)}`),
    recalls,
  }
}
