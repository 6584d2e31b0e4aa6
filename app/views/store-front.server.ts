/** The shop section on a branded store's home page, with prices, and the next available times. */
import type { StoreFront } from '#app/views/shell.server.ts'
import { slotText, slotZone } from '#content/messages/times.ts'
import type { BrandedStore } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { firstTimesAt } from '#domain/catalog/offers/offers.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

const timesShown = 4

export async function readStoreFront(app: Application, { shopId, zip }: BrandedStore): Promise<StoreFront | undefined> {
  const [place, first] = await Promise.all([
    findShop(app, { id: shopId }),
    firstTimesAt(app, { zip, shopIds: [shopId], limit: timesShown }),
  ])
  if (!place) return undefined
  return {
    prices: [
      { what: 'Mount, balance, torque check', price: spread(place.rates.map(({ installCents }) => installCents)) },
      { what: 'Sensor service kit', price: spread(place.rates.map(({ serviceKitCents }) => serviceKitCents)) },
      { what: 'Old tire disposal', price: spread(place.rates.map(({ disposalCents }) => disposalCents)) },
    ].flatMap(({ what, price }) => (price === null ? [] : [{ what, price }])),
    zone: slotZone(app.clock.now(), place.timeZone, null),
    times: (first?.openings.get(shopId) ?? []).map((opening) => slotText(opening, place.timeZone)),
  }
}

/** Returns a price range by rim such as "$22.00 to $32.00 a tire"; null if free. */
function spread(cents: readonly number[]): string | null {
  const [least, most] = [Math.min(...cents), Math.max(...cents)]
  if (cents.length === 0 || most === 0) return null
  return `${least === most ? formatCents(least) : `${formatCents(least)} to ${formatCents(most)}`} a tire`
}
