/** Suggestions as links. */
import { placePath } from '#content/place-path.server.ts'
import type { Suggestion as SuggestionView } from '#app/ui/site-search.tsx'
import type { Suggestion, SuggestionKind } from '#domain/catalog/catalog.ts'

/** Each place once. */
export function suggestionViews(suggestions: readonly Suggestion[]): SuggestionView[] {
  const views = suggestions.map(({ kind, label, detail, place }) => ({ kind, label, detail, path: placePath(place) }))
  return [...new Map(views.toReversed().map((view) => [view.path, view])).values()].toReversed()
}

export type ResultGroup = { title: string; results: SuggestionView[] }

const titles: Record<SuggestionKind, string> = {
  size: 'Sizes',
  vehicle: 'Vehicles',
  brand: 'Brands',
  line: 'Tires',
  item: 'Tires',
  type: 'Kinds of tires',
  category: 'Kinds of tires',
  shop: 'Shops that install',
  zip: 'Places',
  area: 'Shops that install',
  page: 'Pages',
  'other-brand': 'Brands',
}

/** Results under headings; the group of the best match comes first, guides last. */
export function groupedViews(suggestions: readonly Suggestion[], guides: readonly SuggestionView[]): ResultGroup[] {
  const groups = Map.groupBy(suggestions, ({ kind }) => titles[kind])
  return [
    ...[...groups].map(([title, of]) => ({ title, results: suggestionViews(of) })),
    { title: 'To read', results: [...guides] },
  ].filter(({ results }) => results.length > 0)
}
