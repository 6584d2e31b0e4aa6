/** The rotation log of a set of tires as its page shows it. */
import { serverPaths } from '#content/server-paths.ts'
import { rotationMiles } from '#domain/customers/accounts/accounts.ts'
import type { TireLog } from '#domain/aftercare/tire-log/tire-log.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { positionName, tinText } from '#domain/installer-portal/work-orders/work-orders.ts'
import type { InstalledSet } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { dateText } from '#platform/day-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { SetView } from './installed-tires.tsx'

const grouped = (count: number) => count.toLocaleString('en-US')

/** "4 Kestrel Alltide AS2 225/65R17", or both where front and rear differ. */
function tiresText({ tires }: InstalledSet): string {
  const kinds = Map.groupBy(tires, ({ brand, line, size }) => `${brand} ${line} ${size}`)
  return [...kinds].map(([kind, each]) => `${each.length} ${kind}`).join(', ')
}

function fittedText({ shop, installedOn, odometerMiles }: InstalledSet): string {
  return `Installed ${dateText(installedOn.toString())} at ${shop}, ${countOf(odometerMiles, 'mile')}`
}

/** A set in the list of the garage. */
export function setView(set: InstalledSet): SetView {
  return {
    orderId: set.orderId,
    tires: tiresText(set),
    fitted: fittedText(set),
    recall: set.tires.find(({ recall }) => recall !== null)?.recall ?? null,
  }
}

/** A set with its log; `today` decides whether a rotation is due. */
export function tireLogView(log: TireLog, today: Temporal.PlainDate) {
  const { next, warranty } = log
  const isDue = next !== null && Temporal.PlainDate.compare(next.on, today) <= 0
  const last = log.rotations.at(-1)?.odometerMiles ?? log.odometerMiles
  return {
    ...setView(log),
    order: orderNumber(log.orderId),
    vehicle: log.vehicle,
    recallPath: serverPaths.orderRecall(log.orderId),
    wheels: log.tires.map(({ position, tin }) => `${positionName(position)}: TIN ${tinText(tin)}`),
    next:
      next &&
      `${isDue ? 'Rotate now: due since' : 'Next rotation by'} ${dateText(next.on.toString())}, or at ${countOf(last + rotationMiles, 'mile')}.`,
    isDue,
    rotations: log.rotations.map(({ nth, on, odometerMiles, place, since, isLate }) => ({
      nth,
      on: dateText(on.toString()),
      miles: countOf(odometerMiles, 'mile'),
      since: `${grouped(since)} since the last${isLate ? ', late' : ''}`,
      place,
    })),
    warranty: warranty && {
      left: `About ${grouped(warranty.milesLeft)} of ${countOf(warranty.milesWarranted, 'mile')}, ${warranty.percentLeft} percent`,
      driven: `${countOf(warranty.milesDriven, 'mile')} by your last entry`,
      isHalved: log.isStaggered,
    },
  }
}
export type TireLogView = ReturnType<typeof tireLogView>
