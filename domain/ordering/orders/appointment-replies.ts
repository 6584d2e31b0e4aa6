/** How late a shopper can say they will be, in minutes. */
export const lateMinutes = [10, 20, 30] as const
export type LateMinutes = (typeof lateMinutes)[number]

/** A shopper's reply about their appointment. */
export type ReplyInput = { kind: 'coming' } | { kind: 'late'; minutesLate: LateMinutes } | { kind: 'not-coming' }
export type ReplyKind = ReplyInput['kind']

/** The latest reply about an appointment's current time. */
export type AppointmentReply = { kind: ReplyKind; minutesLate: LateMinutes | null; at: Temporal.Instant }
