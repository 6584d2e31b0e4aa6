/** Services without tires that can be booked online at a shop, and their free times. */
import { offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import { nothingToArrive, type OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { offeredServices, type ShopInFull } from '#domain/scheduling/installers/installers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock }

/** A service as a shop offers it; price and minutes are per unit. */
export type BookableService = ReturnType<typeof offeredServices>[number]

/** Returns the services that can be booked online at a shop. Vans are booked by phone. */
export function bookableServices({ kind, servicePrices }: ShopInFull): BookableService[] {
  return kind === 'van' ? [] : offeredServices(servicePrices)
}

/** Finds a shop and one of its bookable services by their codes; undefined if the shop doesn't offer it. */
export async function findBookableService(
  deps: Deps,
  asked: { shopCode: string; service: string },
): Promise<{ shop: ShopInFull; service: BookableService } | undefined> {
  const shop = await findShop(deps, { code: asked.shopCode.toUpperCase() })
  const service = shop && bookableServices(shop).find(({ key }) => key === asked.service)
  return shop && service && { shop, service }
}

/** Returns the units that a booking of a service has, such as 4 tires; undefined for more than it can have. */
export function bookedUnits({ mostUnits }: Pick<BookableService, 'mostUnits'>, asked: number): number | undefined {
  if (mostUnits === 1) return 1
  return Number.isSafeInteger(asked) && asked >= 1 && asked <= mostUnits ? asked : undefined
}

/** Returns the days on which a service has free times at its shop. */
export async function serviceDays(
  deps: Deps,
  { shop, service, units }: { shop: ShopInFull; service: string; units: number },
): Promise<OfferedDay[]> {
  const today = deps.clock.now().toZonedDateTimeISO(shop.timeZone).toPlainDate()
  const found = await offerTimes(deps, {
    shopId: shop.id,
    tires: [],
    services: [{ service, units }],
    ...nothingToArrive(today),
  })
  return (found.ok ? found.value.days : []).filter(({ state }) => state === 'free')
}
