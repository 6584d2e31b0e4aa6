import { shopContext } from '#app/http/context.ts'
import { cleanText } from '#app/http/form.ts'
import { suggest } from '#domain/catalog/catalog.server.ts'
import { suggestionViews } from './suggestions.server.ts'
import type { Route } from './+types/search-suggestions.ts'

/** What a text typed so far could mean, for the search box. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const typed = cleanText(url.searchParams.get('q') ?? '').slice(0, 120)
  return Response.json(
    { suggestions: suggestionViews(await suggest(context.get(shopContext).catalog, typed)) },
    { headers: { 'Cache-Control': 'public, s-maxage=60' } },
  )
}
