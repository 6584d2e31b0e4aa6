import { paths } from '#content/paths.ts'
import type { Pin } from '#app/ui/draw-map.client.ts'
import type { UrbanArea } from '#domain/installers/installers.ts'

/** Cities on a map: each marker shows the number of shops and links to the city's page. */
export function areaPins(areas: readonly UrbanArea[]): Pin[] {
  return areas.map(({ slug, city, state, shopCount, latitude, longitude }) => ({
    href: paths.tireShopsIn(slug),
    letter: String(shopCount),
    text: '',
    label: `${shopCount === 1 ? 'shop' : 'shops'} in ${city}, ${state}`,
    latitude,
    longitude,
    count: shopCount,
    isChosen: false,
  }))
}
