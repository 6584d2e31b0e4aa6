/** The fields that the forms of promotions, coupons, and rebates share. Safe in the browser. */
import { z } from 'zod'
import {
  filterSeasons,
  filterVehicleClasses,
  type FilterPart,
  type TireFilter,
} from '#domain/catalog/catalog/catalog.ts'
import { countOf } from '#platform/count-text.ts'

/** A line of text as staff type it, within its length. */
export const officeText = (least: number, most: number) =>
  z
    .string(`Enter ${least} to ${countOf(most, 'character')}.`)
    .trim()
    .min(least, `Enter ${least} to ${countOf(most, 'character')}.`)
    .max(most, `Enter ${least} to ${countOf(most, 'character')}.`)
    .refine((value) => !/[<>{}\\]/.test(value), 'Leave out < > { } and \\.')

export const subjectField = z
  .string()
  .trim()
  .toLowerCase()
  .max(120, 'Please keep this under 120 characters.')
  .default('')

const optionalWord = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Please keep this under ${countOf(max, 'character')}.`)
    .default('')
    .transform((word) => (word === '' ? null : word))

const optionalChoice = <Name extends string>(names: Readonly<Record<Name, string>>) =>
  z
    .literal(['', ...(Object.keys(names) as Name[])], 'Choose one.')
    .optional()
    .transform((name): Name | null => (name === '' || name === undefined ? null : name))

/** The optional filter fields of promotions and coupons. */
export const filterFields = {
  type: optionalWord(60).describe('The slug of a tire type'),
  category: optionalWord(60).describe('The slug of a category'),
  size: optionalWord(40).describe('A size such as 225/65R17'),
  season: optionalChoice(filterSeasons),
  vehicleClass: optionalChoice(filterVehicleClasses),
  supplier: optionalWord(10).describe('The code of a supplier with the tire in a warehouse'),
}

/** Why a part of a filter is refused. */
export const unknownPartMessages: Readonly<Record<FilterPart, string>> = {
  type: 'Choose a tire type.',
  category: 'Choose a category.',
  size: 'Enter a size of the catalog, such as 225/65R17.',
  season: 'Choose a season.',
  vehicleClass: 'Choose a vehicle class.',
  supplier: 'Choose a supplier.',
}
export const filterOfOneMessage = 'A single tire or service can’t be narrowed. Leave this blank.'

/** Returns a filter’s form fields, which are empty without a filter. */
export function filterValues(filter: TireFilter | null): Record<FilterPart, string> {
  return {
    type: filter?.type ?? '',
    category: filter?.category ?? '',
    size: filter?.size ?? '',
    season: filter?.season ?? '',
    vehicleClass: filter?.vehicleClass ?? '',
    supplier: filter?.supplier ?? '',
  }
}

/** The draft version that the user saw. */
export const versionField = z.coerce.number('Reload the page.').int().min(1, 'Reload the page.').max(2_000_000_000)

export const endForm = z.object({ reason: officeText(3, 200) })
