/**
 * Delays of orders, after the FTC's rule for mail and internet orders, 16 CFR 435.2(b): whoever cannot keep a promised
 * day tells the buyer once per delay and lets them agree or cancel with a full refund. The rule is about shipping days;
 * the store applies it to the delivery days it promises. Safe in the browser.
 */

/** The rule's limit for silence as consent: a first delay of at most this many days, with a new day named. */
export const longestSilentDelayDays = 30
/** How long the store waits for an answer where silence cancels. */
export const answerWithinDays = 7

/** A promise that slipped: the day promised until then, and the new one; null where none can be named. */
export type Slip = { promisedOn: Temporal.PlainDate; revisedOn: Temporal.PlainDate | null }

/** A parcel that has not arrived: the day promised, and the day the carrier expects. */
export type WaitingParcel = { promisedOn: Temporal.PlainDate; expectedOn: Temporal.PlainDate | null }

export type DelayAnswer = 'wait' | 'move' | 'cancel'

/**
 * The slip of the parcels that have not arrived, on the day `today` at their destination; undefined while the promise
 * stands. `last` is what the shopper was told last: its new day is the promise from then on. Where it named none, there
 * is news only once a day can be named.
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
