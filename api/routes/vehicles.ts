/** Years, makes, models and trims; a vehicle with its known tire data, and the key that identifies it elsewhere. */
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { flag, itemId, slug, year } from '#api/schemas.ts'
import { parseTire, sizeSlug as slugOf, tireDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { sizePairsOf } from '#domain/catalog/catalog/catalog.server.ts'
import { plateRefusalText, vinRefusalText } from '#content/messages/vehicles.ts'
import {
  encodeChosenVehicle,
  trimText,
  type ChosenVehicle,
  type ListedTire,
  type PlateRefusal,
  type VinRefusal,
} from '#domain/catalog/vehicles/vehicles.ts'
import {
  findByPlate,
  findByVin,
  findChosenVehicle,
  findVehicle,
  listChoices,
  type VehicleFound,
  type VinVehicle,
} from '#domain/catalog/vehicles/vehicles.server.ts'

const choice = z.strictObject({
  slug: z.string(),
  name: z.string(),
  hasSizes: z
    .boolean()
    .meta({ description: 'Whether original sizes are listed. If not, use the size on the door label.' }),
})

const tire = z.strictObject({
  size: z.string(),
  sizeSlug: z.string().nullable(),
  loadIndex: z.int().nullable(),
  speed: z.string().nullable(),
})

const offset = z.strictObject({ min: z.number(), max: z.number() }).nullable()
const wheels = z
  .strictObject({
    frontPsi: z.number().nullable().meta({ description: 'Cold pressure, in psi' }),
    rearPsi: z.number().nullable().meta({ description: 'Cold pressure, in psi' }),
    frontOffsetMm: offset,
    rearOffsetMm: offset,
    boltPattern: z
      .string()
      .nullable()
      .meta({ examples: ['5x114.3'] }),
    hubBoreMm: z.number().nullable(),
    tpms: z.enum(['direct', 'indirect', 'none']).nullable(),
    torqueLbFt: z.number().nullable().meta({ description: 'Torque for lug nuts or bolts, in pound-feet' }),
    sources: z.array(z.strictObject({ name: z.string(), date: z.string() })),
  })
  .nullable()
  .meta({ description: 'Wheel data; null if no source has any, and a value is null if sources differ' })

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
        .meta({ description: 'A weak row failed some data checks and never yields a plain `fits`.' }),
      wheels,
    }),
  ),
})

export const vehicle = z
  .strictObject({
    key: z.string().meta({
      description: 'The key of this vehicle with all its selections, for listings, verdicts and carts',
    }),
    name: z.string(),
    isSized: z.boolean().meta({ description: 'Whether its original sizes are listed' }),
    isConfirmed: z.boolean().meta({ description: 'Whether the shopper confirmed the door label' }),
    trims: z.array(trim).meta({ description: 'The possible trims' }),
    sizes: z
      .array(z.strictObject({ front: z.string(), rear: z.string() }))
      .meta({ description: 'The possible sizes, as slugs' }),
  })
  .meta({ id: 'Vehicle' })

export const vehicleChoices = z.strictObject({
  years: z.array(z.int()),
  makes: z.array(choice),
  models: z.array(choice),
  trims: z.array(choice),
})

const label = z
  .string()
  .max(40)
  .transform((text, context) => {
    const read = parseTire(text)
    if (read) return tireDesignation(read)
    context.addIssue('Write the size as on the label, such as 235/60R18 103H.')
    return z.NEVER
  })

const match = z
  .strictObject({
    year: z.int(),
    make: z.string().meta({ description: 'Slug' }),
    model: z.string().meta({ description: 'Slug' }),
    trim: z.string().nullable().meta({ description: 'Slug; null if the vehicle can be one of several trims' }),
  })
  .meta({ id: 'VehicleMatch' })

/** The answer to a VIN or plate, which a client passes to `findVehicle`. */
function matchOf({ year: of, makeSlug: make, modelSlug: model, trimSlug }: VinVehicle) {
  return answer({ year: of, make, model, trim: trimSlug })
}

function lookupProblem(refusal: VinRefusal | PlateRefusal, text: string) {
  if (refusal.reason === 'unavailable') return problem('Unavailable', text)
  if (refusal.reason !== 'too-many') return problem('UnknownVehicle', text)
  return problem('TooManyAttempts', text, { headers: { 'retry-after': String(refusal.detail.retryAfterSeconds) } })
}

export const vehicleOperations = [
  operation({
    id: 'findVehicleByVin',
    method: 'post',
    path: '/vehicles/by-vin',
    area: 'Vehicles',
    summary: 'Find a vehicle by VIN',
    description: 'Decodes the VIN, which we don’t store. Then get the vehicle with its sizes.',
    audience: 'anyone',
    once: { isRequired: false, by: 'again' },
    body: z.strictObject({
      vin: z
        .string()
        .max(40)
        .meta({ examples: ['2HKRW2H53KH612345'] }),
    }),
    result: match,
    refuses: ['UnknownVehicle', 'TooManyAttempts'],
    async handle({ app, caller, body }) {
      const found = await findByVin(app, { typed: body.vin, from: caller.visitor.networkKey })
      return found.ok ? matchOf(found.value) : lookupProblem(found, vinRefusalText(found))
    },
  }),
  operation({
    id: 'findVehicleByPlate',
    method: 'post',
    path: '/vehicles/by-plate',
    area: 'Vehicles',
    summary: 'Find a vehicle by license plate',
    description: 'Looks up the plate, which we don’t store, if the store has a provider for it.',
    audience: 'anyone',
    once: { isRequired: false, by: 'again' },
    body: z.strictObject({
      plate: z
        .string()
        .max(20)
        .meta({ examples: ['CRV2019'] }),
      state: z
        .string()
        .max(20)
        .meta({ description: 'Code or name of the US state', examples: ['IL'] }),
    }),
    result: match,
    refuses: ['UnknownVehicle', 'TooManyAttempts'],
    async handle({ app, caller, body: { plate: typed, state } }) {
      const found = await findByPlate(app, { typed, state, from: caller.visitor.networkKey })
      return found.ok ? matchOf(found.value) : lookupProblem(found, plateRefusalText(found))
    },
  }),
  operation({
    id: 'listVehicleChoices',
    method: 'get',
    path: '/vehicles',
    area: 'Vehicles',
    summary: 'List years, makes, models and trims',
    description: 'Always returns years; makes with a year, models with a make, trims with a model.',
    audience: 'anyone',
    sharedSeconds: 300,
    query: z.strictObject({ year: year.optional(), make: slug('toyota').optional(), model: slug('rav4').optional() }),
    result: vehicleChoices,
    async handle({ app, query }) {
      return answer(await listChoices(app, { year: query.year, makeSlug: query.make, modelSlug: query.model }))
    },
  }),
  operation({
    id: 'findVehicle',
    method: 'get',
    path: '/vehicles/{year}/{make}/{model}',
    area: 'Vehicles',
    summary: 'Get a vehicle with its trims and original sizes',
    description:
      'The query has the details that the shopper confirmed, such as the trim, one of its sizes, that the door label matches, what the label shows if it differs, and whether the vehicle has all-wheel drive. The returned key includes all of it.',
    audience: 'anyone',
    sharedSeconds: 300,
    params: z.strictObject({ year, make: slug('toyota'), model: slug('rav4') }),
    query: z.strictObject({
      trim: slug('xle').meta({ examples: undefined }).optional(),
      fitment: itemId.optional().meta({ description: 'The id of one of the trim’s fitments' }),
      confirmed: flag.optional().meta({ description: '`1` if the shopper read the door label' }),
      labelFront: label.optional().meta({ description: 'The front tire as on the door label, such as 235/60R18 103H' }),
      labelRear: label.optional().meta({ description: 'The rear tire; the same as the front one if omitted' }),
      allWheelDrive: flag.optional().meta({ description: '`1` for all-wheel drive, `0` for not; omit if unknown' }),
    }),
    result: vehicle,
    refuses: ['UnknownVehicle'],
    async handle({ app, params, query }) {
      const asked = { year: params.year, makeSlug: params.make, modelSlug: params.model, trimSlug: query.trim }
      const found = await findVehicle(app, asked)
      if (!found.ok) return problem('UnknownVehicle')
      const chosen = settled(found.value, params, query)
      if (query.fitment !== undefined && chosen.fitmentId === null)
        return problem('UnknownVehicle', 'This trim doesn’t have that fitment. Send the trim and one of its fitments.')
      const read = await findChosenVehicle(app, chosen)
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
                  wheels: fitment.wheels ?? null,
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
