/** Suggestions as links. */
import { placePath } from '#app/paths.ts'
import type { Suggestion as SuggestionView } from '#app/ui/site-search.tsx'
import type { Suggestion } from '#domain/catalog/catalog.ts'

/** Each place once; what has no page is left out. */
export function suggestionViews(suggestions: readonly Suggestion[]): SuggestionView[] {
  const views = suggestions.flatMap(({ kind, label, detail, place }) => {
    const path = placePath(place)
    return path === null ? [] : [{ kind, label, detail, path }]
  })
  return [...new Map(views.toReversed().map((view) => [view.path, view])).values()].toReversed()
}
