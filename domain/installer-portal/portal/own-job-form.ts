/** The forms of a shop's own jobs and of moves. Safe in the browser. */
import { overlapReasons, ownJobKinds, type OverlapReason, type OwnJobKind } from '#domain/scheduling/booking/booking.ts'
import { countOf } from '#platform/count-text.ts'
import { z } from 'zod'

/** Lengths an own job may have, in minutes. */
export const ownJobLengths = [15, 30, 45, 60, 75, 90, 120, 150, 180, 240, 300, 360, 480, 600, 720] as const

/** How far from today an own job may lie, in days. */
const reach = { back: 31, ahead: 366 }

const keys = <Key extends string>(table: Readonly<Record<Key, string>>) => Object.keys(table) as [Key, ...Key[]]

/** Text of at most `longest` characters; null if it is left empty. */
function short(longest: number) {
  return z
    .string()
    .optional()
    .transform((text, issue) => {
      const kept = text?.trim() ?? ''
      if (kept.length <= longest) return kept === '' ? null : kept
      issue.addIssue({ code: 'custom', message: `Use at most ${countOf(longest, 'character')}.` })
      return z.NEVER
    })
}

/** A day of this century as "2026-11-24". */
export function readDay(text: string | null | undefined): Temporal.PlainDate | null {
  if (!text || !/^20\d{2}-\d{2}-\d{2}$/.test(text)) return null
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return null
  }
}

const day = z.string('Choose a day.').transform((text, issue) => {
  const found = readDay(text)
  if (found) return found
  issue.addIssue({ code: 'custom', message: 'Choose a day.' })
  return z.NEVER
})

const clockTime = z
  .string('Enter a time such as 9:30 AM.')
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 9:30 AM.')
  .transform((text) => Temporal.PlainTime.from(text))

const id = z
  .string('Choose a bay.')
  .regex(/^\d{1,9}$/, 'Choose a bay.')
  .transform(Number)

/** A valid UUID. */
export const uuidShape = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** One own job, as typed. `key` is of the form, which acts once; `revision` is what the job was when it was shown. */
export const ownJobForm = z
  .object({
    key: uuidShape,
    revision: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .optional(),
    kind: z.enum(keys<OwnJobKind>(ownJobKinds), 'Choose what it is.'),
    bay: id,
    on: day,
    at: clockTime,
    minutes: z
      .string('Choose how long it takes.')
      .regex(/^\d{1,3}$/, 'Choose how long it takes.')
      .transform(Number)
      .refine((minutes) => minutes >= 15 && minutes <= 720, 'Choose 15 minutes to 12 hours.'),
    firstName: short(40),
    phone: short(20),
    vehicle: short(80),
    tires: short(80),
    note: short(300),
    /** Longer by the shop's minutes for one. */
    alignment: z
      .string()
      .optional()
      .transform((text) => text === 'yes'),
    reason: z
      .union([z.literal('').transform(() => null), z.enum(keys<OverlapReason>(overlapReasons), 'Choose a reason.')])
      .optional()
      .transform((reason) => reason ?? null),
    /** The bookings that the form named when the reason was chosen. */
    seen: z
      .string()
      .max(1_000)
      .optional()
      .transform((text) => (text ?? '').split(',').filter((each) => uuidShape.safeParse(each).success)),
  })
  .refine(({ phone }) => phone === null || /^[\d +().-]{7,}$/.test(phone), {
    path: ['phone'],
    message: 'Enter a phone number such as 312-555-0142.',
  })
export type OwnJobTyped = z.output<typeof ownJobForm>

/** Whether a day is one on which an own job may be entered today. */
export function isWithinReach(on: Temporal.PlainDate, today: Temporal.PlainDate): boolean {
  const days = on.since(today, { largestUnit: 'day' }).days
  return days >= -reach.back && days <= reach.ahead
}

/** Why a shop moves an appointment; the customer's email does not name it. */
export const moveReasons = {
  'customer-asked': 'The customer asked for it',
  'technician-away': 'A technician is away',
  'equipment-down': 'Equipment is down',
  'tires-late': 'Tires or parts are late',
} as const
export type MoveReason = keyof typeof moveReasons

/** A reschedule by the shop, either to another bay, or to another time, which requires a reason. */
export const moveForm = z.object({
  /** Null for any free bay. */
  bay: z.union([z.literal('').transform(() => null), id], 'Choose a bay.'),
  on: day,
  at: z.union([clockTime, z.enum(['AM', 'PM', 'EVE'])], 'Choose a time.'),
  reason: z
    .union([z.literal('').transform(() => null), z.enum(keys<MoveReason>(moveReasons), 'Choose a reason.')])
    .optional()
    .transform((reason) => reason ?? null),
})
export type MoveTyped = z.output<typeof moveForm>
