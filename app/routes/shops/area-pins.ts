import { paths } from '#content/paths.ts'
import type { Pin } from '#app/ui/draw-map.client.ts'
import type { UrbanArea } from '#domain/scheduling/installers/installers.ts'
import { pluralForm } from '#platform/count-text.ts'

/** Returns the map pins of cities. Each shows the number of shops and links to the city's page. */
export function areaPins(areas: readonly UrbanArea[]): Pin[] {
  return areas.map(({ slug, city, state, shopCount, latitude, longitude }) => ({
    href: paths.tireShopsIn(slug),
    letter: String(shopCount),
    text: '',
    label: `${pluralForm(shopCount, 'shop', 'shops')} in ${city}, ${state}`,
    latitude,
    longitude,
    count: shopCount,
    isChosen: false,
  }))
}
