/** Suggestions as links. */
import { sellsProgram, type StoreKind, type StoreProgram } from '#domain/pricing/store-programs/store-programs.ts'
import { COVERAGE_NAMES } from '#domain/pricing/pricing/pricing.ts'
import { placePath } from '#content/place-path.server.ts'
import type { Suggestion as SuggestionView } from '#app/ui/site-search.tsx'
import type { Place, StorePage, Suggestion, SuggestionKind } from '#domain/catalog/catalog/catalog.ts'

/** Pages about a program, and where a store that does not sell it leads instead; null where it leads nowhere. */
const programPages: Partial<Record<StorePage, { program: StoreProgram; instead: StorePage }>> = {
  'mobile-installation': { program: 'mobileInstallation', instead: 'installation' },
}

/** Where a store of this kind leads to for a place that was found. */
export function pathInStore(place: Place, store: StoreKind): string {
  const about = place.kind === 'page' ? programPages[place.page] : undefined
  return placePath(about && !sellsProgram(store, about.program) ? { kind: 'page', page: about.instead } : place)
}

function isSoldIn(store: StoreKind): (suggestion: Suggestion) => boolean {
  return ({ place }) => {
    const about = place.kind === 'page' ? programPages[place.page] : undefined
    return !about || sellsProgram(store, about.program)
  }
}

/**
 * Returns the suggestion with the text for this kind of store. The coverage page describes the plan that the store
 * sells.
 */
function wordedFor(store: StoreKind, { kind, label, detail, place }: Suggestion): Suggestion {
  const isOtherPlan = place.kind === 'page' && place.page === 'coverage' && sellsProgram(store, 'roadHazardPlan')
  return isOtherPlan ? { kind, label: COVERAGE_NAMES['road-hazard'], detail, place } : { kind, label, detail, place }
}

/** Each place once, without what a store of this kind does not sell. */
export function suggestionViews(suggestions: readonly Suggestion[], store: StoreKind): SuggestionView[] {
  const views = suggestions
    .filter(isSoldIn(store))
    .map((suggestion) => wordedFor(store, suggestion))
    .map(({ kind, label, detail, place }) => ({ kind, label, detail, path: placePath(place) }))
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
export function groupedViews(
  suggestions: readonly Suggestion[],
  guides: readonly SuggestionView[],
  store: StoreKind,
): ResultGroup[] {
  const groups = Map.groupBy(suggestions, ({ kind }) => titles[kind])
  return [
    ...[...groups].map(([title, of]) => ({ title, results: suggestionViews(of, store) })),
    { title: 'To read', results: [...guides] },
  ].filter(({ results }) => results.length > 0)
}
