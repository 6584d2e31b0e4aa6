/** Search, and the catalog's directories. */
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { cents, instant, named, slug } from '#api/schemas.ts'
import { offerView, tireOffer } from '#api/tires.ts'
import { cleanText } from '#platform/plain-text.ts'
import { placePath } from '#content/place-path.server.ts'
import {
  listBrands,
  listDeals,
  listKinds,
  listLines,
  listSizes,
  resolveQuery,
  suggest,
} from '#domain/catalog/catalog/catalog.server.ts'
import type { Place, Suggestion } from '#domain/catalog/catalog/catalog.ts'

const q = z
  .string()
  .min(1)
  .max(100)
  .meta({
    description: 'A size in any notation, a vehicle, a brand, a line, an item, a shop or a ZIP',
    examples: ['2256517'],
  })
  .transform(cleanText)

const place = z
  .strictObject({
    kind: z.enum(['listing', 'vehicle', 'line', 'item', 'shop', 'zip', 'area', 'rim', 'height', 'other-brand', 'page']),
    path: z.string().meta({ description: 'Its page in the store' }),
    parts: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta({ description: 'Parameters of the page, such as size, brand, makeSlug, itemId and so on' }),
  })
  .meta({ id: 'FoundPlace' })
const suggestion = z
  .strictObject({ kind: z.string(), label: z.string(), detail: z.string(), place })
  .meta({ id: 'Suggestion' })

export const searchResult = z.strictObject({
  place: place.nullable(),
  suggestions: z.array(suggestion),
  meant: suggestion.nullable().meta({ description: 'The best match, if the query is spelled differently' }),
})

const kind = z.strictObject({
  slug: z.string(),
  name: z.string(),
  definition: z.string(),
  typeSlug: z.string(),
  lines: z.int(),
  fromCents: cents,
})

export const findingOperations = [
  operation({
    id: 'search',
    method: 'get',
    path: '/search',
    area: 'Catalog',
    summary: 'Search',
    description:
      'Returns a single place if the query is unambiguous, otherwise all possible matches. The list can be empty.',
    audience: 'anyone',
    sharedSeconds: 60,
    query: z.strictObject({ q }),
    result: searchResult,
    async handle({ app, query }) {
      const found = await resolveQuery(app.catalog, query.q)
      if (found.kind === 'place') return answer({ place: placeView(found.place), suggestions: [], meant: null })
      return answer({
        place: null,
        suggestions: found.suggestions.map(suggestionView),
        meant: found.meant && suggestionView(found.meant),
      })
    },
  }),
  operation({
    id: 'suggest',
    method: 'get',
    path: '/search/suggestions',
    area: 'Catalog',
    summary: 'Suggest searches',
    description: 'At most ten, best match first; none for fewer than two letters or digits.',
    audience: 'anyone',
    sharedSeconds: 60,
    query: z.strictObject({ q }),
    result: z.array(suggestion),
    async handle({ app, query }) {
      return answer((await suggest(app.catalog, query.q)).map(suggestionView))
    },
  }),
  operation({
    id: 'listSizes',
    method: 'get',
    path: '/sizes',
    area: 'Catalog',
    summary: 'List sizes in stock',
    audience: 'anyone',
    sharedSeconds: 300,
    query: z.strictObject({
      rim: z.coerce
        .number()
        .min(8)
        .max(30)
        .optional()
        .meta({ description: 'Wheel diameter in inches', examples: [17] }),
    }),
    result: z.array(
      z.strictObject({
        slug: z.string(),
        designation: z.string(),
        kind: z.string(),
        rimIn: z.number(),
        sectionWidthMm: z.number(),
        aspect: z.number(),
      }),
    ),
    async handle({ app, query }) {
      return answer((await listSizes(app.catalog, query.rim)).map((size) => ({ ...size })))
    },
  }),
  operation({
    id: 'listBrands',
    method: 'get',
    path: '/brands',
    area: 'Catalog',
    summary: 'List brands',
    audience: 'anyone',
    sharedSeconds: 300,
    result: z.array(
      z.strictObject({
        slug: z.string(),
        name: z.string(),
        tier: z.enum(['value', 'mid', 'premium']),
        about: z.string(),
        lines: z.int(),
        reviews: z.int(),
      }),
    ),
    async handle({ app }) {
      return answer(
        (await listBrands(app.catalog)).map(({ slug, name, tier, about, lines, reviews }) => ({
          slug,
          name,
          tier,
          about,
          lines,
          reviews,
        })),
      )
    },
  }),
  operation({
    id: 'listLines',
    method: 'get',
    path: '/brands/{brand}/lines',
    area: 'Catalog',
    summary: 'List a brand’s product lines',
    audience: 'anyone',
    sharedSeconds: 300,
    params: z.strictObject({ brand: slug('kestrel') }),
    result: z.array(named),
    refuses: ['NothingThere'],
    async handle({ app, params }) {
      const lines = await listLines(app.catalog, params.brand)
      return lines.length === 0 ? problem('NothingThere') : answer(lines)
    },
  }),
  operation({
    id: 'listKinds',
    method: 'get',
    path: '/kinds',
    area: 'Catalog',
    summary: 'List tire types and categories',
    audience: 'anyone',
    sharedSeconds: 300,
    result: z.strictObject({ types: z.array(kind), categories: z.array(kind) }),
    async handle({ app }) {
      const { types, categories } = await listKinds(app.catalog)
      const view = ({ slug, name, definition, typeSlug, lines, fromCents }: (typeof types)[number]) => ({
        slug,
        name,
        definition,
        typeSlug,
        lines,
        fromCents,
      })
      return answer({ types: types.map(view), categories: categories.map(view) })
    },
  }),
  operation({
    id: 'listDeals',
    method: 'get',
    path: '/deals',
    area: 'Catalog',
    summary: 'List current deals',
    audience: 'anyone',
    sharedSeconds: 60,
    result: z.array(
      z.strictObject({
        slug: z.string(),
        headline: z.string(),
        kind: z.string(),
        startsAt: instant,
        endsAt: instant,
        offer: tireOffer
          .nullable()
          .meta({ description: 'The tire or line on sale; null if the deal covers a whole brand or everything' }),
      }),
    ),
    async handle({ app }) {
      const deals = await listDeals(app.catalog)
      return answer(
        deals.map(({ promotion, offer }) => ({
          slug: promotion.slug,
          headline: promotion.headline,
          kind: promotion.kind,
          startsAt: promotion.startsAt.toString(),
          endsAt: promotion.endsAt.toString(),
          offer: offer && offerView(offer, null),
        })),
      )
    },
  }),
]

function suggestionView({ kind: of, label, detail, place: leads }: Suggestion) {
  return { kind: of, label, detail, place: placeView(leads) }
}

function placeView(found: Place) {
  const { kind: of, ...parts } = found
  return {
    kind: of,
    path: placePath(found),
    parts: Object.fromEntries(
      Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  }
}
