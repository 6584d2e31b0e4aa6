/** The vehicle a shopper chose, and its encoding in cookies and carts. */
import { z } from 'zod'
import { parseTire, tireDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'

const slug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
/** A tire as read from the label; stored in the canonical spelling of `tireDesignation`. */
const tireText = z
  .string()
  .max(40)
  .transform((text, context) => {
    const tire = parseTire(text)
    if (tire) return tireDesignation(tire)
    context.addIssue('Write the size as on the label, like 235/60R18 103H.')
    return z.NEVER
  })

/**
 * The shopper's vehicle. `vehicleId` is null while the trim is unknown, or if only the model is known. `fitmentId` is
 * null while several original sizes are possible. `confirmed` means that the shopper checked the placard. `label` has
 * the placard data entered by the shopper. `allWheelDrive` is the shopper's answer, because our data has the drive of
 * few vehicles. Missing until answered.
 */
export const chosenVehicleSchema = z
  .object({
    vehicleId: z.number().int().positive().nullable(),
    fitmentId: z.number().int().positive().nullable(),
    year: z.number().int().min(1950).max(2100),
    makeSlug: slug,
    modelSlug: slug,
    /** For the header, which must not query the database. Anything that decides reads the vehicle again. */
    name: z.string().min(1).max(90),
    confirmed: z.boolean(),
    label: z.object({ front: tireText, rear: tireText }).nullable(),
    allWheelDrive: z.boolean().optional(),
  })
  .refine((chosen) => chosen.fitmentId === null || chosen.vehicleId !== null, 'A size was chosen without a vehicle.')
  .refine((chosen) => chosen.label === null || chosen.confirmed, 'Typing the placard size counts as confirmation.')

export type ChosenVehicle = z.infer<typeof chosenVehicleSchema>

/**
 * Encodes a choice as short text of letters, digits and `-._~()!`, usable as is in a cookie, form field or URL.
 * Version, ids, year, slugs, confirmed, label, name, separated by "~"; followed, once answered, by "all" or "two" for
 * the driven wheels.
 */
export function encodeChosenVehicle(chosen: ChosenVehicle): string {
  const label =
    chosen.label === null
      ? ['', '']
      : [chosen.label.front, chosen.label.rear === chosen.label.front ? '' : chosen.label.rear]
  const ids = [chosen.vehicleId, chosen.fitmentId].map((id) => (id === null ? '' : id.toString(36)))
  const drive = chosen.allWheelDrive === undefined ? [] : [chosen.allWheelDrive ? 'all' : 'two']
  const said = [chosen.confirmed ? '1' : '', ...label.map(escapeText), escapeText(chosen.name), ...drive]
  return ['1', ...ids, chosen.year, chosen.makeSlug, chosen.modelSlug, ...said].join('~')
}

/** Decodes it; undefined for anything incomplete, so that a damaged cookie is ignored. */
export function decodeChosenVehicle(text: string): ChosenVehicle | undefined {
  const parts = text.split('~')
  const [
    version,
    vehicleId = '',
    fitmentId = '',
    year = '',
    makeSlug,
    modelSlug,
    confirmed,
    front,
    rear,
    name = '',
    drive,
  ] = parts
  if (parts.length < 10 || parts.length > 11 || version !== '1') return undefined
  if (drive !== undefined && drive !== 'all' && drive !== 'two') return undefined
  const id = (digits: string) => (digits === '' ? null : Number.parseInt(digits, 36))
  const read = chosenVehicleSchema.safeParse({
    vehicleId: id(vehicleId),
    fitmentId: id(fitmentId),
    year: Number(year),
    makeSlug,
    modelSlug,
    confirmed: confirmed === '1',
    label: readLabel(front, rear),
    name: unescapeText(name),
    ...(drive ? { allWheelDrive: drive === 'all' } : {}),
  })
  return read.success ? read.data : undefined
}

/** The label as read by the shopper; an empty rear equals the front. */
function readLabel(front = '', rear = ''): { front: string; rear: string } | null {
  if (front === '') return null
  return { front: unescapeText(front), rear: unescapeText(rear === '' ? front : rear) }
}

/**
 * Escapes everything but letters, digits, "-", "." and "_" as "!hex." of its code point; a space, the most common,
 * becomes "_", and "_" "!5f.".
 */
function escapeText(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9\-. ]/gu, (character) => `!${character.codePointAt(0)?.toString(16)}.`)
    .replaceAll(' ', '_')
}

function unescapeText(text: string): string {
  return text.replaceAll('_', ' ').replaceAll(/!([0-9a-f]{1,6})\./g, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
