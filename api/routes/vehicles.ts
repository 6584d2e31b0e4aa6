/**
 * Years, makes, models and trims; a vehicle with what is known of its tires, and the key that stands for it elsewhere.
 */
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { flag, itemId, slug, year } from '#api/schemas.ts'
import { parseTire, sizeSlug as slugOf, tireDesignation } from '#domain/fitment/fitment.ts'
import { sizePairsOf } from '#domain/catalog/catalog.server.ts'
import { encodeChosenVehicle, trimText, type ChosenVehicle, type ListedTire } from '#domain/vehicles/vehicles.ts'
import { findChosenVehicle, findVehicle, listChoices, type VehicleFound } from '#domain/vehicles/vehicles.server.ts'

const choice = z.strictObject({
  slug: z.string(),
  name: z.string(),
  hasSizes: z
    .boolean()
    .meta({ description: 'Whether original sizes are listed. Where not, the size comes from the door label.' }),
})

const tire = z.strictObject({
  size: z.string(),
  sizeSlug: z.string().nullable(),
  loadIndex: z.int().nullable(),
  speed: z.string().nullable(),
})

const trim = z.strictObject({
  slug: z.string(),
  name: z.string(),
  fitments: z.array(
    z.strictObject({
      id: z.int(),
      front: tire,
      rear: tire,
      isStaggered: z.boolean(),
      source: z
        .enum(['catalog', 'weak'])
        .meta({ description: 'A weak row did not pass the checks of the data, and never leads to a plain "fits".' }),
    }),
  ),
})

const vehicle = z
  .strictObject({
    key: z.string().meta({
      description: 'Stands for this vehicle and all that was settled about it, in listings, verdicts and carts',
    }),
    name: z.string(),
    isSized: z.boolean().meta({ description: 'Whether its original sizes are listed' }),
    isConfirmed: z.boolean().meta({ description: 'Whether the shopper read the door label' }),
    trims: z.array(trim).meta({ description: 'The trims it may be' }),
    sizes: z
      .array(z.strictObject({ front: z.string(), rear: z.string() }))
      .meta({ description: 'The sizes it may have, as they stand in addresses' }),
  })
  .meta({ id: 'Vehicle' })

const label = z
  .string()
  .max(40)
  .transform((text, context) => {
    const read = parseTire(text)
    if (read) return tireDesignation(read)
    context.addIssue('Write the size as on the label, like 235/60R18 103H.')
    return z.NEVER
  })

export const vehicleOperations = [
  operation({
    id: 'listVehicleChoices',
    method: 'get',
    path: '/vehicles',
    area: 'Vehicles',
    summary: 'List years, makes, models and trims',
    description: 'Years at once; makes with a year, models with a make, trims with a model.',
    audience: 'anyone',
    sharedSeconds: 300,
    query: z.strictObject({ year: year.optional(), make: slug('toyota').optional(), model: slug('rav4').optional() }),
    result: z.strictObject({
      years: z.array(z.int()),
      makes: z.array(choice),
      models: z.array(choice),
      trims: z.array(choice),
    }),
    async handle({ shop, query }) {
      return answer(await listChoices(shop, { year: query.year, makeSlug: query.make, modelSlug: query.model }))
    },
  }),
  operation({
    id: 'findVehicle',
    method: 'get',
    path: '/vehicles/{year}/{make}/{model}',
    area: 'Vehicles',
    summary: 'Get a vehicle with its trims and original sizes',
    description:
      'Everything in the query is what the shopper settled: the trim, which of its sizes, that the door label says so, what the label says where it says something else, and whether all wheels are driven. All of it is in the key of the answer.',
    audience: 'anyone',
    sharedSeconds: 300,
    params: z.strictObject({ year, make: slug('toyota'), model: slug('rav4') }),
    query: z.strictObject({
      trim: slug('xle').meta({ examples: undefined }).optional(),
      fitment: itemId.optional().meta({ description: 'The id of one of the fitments of the trim' }),
      confirmed: flag.optional().meta({ description: '`1` when the shopper read the door label' }),
      labelFront: label
        .optional()
        .meta({ description: 'The front tire as the door label has it, like 235/60R18 103H' }),
      labelRear: label.optional().meta({ description: 'The rear tire; as the front one if left out' }),
      allWheelDrive: flag
        .optional()
        .meta({ description: '`1` when all wheels are driven, `0` when not; left out while nobody asked' }),
    }),
    result: vehicle,
    refuses: ['UnknownVehicle'],
    async handle({ shop, params, query }) {
      const asked = { year: params.year, makeSlug: params.make, modelSlug: params.model, trimSlug: query.trim }
      const found = await findVehicle(shop, asked)
      if (!found.ok) return problem('UnknownVehicle')
      const chosen = settled(found.value, params, query)
      if (query.fitment !== undefined && chosen.fitmentId === null)
        return problem('UnknownVehicle', 'This trim has no such fitment. Name the trim and one of its fitments.')
      const read = await findChosenVehicle(shop, chosen)
      if (!read.ok) return problem('UnknownVehicle')
      return answer({
        key: encodeChosenVehicle(chosen),
        name: found.value.name,
        isSized: found.value.kind === 'sized',
        isConfirmed: chosen.confirmed,
        trims:
          found.value.kind === 'sized'
            ? found.value.trims.map(({ vehicle: { trimSlug, trim: name }, fitments }) => ({
                slug: trimSlug,
                name: trimText(name),
                fitments: fitments.map((fitment) => ({
                  ...fitment,
                  front: tireView(fitment.front),
                  rear: tireView(fitment.rear),
                })),
              }))
            : [],
        sizes: sizePairsOf(read.value.requirement),
      })
    },
  }),
]

type Settling = {
  fitment?: number | undefined
  confirmed?: boolean | undefined
  labelFront?: string | undefined
  labelRear?: string | undefined
  allWheelDrive?: boolean | undefined
}

function settled(
  found: VehicleFound,
  { year: modelYear, make, model }: { year: number; make: string; model: string },
  { fitment, confirmed, labelFront, labelRear, allWheelDrive }: Settling,
): ChosenVehicle {
  const trims = found.kind === 'sized' ? found.trims : []
  const [only, ...others] = trims
  const trimOf = others.length === 0 ? only : undefined
  const isListed = trimOf?.fitments.some(({ id }) => id === fitment) ?? false
  return {
    vehicleId: trimOf?.vehicle.id ?? null,
    fitmentId: isListed ? (fitment ?? null) : null,
    year: modelYear,
    makeSlug: make,
    modelSlug: model,
    name: found.name,
    confirmed: labelFront !== undefined || (confirmed ?? false),
    label: labelFront === undefined ? null : { front: labelFront, rear: labelRear ?? labelFront },
    ...(allWheelDrive !== undefined && { allWheelDrive }),
  }
}

function tireView(listed: ListedTire) {
  const read = parseTire(listed.size)
  return {
    size: listed.size,
    sizeSlug: read ? slugOf(read.size) : null,
    loadIndex: listed.loadIndex,
    speed: listed.speed,
  }
}
