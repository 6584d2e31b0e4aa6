/**
 * In-process calendar cache. One small query returns the next available times of many shops by reading only changed
 * calendars. docs/decisions/019-cached-calendars.md explains why results are never older than that query.
 */
import { LRUCache } from 'lru-cache'
import { quoteInstallation } from '#domain/scheduling/installers/installers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { Installation, Opening } from './booking.ts'
import { calendarReachesOnDays, changedShopsReader, type BookableShop } from './shop-calendar.sql.server.ts'
import { firstOpenings } from './slots.ts'
import { baysWithTravel, type Point } from './travel.ts'

/** The calendar cache of a process; make one per process with `createCalendars`. */
export type Calendars = {
  /**
   * Calendars as of `now`, which must be the present. Shops that are unknown or take no orders are missing. One
   * statement.
   */
  read(shopIds: readonly number[], now: Temporal.Instant): Promise<ReadonlyMap<number, KeptCalendar>>
}
/** `answers` caches results derived from the calendar. */
export type KeptCalendar = {
  readonly shop: BookableShop
  readonly answers: Map<string, ReturnType<typeof firstOpenings>>
}
/** Valid from `from` until before `until` (epoch ms) as long as the shop's version is `version`. */
type Kept = KeptCalendar & { version: number; from: number; until: number }

/** About 20 KB each. */
const maxShops = 2_000
const maxAnswers = 16

export function createCalendars(db: Database): Calendars {
  const readChanged = changedShopsReader(db)
  const kept = new LRUCache<number, Kept>({ max: maxShops })
  return {
    async read(shopIds, now) {
      const at = now.epochMilliseconds
      const calendars = new Map<number, Kept>()
      const versions = shopIds.map((shopId) => {
        const known = kept.get(shopId)
        if (!known || at < known.from || at >= known.until) return null
        // Remember this version's entry, because `kept` may have another one when the response arrives.
        calendars.set(shopId, known)
        return known.version
      })
      for (const { shopId, version, calendar, firstLapse } of await readChanged({ shopIds, versions }, now)) {
        if (calendar) {
          const until = Math.min(firstLapse ?? Infinity, at + calendarReachesOnDays * 86_400_000)
          const changed = { shop: calendar, version, from: at, until, answers: new Map() }
          kept.set(shopId, changed)
          calendars.set(shopId, changed)
        } else {
          kept.delete(shopId)
          calendars.delete(shopId)
        }
      }
      return calendars
    },
  }
}

/**
 * Returns the next available times of many shops, or of one shop for many items, in one query, in the order of `asks`.
 * Returns drop-off windows if there are no waiting times, and an empty result for a shop that is unknown or doesn't
 * accept the tires. An unchanged result is the same array, so that derived data can be cached with it.
 */
export async function earliestTimes(
  { calendars, clock }: { calendars: Calendars; clock: Clock },
  {
    asks,
    limit = 4,
    to = null,
  }: {
    asks: readonly (Omit<Installation, 'zip'> & { shopId: number })[]
    limit?: number
    /** Where vans have to come. */
    to?: Point | null
  },
): Promise<(readonly Opening[])[]> {
  if (asks.length === 0) return []
  const now = clock.now()
  const kept = await calendars.read([...new Set(asks.map(({ shopId }) => shopId))], now)
  return asks.map(({ shopId, tires, arrivesOn }) => {
    const calendar = kept.get(shopId)
    const quote = calendar && quoteInstallation(calendar.shop, tires)
    return calendar && quote?.ok
      ? answer(calendar, { minutes: quote.value.minutes, arrivesOn, now }, { limit, to })
      : none
  })
}

const none: readonly Opening[] = []

function answer(
  { shop, answers }: KeptCalendar,
  ask: { minutes: number; arrivesOn: Temporal.PlainDate; now: Temporal.Instant },
  { limit, to }: { limit: number; to: Point | null },
): Opening[] {
  const place = shop.stops && to ? ` ${to.latitude} ${to.longitude}` : ''
  const key = `${ask.minutes} ${ask.arrivesOn} ${limit}${place}`
  const known = answers.get(key)
  if (known && ask.now.epochMilliseconds <= known.until) return known.openings
  const found = firstOpenings(
    shop.stops && to ? { ...shop, bays: baysWithTravel(shop.bays, shop.stops, to) } : shop,
    ask,
    limit,
  )
  if (answers.size >= maxAnswers) answers.clear()
  answers.set(key, found)
  return found.openings
}
