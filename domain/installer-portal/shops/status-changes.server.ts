/** Shop status changes, with the affected days and the reason for customers. */
import {
  raiseShopVersion,
  setClosing,
  updateStatus,
  type ShopRecord,
  type StatusChange,
} from '#domain/scheduling/installers/installers.server.ts'
import { maxClosingDays } from './status-form.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type StatusInput =
  /** Without a last day, the pause lasts until someone ends it. */
  | { to: 'paused'; from: Temporal.PlainDate; through: Temporal.PlainDate | null; reason: string }
  | { to: 'suspended' | 'closed'; reason: string }
  | { to: 'closing'; lastDay: Temporal.PlainDate; reason: string; keepReason: string }
  /** Decides on appointments after the last day. */
  | { to: 'decided'; keepReason: string }
  /** Ends a scheduled closing. */
  | { to: 'withdrawn' }
  | { to: 'open' }

/** A shop's days affected by a change, from an instant until another (exclusive), null for no end. */
export type Span = { from: Temporal.Instant; until: Temporal.Instant | null }

type Step = (tx: Tx) => Promise<void>

/** Returns what writes the change of a locked shop. */
export function nextStep(
  shop: ShopRecord,
  input: StatusInput,
  now: Temporal.Instant,
): Outcome<Step, Refused<'past'> | Refused<'last-day'> | Refused<'no-change'>> {
  const step = (change: StatusChange) => ok((tx: Tx) => updateStatus(tx, shop.id, change))
  switch (input.to) {
    case 'open':
      return shop.status === 'open' && shop.pause === null ? refused('no-change') : step({ to: 'open' })
    case 'paused':
      return pauseStep(shop, input, now)
    case 'closing':
    case 'decided':
    case 'withdrawn':
      return closingStep(shop, input, now)
    case 'suspended':
    case 'closed':
      return shop.status === input.to ? refused('no-change') : step({ to: input.to, reason: input.reason })
  }
}

/** The same for a pause. */
function pauseStep(
  shop: ShopRecord,
  { from, through, reason }: Extract<StatusInput, { to: 'paused' }>,
  now: Temporal.Instant,
): Outcome<Step, Refused<'past'> | Refused<'no-change'>> {
  if (shop.status !== 'open' || shop.isInSetUp) return refused('no-change')
  const today = now.toZonedDateTimeISO(shop.timeZone).toPlainDate()
  if (through && Temporal.PlainDate.compare(through, today) < 0) return refused('past')
  const until = through?.add({ days: 1 }).toString() ?? null
  return ok((tx) => updateStatus(tx, shop.id, { to: 'paused', from: from.toString(), until, reason }))
}

/** The same for a scheduled closing. */
function closingStep(
  shop: ShopRecord,
  input: Extract<StatusInput, { to: 'closing' | 'decided' | 'withdrawn' }>,
  now: Temporal.Instant,
): Outcome<Step, Refused<'last-day'> | Refused<'no-change'>> {
  if (input.to !== 'closing') {
    if (!shop.closing) return refused('no-change')
    return ok((tx) => (input.to === 'decided' ? raiseShopVersion(tx, shop.id) : setClosing(tx, shop.id, null)))
  }
  if (shop.status !== 'open' || shop.isInSetUp) return refused('no-change')
  const { lastDay, reason } = input
  const ahead = now.toZonedDateTimeISO(shop.timeZone).toPlainDate().until(lastDay).days
  if (ahead < 0 || ahead > maxClosingDays) return refused('last-day')
  return ok((tx) => setClosing(tx, shop.id, { lastDay: lastDay.toString(), reason, setAt: now }))
}

/** "No appointments from Nov 30 through Dec 5": what customers and the shop read before the reason. */
export function stopText(input: StatusInput, { closing }: ShopRecord): string {
  switch (input.to) {
    case 'paused':
      return input.through
        ? `No appointments from ${shortDay(input.from)} through ${shortDay(input.through)}: ${input.reason}`
        : `No appointments starting ${shortDay(input.from)}: ${input.reason}`
    case 'suspended':
      return `No appointments for now: ${input.reason}`
    case 'closed':
      return `The shop no longer installs tires for us: ${input.reason}`
    case 'closing':
      return `No appointments after ${shortDay(input.lastDay)}: ${input.reason}`
    case 'decided':
      return closing
        ? `No appointments after ${shortDay(Temporal.PlainDate.from(closing.lastDay))}: ${closing.reason}`
        : ''
    case 'withdrawn':
    case 'open':
      return ''
  }
}

/** A shop's status in the audit log, such as "open through 2026-11-24". */
export function statusText({ status, pause, closing }: ShopRecord): string {
  if (closing) return `open through ${closing.lastDay}`
  if (!pause) return status
  return pause.until === null ? `paused starting ${pause.from}` : `paused ${pause.from} until before ${pause.until}`
}

function shortDay(day: Temporal.PlainDate): string {
  return day.toLocaleString('en-US', { month: 'short', day: 'numeric' })
}

/** Returns the days that a change affects; null if it affects no days. */
export function spanOf({ timeZone, closing }: ShopRecord, input: StatusInput, now: Temporal.Instant): Span | null {
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).toInstant()
  const after = (day: Temporal.PlainDate) => ({ from: startOf(day.add({ days: 1 })), until: null })
  switch (input.to) {
    case 'open':
    case 'withdrawn':
      return null
    case 'suspended':
    case 'closed':
      return { from: now, until: null }
    case 'closing':
      return after(input.lastDay)
    case 'decided':
      return closing && after(Temporal.PlainDate.from(closing.lastDay))
    case 'paused': {
      const begins = startOf(input.from)
      return {
        from: Temporal.Instant.compare(begins, now) < 0 ? now : begins,
        until: input.through && startOf(input.through.add({ days: 1 })),
      }
    }
  }
}
