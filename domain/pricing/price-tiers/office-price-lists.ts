/** Version states and forms for price lists in the office. Safe in the browser. */
import { z } from 'zod'
import { accountPriceNames, type AccountType } from '#domain/pricing/pricing/pricing.ts'

/** The most rows and bytes of an uploaded file. */
export const mostPriceListRows = 5_000
export const mostPriceListBytes = 1024 * 1024

export type VersionState = 'draft' | 'scheduled' | 'running' | 'ended'

/** The state of a version at `now`; `nextAt` is the start of the version after it. */
export function versionStateAt(
  { startsAt, endsAt }: { startsAt: Temporal.Instant | null; endsAt: Temporal.Instant | null },
  nextAt: Temporal.Instant | null,
  now: Temporal.Instant,
): VersionState {
  if (!startsAt) return 'draft'
  if (Temporal.Instant.compare(now, startsAt) < 0) return 'scheduled'
  const isOver = (at: Temporal.Instant | null) => at !== null && Temporal.Instant.compare(at, now) <= 0
  return isOver(endsAt) || isOver(nextAt) ? 'ended' : 'running'
}

/** The types of accounts that can have a list. */
export const listedTypes = Object.keys(accountPriceNames) as AccountType[]

export const newListForm = z.object({
  slug: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use small letters, digits and hyphens, such as fleets-2027.')
    .max(60, 'Please keep this under 60 characters.'),
  name: z.string().trim().min(1, 'Enter a name.').max(100, 'Please keep this under 100 characters.'),
})

const versionForm = z.object({
  formKey: z.uuid(),
  name: z.string().trim().min(1, 'Enter a name.').max(80, 'Please keep this under 80 characters.'),
})

/** A version with its rules as CSV text, and the URL name of its list. */
export const versionUploadForm = versionForm.extend({
  list: z.string().trim().max(60),
  file: z.string('Choose a CSV file.').min(1, 'Choose a CSV file.').meta({ maxLength: 60_000 }),
})

export const assignForm = z.object({
  type: z
    .string()
    .refine((type) => type === '' || listedTypes.some((each) => each === type), 'Choose a type.')
    .transform((type) => (type === '' ? null : (type as AccountType))),
})
