/** The forms of shipping zones and exceptions. */
import { z } from 'zod'
import type { ShippingZoneKey } from '#domain/kernel/rates/rates.ts'
import { emptyOr } from '#platform/form-fields.ts'
import { formatCents } from '#platform/money.ts'
import { usStates } from '#platform/us-states.ts'
import { isSameZips, isZipRange } from '#platform/zip-ranges.ts'

const codes: ReadonlySet<string> = new Set(usStates.map(([code]) => code))
const statesMessage = 'Enter states by their two letters, such as IL, IN, WI.'
const zipsMessage = 'Enter the first three to five digits, such as 967, 995-999, or 00601.'

/** Splits an entered list, without repetitions. */
const listed = (text: string) => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
]

/** Writes ranges such as "995 – 999" as "995-999". */
const closedUp = (text: string) =>
  text
    .split(/[-–]/)
    .map((part) => part.trim())
    .join('-')

const amount = (label: string, maxCents: number) => {
  const message = `Enter an amount from $0.00 to ${formatCents(maxCents)}.`
  return z
    .string(message)
    .trim()
    .max(20, message)
    .regex(/^\$?\d{1,3}(?:,?\d{3})?(?:\.\d{1,2})?$/, message)
    .transform((text) => Math.round(Number(text.replaceAll(/[$,]/g, '')) * 100))
    .refine((cents) => cents <= maxCents, message)
    .meta({ formUnit: 'cents', description: label })
}

const version = z
  .string()
  .regex(/^\d{1,9}$/, 'Load the page again.')
  .transform(Number)
  .meta({ formUnit: 'number', description: 'The version that was read' })

/** The form of a zone. `free` is the total in cents from which orders ship free, or empty. */
export const zoneForm = z.object({
  name: z.string('Enter a name.').trim().min(1, 'Enter a name.').max(40, 'Use up to 40 characters.'),
  states: z
    .string(statesMessage)
    .trim()
    .max(400, statesMessage)
    .optional()
    .transform((text = '') => listed(text).toSorted())
    .refine((states) => states.every((state) => codes.has(state)), statesMessage)
    .meta({ description: 'Postal codes of states, separated by commas' }),
  zips: z
    .string(zipsMessage)
    .trim()
    .max(2_000, zipsMessage)
    .optional()
    .transform((text = '') => listed(closedUp(text)).toSorted())
    .refine((zips) => zips.every(isZipRange), zipsMessage)
    .refine(
      (zips) => zips.every((zip, index) => !zips.slice(index + 1).some((other) => isSameZips(zip, other))),
      'Enter each ZIP code once.',
    )
    .meta({
      description: 'ZIP codes by their first three to five digits, such as 967, 995-999, 00601. Come before states',
    }),
  tire: amount('Per tire, in cents', 99_999),
  oversize: amount('Per oversize tire, in cents', 99_999),
  handling: amount('Per order, in cents', 99_999),
  free: emptyOr(amount('Orders ship free from this total, in cents; null for never', 9_999_999)),
  seen: version,
})
export type ZoneInput = z.output<typeof zoneForm>

const weightMessage = 'Enter a weight from 1 to 300 lb, or leave it empty for all tires.'

/** The form of an exception. */
export const exceptionForm = z.object({
  above: emptyOr(
    z
      .string()
      .regex(/^\d{1,3}$/, weightMessage)
      .transform(Number)
      .refine((pounds) => pounds >= 1 && pounds <= 300, weightMessage),
  ).meta({ formUnit: 'number', description: 'Pounds; empty for all tires' }),
  where: emptyOr(
    z
      .string()
      .regex(/^(?:CONUS|AK|HI|TERRITORY|zone-[1-9]\d{0,8})$/, 'Choose one from the list.')
      .transform((text) => text as ShippingZoneKey),
  ).meta({ description: 'CONUS, AK, HI, TERRITORY, a zone such as zone-3, or empty for everywhere' }),
  kind: z.enum(['rate', 'less'], 'Choose one.'),
  amount: amount('Per tire, in cents', 99_999),
  until: emptyOr(z.iso.date('Enter a day such as 2027-03-31, or leave it empty for no end.')),
  seen: version,
})
export type ExceptionInput = z.output<typeof exceptionForm>

/** The form that removes a zone or an exception. */
export const removeRuleForm = z.object({ seen: version })

const cents = z.int().min(0)

/** The stored form of a plan. */
export const storedPlan = z.object({
  zones: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      states: z.array(z.string()),
      // Plans from before zones by ZIP code don't have them.
      zips: z.array(z.string()).default([]),
      perTireCents: cents,
      oversizePerTireCents: cents,
      handlingCents: cents,
      freeFromCents: cents.nullable(),
    }),
  ),
  exceptions: z.array(
    z.object({
      id: z.int(),
      aboveLb: z.int().nullable(),
      where: z
        .string()
        .transform((text) => text as ShippingZoneKey)
        .nullable(),
      kind: z.enum(['rate', 'less']),
      cents,
      until: z.string().nullable(),
    }),
  ),
})
