import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { applicationContext } from '#app/server/context.ts'
import { cleanText } from '#platform/plain-text.ts'
import { suggest } from '#domain/catalog/catalog/catalog.server.ts'
import { resemblesVin } from '#domain/catalog/vehicles/vehicles.ts'
import { findGuides } from './search-guides.server.ts'
import { suggestionViews } from './suggestions.server.ts'
import type { Route } from './+types/search-suggestions.ts'

/** The box has room for ten; guides come below products. */
const [most, mostGuides] = [10, 2]

/** Suggestions for text typed so far, for the search box. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const typed = cleanText(url.searchParams.get('q') ?? '').slice(0, 120)
  // Some browsers still send a VIN, which must not reach the shared cache.
  if (resemblesVin(typed)) return Response.json({ suggestions: [] }, { headers: { 'Cache-Control': 'no-store' } })
  const { catalog, brandedStore } = context.get(applicationContext)
  const store = storeKindOf(brandedStore)
  const [found, guides] = await Promise.all([suggest(catalog, typed), findGuides(typed, store, mostGuides)])
  const suggestions = [...suggestionViews(found, store).slice(0, most - guides.length), ...guides]
  return Response.json({ suggestions }, { headers: { 'Cache-Control': 'public, s-maxage=60' } })
}
