/** Tools that find vehicles and tires. */
import { z } from 'zod'
import { perform } from '#api/perform.ts'
import { searchResult } from '#api/routes/finding.ts'
import { listing } from '#api/routes/listings.ts'
import { product } from '#api/routes/articles.ts'
import { vehicle as vehicleView, vehicleChoices } from '#api/routes/vehicles.ts'
import { level, zip } from '#api/schemas.ts'
import { offerView, readForWhom, tireOffer } from '#api/tires.ts'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import { sorts } from '#domain/catalog/catalog/catalog.ts'
import { parseTireSize, sizeSlug } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { decodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { formatCents } from '#platform/money.ts'
import { applicationOf } from '#api/read-call.ts'
import { itemId, name, vehicle } from '#mcp/arguments.ts'
import { told, tool, type ToolCall } from '#mcp/tool.ts'
import { countOf, countOrNone } from '#platform/count-text.ts'

const label = z.string().min(5).max(40)
const size = z
  .string()
  .max(40)
  .transform((text, context) => {
    const read = parseTireSize(text)
    if (read) return sizeSlug(read)
    context.addIssue('Write the size as on a tire, such as 225/65R17.')
    return z.NEVER
  })

const searchInput = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Free text: a size, a brand, a line, a vehicle or an article number; alone' }),
  size: size.optional().meta({ description: 'The size on the sidewall or door label, such as 225/65R17' }),
  rearSize: size.optional().meta({ description: 'The rear size, if different' }),
  vehicle: vehicle.optional(),
  brand: name('A brand').optional(),
  type: name('A type, such as all-season or winter').optional(),
  category: name('A category, such as touring-all-season').optional(),
  rim: z.number().min(8).max(30).optional().meta({ description: 'Wheel diameter in inches, instead of a size' }),
  zip: zip.optional().meta({ description: 'Adds prices out the door and dates near this ZIP' }),
  verdicts: z
    .array(level)
    .min(1)
    .max(4)
    .optional()
    .meta({ description: 'Only tires with these verdicts for the vehicle' }),
  minDollars: z.int().min(0).max(100_000).optional().meta({ description: 'Whole dollars per tire' }),
  maxDollars: z.int().min(0).max(100_000).optional(),
  sort: z.enum(sorts).default('best'),
  cursor: z
    .string()
    .max(400)
    .optional()
    .meta({ description: 'The `next` of the page before, with the same arguments' }),
})
type Search = z.output<typeof searchInput>

const found = listing.pick({
  total: true,
  inScope: true,
  notFitting: true,
  vehicle: true,
  fromCents: true,
  offers: true,
  next: true,
})

async function searchByWords(call: ToolCall, { query, zip: at, sort }: Search & { query: string }) {
  const searched = await perform('search', searchResult, { query: { q: query } }, call)
  if (!searched.ok) return searched
  const { place, suggestions, meant } = searched.value
  const scope = place?.kind === 'listing' || place?.kind === 'rim' ? scopeOf(place.parts) : undefined
  if (!scope) {
    const text = place
      ? `“${query}” leads to the page ${place.path}.`
      : suggestions.length === 0
        ? `No results for “${query}”. Use a size, vehicle or brand.`
        : `“${query}” can mean ${countOf(suggestions.length, 'thing')}. Use a suggestion, or size, vehicle or brand.`
    return told({ listing: null, place, suggestions, meant }, text)
  }
  const listed = await perform('listTires', listing, { query: { ...scope, zip: at, sort } }, call)
  if (!listed.ok) return listed
  return told({ listing: found.strip().parse(listed.value), place, suggestions, meant }, listingText(listed.value))
}

/** Returns the parts of a place that a listing can filter by. */
function scopeOf(parts: Readonly<Record<string, string | number>>): Record<string, unknown> | undefined {
  const { size: of, brand, type, category, rimIn } = parts
  const scope = { size: of, brand, type, category, rim: rimIn }
  return Object.values(scope).some((part) => part !== undefined) ? scope : undefined
}

function listingText({ total, vehicle: fits, offers }: z.output<typeof listing>): string {
  const [first] = offers
  const best = first
    ? ` First: ${first.brand.name} ${first.line.name}, ${formatCents(first.perTireCents)} per tire${shippingText(first)}.`
    : ''
  return `${countOrNone(total, 'match', 'matches')}${fits === null ? '' : ` for the ${fits}`}.${best}`
}

/** " plus $34.75 shipping": what the price of a tire is without; empty where shipping is free or not known. */
function shippingText({ shippingPerTireCents: cents }: { shippingPerTireCents: number | null }): string {
  return cents ? ` plus ${formatCents(cents)} shipping` : ''
}

export const findingTools = [
  tool({
    name: 'find_vehicle',
    title: 'Find a vehicle',
    description:
      'Finds a vehicle by year, make and model and returns its key, which the other tools take as `vehicle`. With partial input, it lists the choices for year, make, or model. Send the driver’s confirmed details, such as the trim, one of the listed fitments, the label at the driver’s door. Without the label a listed match is never a plain fit.',
    audience: 'anyone',
    effect: 'read',
    input: z.strictObject({
      year: z
        .int()
        .min(1950)
        .max(2100)
        .optional()
        .meta({ examples: [2021] }),
      make: name('The make').optional(),
      model: name('The model').optional(),
      trim: name('The trim').optional(),
      fitment: itemId.optional().meta({ description: 'The id of one of the trim’s fitments', examples: undefined }),
      labelConfirmed: z.boolean().optional().meta({ description: 'A person read the door label and it matches' }),
      labelFront: label.optional().meta({ description: 'The front tire as on the label, such as 235/60R18 103H' }),
      labelRear: label.optional().meta({ description: 'The rear tire, if different' }),
      allWheelDrive: z.boolean().optional().meta({ description: 'Leave out if unknown' }),
    }),
    output: z.strictObject({ choices: vehicleChoices.nullable(), vehicle: vehicleView.nullable() }),
    async run(call, { year, make, model, labelConfirmed, allWheelDrive, ...confirmed }) {
      if (year === undefined || make === undefined || model === undefined) {
        const listed = await perform('listVehicleChoices', vehicleChoices, { query: { year, make, model } }, call)
        if (!listed.ok) return listed
        const missing = year === undefined ? 'year' : make === undefined ? 'make' : 'model'
        return told({ choices: listed.value, vehicle: null }, `Choose a ${missing} from the list.`)
      }
      const query = {
        ...confirmed,
        confirmed: flagOf(labelConfirmed),
        allWheelDrive: flagOf(allWheelDrive),
      }
      const read = await perform('findVehicle', vehicleView, { params: { year, make, model }, query }, call)
      if (!read.ok) return read
      const { name: called, sizes, trims } = read.value
      const text = `${called}: ${countOf(trims.length, 'trim')}, ${sizes.length === 0 ? 'no size known; ask for the door label' : `sizes ${sizes.map(({ front, rear }) => (front === rear ? front : `${front} and ${rear}`)).join(', ')}`}.`
      return told({ choices: null, vehicle: read.value }, text)
    },
  }),
  tool({
    name: 'search_catalog',
    title: 'Search tires',
    description:
      'Lists tires by size, vehicle, brand, type or wheel diameter, 24 at a time, with price per tire and, given a vehicle, whether each fits. With a ZIP each has a price out the door at the nearest shop that installs it. `query` alone searches by words.',
    audience: 'anyone',
    effect: 'read',
    input: searchInput,
    output: z.strictObject({ listing: found.nullable(), ...searchResult.shape }),
    async run(call, input) {
      const { query, verdicts, ...asked } = input
      if (query !== undefined) return searchByWords(call, { ...input, query })
      const listed = await perform('listTires', listing, { query: { ...asked, verdict: verdicts } }, call)
      if (!listed.ok) return listed
      const value = { listing: found.strip().parse(listed.value), place: null, suggestions: [], meant: null }
      return told(value, listingText(listed.value))
    },
  }),
  tool({
    name: 'get_product',
    title: 'Get a tire',
    description:
      'Full details for one item, with price with excise tax, stock, specifications, ratings, other sizes, the fit of four of it if a vehicle is sent, and what shipping adds if a ZIP is sent.',
    audience: 'anyone',
    effect: 'read',
    input: z.strictObject({ itemId, vehicle: vehicle.optional(), zip: zip.optional() }),
    output: product,
    async run(call, { itemId: of, vehicle: fits, zip: at }) {
      const read = await perform(
        'readTire',
        product,
        { params: { itemId: of }, query: { vehicle: fits, zip: at } },
        call,
      )
      if (!read.ok) return read
      const { brand, line, size: in_, unitCents, units, fit } = read.value
      const verdict = fit ? ` ${fit.headline}.` : ''
      return told(
        read.value,
        `${brand.name} ${line.name} ${in_}: ${formatCents(unitCents)} per tire${shippingText(read.value)}, ${units} available.${verdict}`,
      )
    },
  }),
  tool({
    name: 'lookup_catalog',
    title: 'Look up tires by key',
    description:
      'Prices, stock, and fit for up to ten tires by key. A key is an item number such as 101234, or front and rear of a staggered set such as 101234-101240. Keys that are not sold come back in `notFound`.',
    audience: 'anyone',
    effect: 'read',
    input: z.strictObject({
      keys: z
        .array(
          z
            .string()
            .max(20)
            .regex(/^[1-9]\d{0,8}(-[1-9]\d{0,8})?$/, 'A key is an article number, or two such as 101234-101240.'),
        )
        .min(1)
        .max(10),
      vehicle: vehicle.optional(),
      zip: zip.optional(),
    }),
    output: z.strictObject({ offers: z.array(tireOffer), notFound: z.array(z.string()) }),
    async run(call, { keys, vehicle: key, zip: at }) {
      const app = await applicationOf(call.app, call.caller)
      const chosen = key === undefined ? undefined : decodeChosenVehicle(key)
      const who = await readForWhom(app, call.caller.visitor, { vehicle: chosen, zip: at })
      if (!who.ok) return who
      const wanted = [...new Set(keys)]
      const offers = (await findOffers(app.catalog, wanted, who.value)).map((offer) =>
        offerView(offer, who.value.shippingTo),
      )
      const there = new Set(offers.map((offer) => offer.key))
      const notFound = wanted.filter((each) => !there.has(each))
      return told({ offers, notFound }, `${offers.length} of ${wanted.length} found.`)
    },
  }),
]

function flagOf(value: boolean | undefined): '0' | '1' | undefined {
  return value === undefined ? undefined : value ? '1' : '0'
}
