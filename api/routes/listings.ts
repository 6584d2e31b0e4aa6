/** Lists the tires for a size, vehicle, brand, type, or category, with filters, counts, and sorting. */
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { cursor, cursorAt, placeOf } from '#api/paging.ts'
import { problem } from '#api/problem.ts'
import { cents, day, level, named, sizeSlug, slug } from '#api/schemas.ts'
import { forWhom, offerView, readForWhom, tireOffer } from '#api/tires.ts'
import { listTires, recommendTires, sizePairsOf, type ListingScope } from '#domain/catalog/catalog/catalog.server.ts'
import {
  anyOf,
  onlyIf,
  parseQuery,
  questions,
  sorts,
  thresholdFacets,
  type ListingQuery,
} from '#domain/catalog/catalog/catalog.ts'
import type { Requirement } from '#domain/catalog/fitment/fitment.ts'
import { TOP_PICKS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'

const scope = {
  size: sizeSlug.optional(),
  rearSize: slug('305-30r20').optional().meta({ description: 'The rear size, if different', examples: undefined }),
  brand: slug('kestrel').optional(),
  type: slug('all-season').optional(),
  category: slug('touring-all-season').optional(),
  rim: z.coerce
    .number()
    .min(8)
    .max(30)
    .optional()
    .meta({ description: 'Wheel diameter in inches, to list lines that come in it; not with a size' }),
}

const text = (pattern: RegExp) => z.array(z.string().max(80).regex(pattern)).max(40).optional()
const filters = {
  verdict: z.array(level).max(4).optional(),
  speed: text(/^([A-HJ-NP-WYZ]|\(Y\)|A[1-8]|ZR)$/),
  load: text(/^\d{1,3}$/),
  range: text(/^(SL|XL|HL|[A-N])$/),
  sidewall: text(/^(BSW|OWL|VSB)$/),
  mark: text(/^[A-Z0-9*]{1,4}$/),
  minDollars: z.coerce.number().int().min(0).max(100_000).optional().meta({ description: 'Whole dollars per tire' }),
  maxDollars: z.coerce.number().int().min(0).max(100_000).optional(),
  by: day
    .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
    .optional()
    .meta({ description: 'Ready at the ZIP by this date', examples: undefined }),
  total: z
    .enum(['400', '600', '750', '900', '1200', '1600'])
    .optional()
    .meta({ description: 'Maximum out-the-door price in whole dollars' }),
  rating: z.enum(['4.5', '4', '3.5', '3']).optional().meta({ description: 'Minimum stars' }),
  score: z.enum(['9', '8', '7']).optional(),
  warranty: z.enum(['80000', '70000', '60000', '50000', '40000']).optional().meta({ description: 'Minimum miles' }),
  ...Object.fromEntries(onlyIf.map((name) => [name, z.literal('1').optional()])),
}

const facet = z.strictObject({
  name: z.enum([...anyOf, ...thresholdFacets, ...onlyIf, 'price']),
  options: z.array(z.strictObject({ value: z.string(), label: z.string(), count: z.int(), isChosen: z.boolean() })),
})

export const listing = z
  .strictObject({
    total: z.int().meta({ description: 'How many match the filters' }),
    inScope: z.int().meta({ description: 'How many there are without filters' }),
    notFitting: z.int().meta({ description: 'How many of the matches do not fit the vehicle; they come last' }),
    vehicle: z.string().nullable(),
    names: z.strictObject({
      sizes: z.array(z.strictObject({ front: z.string(), rear: z.string() })),
      brand: named.nullable(),
      type: named.nullable(),
      category: named.nullable(),
    }),
    fromCents: cents,
    offers: z.array(tireOffer),
    next: z.string().nullable().meta({ description: 'The cursor of the next page; null at the end' }),
    facets: z.array(facet).meta({ description: 'The available filters, with how many tires each option would leave' }),
    picks: z
      .array(z.strictObject({ reason: z.string(), key: z.string() }))
      .meta({ description: 'Up to five recommendations from the whole listing, regardless of filters' }),
  })
  .meta({ id: 'Listing' })

export const listingOperations = [
  operation({
    id: 'listTires',
    method: 'get',
    path: '/tires',
    area: 'Catalog',
    summary: 'List tires',
    description:
      'Send at least one of `size`, `vehicle`, `brand`, `type`, `category` and `rim`. With a size or a vehicle, the list has tires (or front and rear sets), otherwise product lines. Each version of a model in a size, such as another load index, is a tire of its own, and counts as one; the store’s pages show the versions on one card. With a vehicle, every tire gets a fitment verdict; without a size, the vehicle’s sizes are used.\n\nList filters can be repeated; a tire matches if it has any of the values.',
    audience: 'anyone',
    sharedSeconds: 60,
    query: z.strictObject({
      ...scope,
      ...forWhom,
      ...filters,
      sort: z.enum(sorts).default('best'),
      limit: z.enum(['24', '48', '96']).default('24').meta({ description: 'How many per page' }),
      cursor: cursor.optional(),
    }),
    result: listing,
    refuses: ['NothingThere', 'UnknownVehicle', 'UnknownZip'],
    async handle({ app, caller, query }) {
      const who = await readForWhom(app, caller.visitor, query)
      if (!who.ok) return who
      const within = scopeOf(query, who.value.requirement)
      if (typeof within === 'string') return problem('BadRequest', within)
      const { cursor: at, ...mark } = query
      const asked = listingQuery(mark)
      const place = at === undefined ? undefined : placeOf(at, mark)
      if (place && !place.ok) return place
      const [page, after] = place ? place.value.split(' ') : ['1', undefined]
      const found = await listTires(app.catalog, {
        ...who.value,
        scope: within,
        query: { ...asked, page: Number(page), after: after ?? null },
      })
      if (!found.ok) return problem('NothingThere', 'No tires match this combination. Remove part of it.')
      const { total, inScope, notFitting, names, fromCents, offers, facets, picks } = found.value
      const last = offers.at(-1)
      const isMore = found.value.page < found.value.pages
      return answer({
        total,
        inScope,
        notFitting,
        vehicle: who.value.vehicle,
        names: { ...names, sizes: [...names.sizes] },
        fromCents,
        offers: offers.map((offer) => offerView(offer, who.value.shippingTo)),
        next: last && isMore ? cursorAt(`${found.value.page + 1} ${last.key}`, mark) : null,
        facets: facets.map(({ name, options }) => ({
          name,
          options: options.map(({ value, label, count, isChosen }) => ({ value, label, count, isChosen })),
        })),
        picks: picks.map(({ reason, offer }) => ({ reason, key: offer.key })),
      })
    },
  }),
  operation({
    id: 'recommendTires',
    method: 'get',
    path: '/recommendations',
    area: 'Catalog',
    summary: `Recommend ${countOf(TOP_PICKS, 'tire')}`,
    description: 'Send a size or a vehicle, and answer all four questions.',
    audience: 'anyone',
    sharedSeconds: 60,
    query: z.strictObject({
      size: scope.size,
      rearSize: scope.rearSize,
      ...forWhom,
      weather: oneOf(questions.weather),
      roads: oneOf(questions.roads),
      priority: oneOf(questions.priority),
      miles: oneOf(questions.miles),
    }),
    result: z.array(z.strictObject({ offer: tireOffer, reasons: z.array(z.string()) })),
    refuses: ['UnknownVehicle', 'UnknownZip'],
    async handle({ app, caller, query }) {
      const who = await readForWhom(app, caller.visitor, query)
      if (!who.ok) return who
      const within = scopeOf({ size: query.size, rearSize: query.rearSize }, who.value.requirement)
      if (typeof within === 'string') return problem('BadRequest', within)
      const { weather, roads, priority, miles } = query
      const found = await recommendTires(app.catalog, {
        ...who.value,
        scope: within,
        answers: { weather, roads, priority, miles },
      })
      return answer(
        found.map(({ offer, reasons }) => ({ offer: offerView(offer, who.value.shippingTo), reasons: [...reasons] })),
      )
    },
  }),
]

function oneOf<Answer extends string>({ text, answers }: { text: string; answers: Readonly<Record<Answer, string>> }) {
  return z
    .enum(Object.keys(answers) as [Answer, ...Answer[]])
    .meta({ description: text, examples: [Object.keys(answers)[0]] })
}

/** The requested scope, or why it is invalid. */
type Scoped = { [Part in keyof typeof scope]?: z.output<(typeof scope)[Part]> }

function scopeOf(
  { size, rearSize, brand, type, category, rim }: Scoped,
  requirement: Requirement | undefined,
): ListingScope | string {
  if (rearSize !== undefined && size === undefined) return 'A rear size requires a front size.'
  if (size !== undefined && rim !== undefined) return 'Send a size or a rim, not both.'
  const filters = { brand, type, category }
  if (size !== undefined) return { ...filters, sizes: [{ front: size, rear: rearSize ?? size }] }
  const sizes = requirement && sizePairsOf(requirement)
  if (sizes)
    return sizes.length > 0
      ? { ...filters, sizes }
      : 'No size is known for this vehicle. Send the size from the door label.'
  if (rim === undefined && brand === undefined && type === undefined && category === undefined)
    return 'Send a size, a vehicle, a brand, a type, a category or a rim.'
  return { ...filters, rimIn: rim }
}

/** Returns the query in the store's URL format because both use the same parser. */
function listingQuery(question: Record<string, unknown>): ListingQuery {
  const params = new URLSearchParams()
  const spelled: Record<string, string> = { limit: 'size', minDollars: 'min', maxDollars: 'max' }
  // Brand, type and category are the scope here, not a filter within it.
  const parts = new Set(['size', 'rearSize', 'brand', 'type', 'category', 'rim', 'zip', 'vehicle'])
  for (const [name, value] of Object.entries(question)) {
    if (parts.has(name)) continue
    for (const each of Array.isArray(value) ? value : [value])
      if (typeof each === 'string' || typeof each === 'number') params.append(spelled[name] ?? name, `${each}`)
  }
  return parseQuery(params)
}
