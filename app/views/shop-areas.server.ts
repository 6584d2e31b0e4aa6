/**
 * Locations of tire shops, as every city with a shop, grouped by state. Cached for ten minutes, because shops rarely
 * open or close.
 */
import { stateOptions } from '#app/ui/states.ts'
import { listUrbanAreas } from '#domain/scheduling/installers/installers.server.ts'
import type { UrbanArea } from '#domain/scheduling/installers/installers.ts'
import type { Application } from '#application'

/**
 * `slug` is a state's name, such as "illinois". City slugs end in the two letters of their state, so the two can't
 * conflict.
 */
export type ShopState = { code: string; name: string; slug: string; shopCount: number; areas: readonly UrbanArea[] }
export type ShopAreas = {
  areas: readonly UrbanArea[]
  bySlug: ReadonlyMap<string, UrbanArea>
  states: readonly ShopState[]
}

/** Runs one query, or uses the cache. */
export async function readShopAreas(app: Application): Promise<ShopAreas> {
  return app.catalog.cache.keep('shop areas', async () => groupByState(await listUrbanAreas(app)), {
    weight: 500,
    life: { minutes: 10 },
  })
}

/** Only states we ship to, so that every city has a state. */
function groupByState(found: readonly UrbanArea[]): ShopAreas {
  const ofState = Map.groupBy(found, ({ state }) => state)
  const states = stateOptions.flatMap(([code, name]) => {
    const areas = ofState.get(code)
    return areas
      ? [
          {
            code,
            name,
            slug: stateSlug(name),
            shopCount: areas.reduce((sum, { shopCount }) => sum + shopCount, 0),
            areas,
          },
        ]
      : []
  })
  const areas = states.flatMap((state) => state.areas)
  return { areas, bySlug: new Map(areas.map((area) => [area.slug, area])), states }
}

function stateSlug(name: string): string {
  return name.toLowerCase().replace(/[^a-z]+/g, '-')
}
