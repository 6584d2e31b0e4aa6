/** The form of a manufacturer rebate, and its state. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { dollars, emptyOr } from '#platform/form-fields.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { filterFields, versionField } from './offer-fields.ts'

const rebateStates = ['draft', 'scheduled', 'running', 'claimable', 'ended'] as const
export type RebateState = (typeof rebateStates)[number]

/** Where claims go, either the manufacturer's web form or a mailing address for the form that shoppers print. */
export const rebatePayments = ['prepaid-card', 'check'] as const

type Period = {
  draft: boolean
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
  /** YYYY-MM-DD in the store's zone. */
  lastClaimOn: string
}

/** The state of a rebate at `now`. It is `claimable` after purchases end and until claims end. */
export function rebateStateAt({ draft, startsAt, endsAt, lastClaimOn }: Period, now: Temporal.Instant): RebateState {
  if (draft) return 'draft'
  if (Temporal.Instant.compare(now, startsAt) < 0) return 'scheduled'
  if (Temporal.Instant.compare(now, endsAt) < 0) return 'running'
  return Temporal.PlainDate.compare(storeDay(now), lastClaimOn) <= 0 ? 'claimable' : 'ended'
}

const firstYear = 2020
const lastYear = 2100

const day = (message: string) =>
  z.string(message).transform((typed, issues) => {
    const read = /^\d{4}-\d\d-\d\d$/.test(typed) ? readDay(typed) : undefined
    if (read && read.year >= firstYear && read.year <= lastYear) return read
    issues.addIssue({ code: 'custom', message })
    return z.NEVER
  })

function readDay(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

const nameMessage = `Enter a name of 3 to ${countOf(80, 'character')}.`
const urlMessage = 'Enter an address that begins with https://'

const rebateFields = {
  name: z
    .string(nameMessage)
    .trim()
    .min(3, nameMessage)
    .max(80, nameMessage)
    .regex(/^[^<>{}\\\p{Cc}]*$/u, 'Leave out < > { } and \\.')
    .regex(/[a-z0-9]/i, nameMessage),
  amount: dollars('Enter an amount in dollars, such as 60.', 100_000),
  units: z
    .string('Enter 1 to 8 tires.')
    .trim()
    .regex(/^[1-8]$/, 'Enter 1 to 8 tires.')
    .transform(Number)
    .meta({ formUnit: 'number' }),
  paidAs: z.enum(rebatePayments, 'Choose how it is paid.'),
  /** A brand or "brand/model", by their addresses. */
  subject: z
    .string('Enter a brand or model.')
    .trim()
    .toLowerCase()
    .min(1, 'Enter a brand or model.')
    .max(120, 'Please keep this under 120 characters.'),
  formUrl: emptyOr(
    z
      .string()
      .max(300, `Please keep this under ${countOf(300, 'character')}.`)
      .refine((url) => /^https:\/\/[^\s]+$/.test(url) && URL.canParse(url), urlMessage),
  ),
  mailTo: emptyOr(
    z
      .string()
      .max(200, `Please keep this under ${countOf(200, 'character')}.`)
      .regex(/^[^<>\p{Cc}]*$/u, 'Leave out < and >.'),
  ),
  startsOn: day('Enter the first purchase day.'),
  lastPurchaseOn: day('Enter the last purchase day.'),
  lastClaimOn: day('Enter the last claim day.'),
  ...filterFields,
}

type Typed = {
  formUrl: string | null
  mailTo: string | null
  startsOn?: Temporal.PlainDate
  lastPurchaseOn: Temporal.PlainDate
  lastClaimOn: Temporal.PlainDate
}

function checkClaim({ formUrl, mailTo, startsOn, lastPurchaseOn, lastClaimOn }: Typed, issues: z.RefinementCtx): void {
  const fault = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message })
  if (formUrl === null && mailTo === null) fault('formUrl', 'Enter the claim form’s address or a mailing address.')
  if (formUrl !== null && mailTo !== null) fault('mailTo', 'Enter a claim form or a mailing address, not both.')
  if (startsOn && Temporal.PlainDate.compare(startsOn, lastPurchaseOn) > 0)
    fault('lastPurchaseOn', 'Enter the first purchase day or a later one.')
  if (Temporal.PlainDate.compare(lastPurchaseOn, lastClaimOn) >= 0)
    fault('lastClaimOn', 'Enter a day after the last purchase day.')
}

function readLastDays<Draft extends Typed>({ lastPurchaseOn, lastClaimOn, ...typed }: Draft) {
  return {
    ...typed,
    /** Exclusive. */
    endsAt: lastPurchaseOn.add({ days: 1 }).toZonedDateTime(storeZone).toInstant(),
    lastClaimOn: lastClaimOn.toString(),
  }
}

function readDays<Draft extends Typed & { amount: number; startsOn: Temporal.PlainDate }>(draft: Draft) {
  const { amount, startsOn, ...typed } = readLastDays(draft)
  return { ...typed, amountCents: amount, startsAt: startsOn.toZonedDateTime(storeZone).toInstant() }
}

/** A rebate as it is typed; its days are of the store's zone, the last purchase day included. */
export const rebateDraftForm = z.object(rebateFields).superRefine(checkClaim).transform(readDays)
export type RebateDraft = z.output<typeof rebateDraftForm>

/** The form that changes a draft. */
export const rebateChangeForm = z
  .object({ ...rebateFields, version: versionField })
  .superRefine(checkClaim)
  .transform(readDays)
export type RebateChange = z.output<typeof rebateChangeForm>

const { name, formUrl, mailTo, lastPurchaseOn, lastClaimOn } = rebateFields

/** The form that corrects a rebate that shoppers have bought for. */
export const rebateCorrectionForm = z
  .object({ name, formUrl, mailTo, lastPurchaseOn, lastClaimOn, version: versionField })
  .superRefine(checkClaim)
  .transform(readLastDays)
export type RebateCorrection = z.output<typeof rebateCorrectionForm>

/** The form that schedules a draft. */
export const rebateScheduleForm = z.object({ version: versionField })
