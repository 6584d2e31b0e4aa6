/** The daily summary of a shop's appointments. Each team member gets the email at the hour they chose. */
import { portalPaths } from '#content/portal-paths.ts'
import { listSummaries, readSummaryOf } from '#domain/scheduling/installers/installers.server.ts'
import { isSummaryOfNextDay } from '#domain/scheduling/installers/installers.ts'
import { queueMessage, type MessageContent } from '#domain/messaging/messages/messages.server.ts'
import { keyParts } from '#domain/messaging/messages/messages.ts'
import { readShopDay } from '#domain/installer-portal/portal/portal.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { countOf } from '#platform/count-text.ts'
import { dayText } from '#platform/day-text.ts'
import type { Database } from '#platform/db.ts'

const kind = 'shop-daily-summary'

/** A summary that could not be sent for so long is not sent any longer. */
const maxLateHours = 6

/**
 * The last time at or before `now` at which a summary of this hour was due on the shop's clock, with the day it is
 * of. An hour that the clock skips is the one after it.
 */
export function lastSummary(
  { hour, timeZone }: { hour: number; timeZone: string },
  now: Temporal.Instant,
): { at: Temporal.Instant; day: Temporal.PlainDate } {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const atOf = (day: Temporal.PlainDate) =>
    day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from({ hour }) }).toInstant()
  const sentOn = Temporal.Instant.compare(atOf(today), now) <= 0 ? today : today.subtract({ days: 1 })
  return { at: atOf(sentOn), day: isSummaryOfNextDay(hour) ? sentOn.add({ days: 1 }) : sentOn }
}

/** Queues due summaries, each once. Its key names the member and the day. Returns how many are due. */
export async function emailShopSummaries({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  const now = clock.now()
  let due = 0
  for (const summary of await listSummaries(db)) {
    const { at, day } = lastSummary(summary, now)
    const isLate = now.since(at).total('hours') > maxLateHours
    if (isLate || Temporal.Instant.compare(summary.since, at) > 0) continue
    due += 1
    const key = `${kind}:${summary.memberId}:${day.toString()}`
    await queueMessage(db, { kind, key, to: summary.email, orderId: null, at: now })
  }
  return due
}

/**
 * Returns the content of a summary, as the day is when it is sent; null if its member left or stopped it, or for a day
 * without appointments and shop jobs.
 */
export async function summaryMessage(
  deps: { db: Database; clock: Clock; config: Pick<Config, 'web'> },
  { key }: { key: string },
): Promise<MessageContent | null> {
  const [memberId = '', on = ''] = keyParts(key)
  const summary = await readSummaryOf(deps.db, memberId)
  if (!summary) return null
  const { shopCode, shopName } = summary
  const { day, shopDay } = await readShopDay(deps, summary, Temporal.PlainDate.from(on))
  const { jobs, ownJobs, zone } = shopDay
  const shopJobs = ownJobs.filter(({ isBlock }) => !isBlock).length
  if (jobs.length + shopJobs === 0) return null
  const pieces = jobs.reduce((sum, { total }) => sum + total, 0)
  const { origin } = deps.config.web
  const entries = [
    ...jobs.map(({ from, time, who, vehicle, pieces: arrived, news, state, words }) => ({
      from,
      left: `${time}: ${who}, ${vehicle}`,
      right: state === 'stop' ? words : [arrived, news].filter(Boolean).join(' · '),
    })),
    ...ownJobs.map(({ from, time, title }) => ({ from, left: `${time}: ${title}`, right: '' })),
  ]
  return {
    values: {
      headline: `${dayText(day)} at ${shopName}`,
      summary: [
        jobs.length > 0 ? `${countOf(jobs.length, 'appointment')}, ${countOf(pieces, 'tire')}` : '',
        shopJobs > 0 ? countOf(shopJobs, 'shop job') : '',
      ]
        .filter(Boolean)
        .join(', '),
      zone,
      rows: entries.toSorted((a, b) => a.from - b.from).map(({ left, right }) => ({ left, right })),
      dayUrl: origin + portalPaths.day(shopCode, { on: day.toString() }),
      choicesUrl: origin + portalPaths.emails(shopCode),
    },
    attachments: [],
  }
}
