/** The forms that pause, suspend, close and reopen a shop, with what happens to each appointment. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { rowFields } from '#platform/form-fields.ts'

/** How far ahead a shop can schedule its last day. */
export const maxClosingDays = 365
/** The longest pause with a last day. */
export const maxPauseDays = 180
/**
 * The number of appointments with individual choices, since a form has at most 200 fields. The rest share one choice.
 */
export const maxListed = 150

/**
 * `offer`: the customer is emailed and chooses another time or shop. `refund`: the order is canceled and refunded. `keep`:
 * the appointment stays, which a pause and a scheduled closing allow. `later`: with a scheduled closing, the appointment
 * stays undecided, or kept as before.
 */
export type AppointmentChoice = 'offer' | 'refund' | 'keep' | 'later'
/** Choices by booking; `rest` applies to all others. */
export type AppointmentChoices = { byBooking: Readonly<Record<string, AppointmentChoice>>; rest: AppointmentChoice }

/** The field of one appointment. */
export function choiceField(bookingId: string): string {
  return `choice-${bookingId}`
}

const choiceMessage = 'Choose what happens to this appointment.'
const choice = z.enum(['offer', 'refund', 'keep'], choiceMessage)
const laterChoice = z.enum(['offer', 'refund', 'keep', 'later'], choiceMessage)
const reason = z
  .string('Enter the reason.')
  .trim()
  .min(1, 'Enter the reason. Staff and the shop see it.')
  .max(200, 'Keep the reason under 201 characters.')
const dayMessage = 'Choose a day.'
const day = z
  .string(dayMessage)
  // A form that compares days runs only on real ones.
  .regex(/^20\d{2}-\d{2}-\d{2}$/, { error: dayMessage, abort: true })
  .transform((text, issues) => {
    try {
      return Temporal.PlainDate.from(text, { overflow: 'reject' })
    } catch {
      issues.addIssue({ code: 'custom', message: dayMessage })
      return z.NEVER
    }
  })

const lastDay = z
  .string()
  .trim()
  .default('')
  .transform((text) => text || null)
  .pipe(day.nullable())
  .describe('Leave out to pause until someone ends it')

/** Refuses a last day that is too late. */
export const longPauseMessage = `A pause has at most ${countOf(maxPauseDays, 'day')}. Leave the last day empty to end it yourself.`

/** Fields in every form (the shop and appointments as shown, and a choice for each appointment). */
const seen = {
  version: z.coerce.number().int().min(0).max(2_000_000_000).default(0),
  seen: z.string().max(60).optional().describe('The shown appointments. Leave out for those that there are.'),
  choices: rowFields<AppointmentChoices>({ key: 'booking', fields: { choice: 'text' } }),
  rest: choice.default('offer').describe('What happens to appointments without a choice of their own'),
}

/** The same fields for a scheduled closing. */
const closing = {
  ...seen,
  rest: laterChoice.default('later').describe('The choice for all other appointments'),
  keepReason: z
    .string()
    .trim()
    .max(200, 'Keep the reason under 201 characters.')
    .default('')
    .describe('Why appointments are kept. Required for the choice `keep`'),
}

/** Collects the individual choices; unknown fields are ignored. */
const gatherOf = (possible: z.ZodType<AppointmentChoice>, usual: AppointmentChoice) => (given: unknown) => {
  const fields = given as Record<string, string | undefined>
  const byBooking = Object.entries(fields).flatMap(([name, value]): [string, AppointmentChoice][] => {
    const chosen = possible.safeParse(value)
    return name.startsWith('choice-') && chosen.success ? [[name.slice('choice-'.length), chosen.data]] : []
  })
  const rest = possible.safeParse(fields['rest'])
  return { ...fields, choices: { byBooking: Object.fromEntries(byBooking), rest: rest.success ? rest.data : usual } }
}
const gather = gatherOf(choice, 'offer')
const gatherLater = gatherOf(laterChoice, 'later')

/** Days without new bookings, through a last day or until the pause is ended. */
export const pauseForm = z.preprocess(
  gather,
  z
    .object({ from: day, through: lastDay, reason, ...seen })
    .refine(({ from, through }) => !through || Temporal.PlainDate.compare(from, through) <= 0, {
      path: ['through'],
      message: 'The last day can’t be before the first.',
    })
    .refine(({ from, through }) => !through || from.until(through).days < maxPauseDays, {
      path: ['through'],
      message: longPauseMessage,
    }),
)

/** Suspends or closes a shop. */
export const closeForm = z.preprocess(gather, z.object({ reason, ...seen }))

/** Schedules the closing of a shop, or changes its last day. */
export const closingForm = z.preprocess(gatherLater, z.object({ lastDay: day, reason, ...closing }))

/** Decides on appointments after the last day of a shop. */
export const closingChoicesForm = z.preprocess(gatherLater, z.object(closing))

/** Ends a pause or suspension, or opens a closed shop again. */
export const reopenForm = z.object({ version: seen.version })
