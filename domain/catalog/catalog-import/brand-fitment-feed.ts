import { z } from 'zod'
import { slugOf } from '#platform/slug.ts'
import { date, oneOf, optional, required, text, whole, type Reader } from './cells.ts'
import { disagree, makeFeed, type Feed } from './feed.ts'
import { brandCode, name, partNumber } from './tire-cells.ts'

const id = whole(1, 999_999_999)
const year = whole(1900, 2100)

const company: Reader<{ name: string; slug: string }> = {
  expected: 'the name of a company of at most 100 characters',
  problem: 'is not a name',
  read(name) {
    const slug = slugOf(name)
    return slug !== '' && text(100).read(name) !== undefined ? { name, slug } : undefined
  },
}

const cells = z.object({
  action: required(oneOf(['A', 'D'])),
  part: required(partNumber(45)),
  brand_code: optional(brandCode, null),
  company: required(company),
  transferred_on: required(date),
  submission: required(oneOf(['FULL', 'UPDATE'])),
  base_vehicle: optional(id, null),
  first_year: optional(year, null),
  last_year: optional(year, null),
  make_code: optional(id, null),
  make: optional(name, null),
  model_code: optional(id, null),
  model: optional(name, null),
  submodel_code: optional(id, null),
  submodel: optional(name, null),
  position_code: optional(id, null),
  position: optional(text(100), null),
  quantity: required(whole(1, 99)),
  terms: optional(text(500), ''),
  equipment: optional(text(100), null),
})

/** The columns of a brand's applications, as the rows of an ACES file have them. */
export const brandFitmentColumns = Object.keys(cells.shape) as (keyof typeof cells.shape)[]

/** The vehicles that a brand lists its items for. */
export const brandFitmentFeed: Feed = makeFeed({
  table: 'import_brand_fitment',
  xml: 'aces',
  columns: brandFitmentColumns,
  required: ['action', 'part', 'company', 'transferred_on', 'submission', 'quantity'],
  staged: [
    'action',
    'part',
    'part_key',
    'brand_code',
    'company',
    'company_slug',
    'transferred_on',
    'is_full',
    'base_vehicle',
    'first_year',
    'last_year',
    'make_code',
    'make_slug',
    'model_code',
    'model_slug',
    'submodel_code',
    'submodel',
    'submodel_slug',
    'position_code',
    'position',
    'quantity',
    'terms',
  ],
  row: cells
    .superRefine((row, context) => {
      if (row.equipment !== null) disagree(context, 'equipment', 'is not about a road vehicle', vehicleNames)
      else if (!namesVehicle(row)) disagree(context, 'base_vehicle', 'names no vehicle', vehicleNames)
      if (row.first_year !== null && row.last_year !== null && row.first_year > row.last_year)
        disagree(context, 'last_year', 'is before the first year', 'the last year')
      if (row.submission === 'FULL' && row.action === 'D')
        disagree(context, 'action', 'removes an application from a file of all applications', 'A')
    })
    .transform((row) => ({
      ...sourceOf(row),
      action: row.action,
      base_vehicle: row.base_vehicle,
      first_year: row.first_year,
      last_year: row.last_year,
      make_code: row.make_code,
      make_slug: row.make?.slug ?? null,
      model_code: row.model_code,
      model_slug: row.model?.slug ?? null,
      submodel_code: row.submodel_code,
      submodel: row.submodel?.name ?? null,
      submodel_slug: row.submodel?.slug ?? null,
      position_code: row.position_code,
      position: row.position,
      axle: null,
      quantity: row.quantity,
      terms: row.terms,
      brand_id: null,
      item_id: null,
    })),
  // A refused application leaves its item's vehicles as they are.
  key: cells
    .pick({ part: true, brand_code: true, company: true, transferred_on: true, submission: true })
    .transform(sourceOf),
})

const vehicleNames = 'a base vehicle, or years with make and model'

type Row = z.output<typeof cells>

function namesVehicle(row: Row): boolean {
  if (row.base_vehicle !== null) return true
  const isNamed = (row.make_code ?? row.make) !== null && (row.model_code ?? row.model) !== null
  return isNamed && row.first_year !== null && row.last_year !== null
}

function sourceOf(row: Pick<Row, 'part' | 'brand_code' | 'company' | 'transferred_on' | 'submission'>) {
  return {
    part: row.part.number,
    part_key: row.part.key,
    brand_code: row.brand_code,
    company: row.company.name,
    company_slug: row.company.slug,
    transferred_on: row.transferred_on,
    is_full: row.submission === 'FULL',
  }
}
