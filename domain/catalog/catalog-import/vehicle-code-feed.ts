import { z } from 'zod'
import { oneOf, optional, required, whole, type Reader } from './cells.ts'
import { disagree, makeFeed, type Feed } from './feed.ts'
import { name } from './tire-cells.ts'

/** Kinds of codes in ACES and PIES files. */
const vehicleCodeKinds = ['base-vehicle', 'make', 'model', 'submodel', 'position', 'brand', 'price-type'] as const

const code: Reader<string> = {
  expected: 'the number in the licensed list, the four letters of a brand, or three for a price type',
  problem: 'is not a code',
  read(text) {
    const upper = text.toUpperCase()
    return /^(?:[1-9]\d{0,8}|[A-Z]{4}|[A-Z][A-Z0-9]{2})$/.test(upper) ? upper : undefined
  },
}

const cells = z.object({
  kind: required(oneOf(vehicleCodeKinds)),
  code: required(code),
  year: optional(whole(1900, 2100), null),
  make: optional(name, null),
  model: optional(name, null),
  name: optional(name, null),
})

/** Codes in ACES and PIES files. A base vehicle is a year, make and model; every other code has a name. */
export const vehicleCodeFeed: Feed = makeFeed({
  table: 'import_vehicle_code',
  columns: Object.keys(cells.shape),
  required: ['kind', 'code'],
  staged: ['kind', 'code', 'year', 'make', 'make_slug', 'model', 'model_slug', 'name', 'slug'],
  row: cells
    .superRefine((row, context) => {
      const wanted = row.kind === 'base-vehicle' ? (['year', 'make', 'model'] as const) : (['name'] as const)
      for (const column of wanted) if (row[column] === null) disagree(context, column, 'is empty', `the ${column}`)
    })
    .transform((row) => {
      const isVehicle = row.kind === 'base-vehicle'
      const [make, model, named] = isVehicle ? [row.make, row.model, null] : [null, null, row.name]
      return {
        kind: row.kind,
        code: row.code,
        year: isVehicle ? row.year : null,
        make: make?.name ?? null,
        make_slug: make?.slug ?? null,
        model: model?.name ?? null,
        model_slug: model?.slug ?? null,
        name: named?.name ?? null,
        slug: named?.slug ?? null,
      }
    }),
  key: cells.pick({ kind: true, code: true }),
})
