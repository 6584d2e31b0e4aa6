/**
 * Order delays under the FTC's rule for mail and internet orders, 16 CFR 435.2(b). A seller that can't meet a promised
 * day must notify the buyer once per delay and let them agree or cancel for a full refund. The rule is about shipping
 * days; the store applies it to promised delivery days. Safe in the browser.
 */

/** The rule's limit for silence as consent is a first delay of at most this many days, with a new day named. */
export const longestSilentDelayDays = 30
/** Days to answer before silence cancels the order. */
export const answerWithinDays = 7

/** A missed promise with its original day and the new one (null if unknown). */
export type Slip = { promisedOn: Temporal.PlainDate; revisedOn: Temporal.PlainDate | null }

/** An undelivered parcel, with its promised day and the carrier's expected day. */
export type WaitingParcel = { promisedOn: Temporal.PlainDate; expectedOn: Temporal.PlainDate | null }

export type DelayAnswer = 'wait' | 'move' | 'cancel'

/**
 * Returns the slip of undelivered parcels as of `today` at their destination, or undefined if the promise still holds.
 * `last` is the latest notice; its new day becomes the promise. If that notice had no day, the next slip is reported
 * only when a day is known.
 */
export function slipOf(
  parcels: readonly WaitingParcel[],
  last: Slip | null,
  today: Temporal.PlainDate,
): Slip | undefined {
  const expected = (parcel: WaitingParcel) =>
    parcel.expectedOn && !isBefore(parcel.expectedOn, today) ? parcel.expectedOn : null
  const promised = (parcel: WaitingParcel) => last?.revisedOn ?? parcel.promisedOn
  const slipped = parcels.filter((parcel) => {
    const revised = expected(parcel)
    if (last && !last.revisedOn) return revised !== null && isBefore(last.promisedOn, revised)
    return isBefore(promised(parcel), today) || (revised !== null && isBefore(promised(parcel), revised))
  })
  if (slipped.length === 0) return undefined
  const promisedOn = latest(last ? [last.revisedOn ?? last.promisedOn] : slipped.map(promised))
  const days = slipped.map(expected)
  const known = days.filter((day) => day !== null)
  const revisedOn = known.length === days.length ? latest(known) : null
  return { promisedOn, revisedOn: revisedOn && isBefore(promisedOn, revisedOn) ? revisedOn : null }
}

/**
 * What silence means, and the last day to answer. Consent to a first delay of at most 30 days with a new day; any other
 * delay is canceled: a first one without a near day no sooner than 30 days after the promise, a further one after
 * `answerWithinDays`.
 */
export function silenceRule(
  { promisedOn, revisedOn }: Slip,
  { noticeNo, toldOn }: { noticeNo: number; toldOn: Temporal.PlainDate },
): { onSilence: 'wait' | 'cancel'; answerBy: Temporal.PlainDate } {
  const soon = toldOn.add({ days: answerWithinDays })
  if (noticeNo > 1) return { onSilence: 'cancel', answerBy: soon }
  const limit = promisedOn.add({ days: longestSilentDelayDays })
  if (revisedOn && !isBefore(limit, revisedOn)) return { onSilence: 'wait', answerBy: revisedOn }
  return { onSilence: 'cancel', answerBy: latest([limit, soon]) }
}

function isBefore(a: Temporal.PlainDate, b: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(a, b) < 0
}

function latest(days: readonly Temporal.PlainDate[]): Temporal.PlainDate {
  return days.reduce((last, day) => (isBefore(last, day) ? day : last))
}
