/** The orders, actions, and failures of a month. */
import { callApi } from '#tests/support/order-by-api.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import type { Random } from '../../faults/random.ts'
import type { Placed } from './buyers.ts'
import type { Place } from './place.ts'

export type Day = { date: string; orders: Record<string, number>; acts: Record<string, number>; outages: string[] }

export type Life = {
  place: Place
  random: Random
  placed: Placed[]
  days: Day[]
  /** Whether a process is down in this hour. Interrupted actions are retried later. */
  isDown: boolean
  /** Purchases and acts that were refused, by words. */
  refusals: Map<string, number>
  /** The processed jobs, orders, and so on. */
  seen: Set<string>
}

export function openLife(place: Place, random: Random): Life {
  return { place, random, placed: [], days: [], isDown: false, refusals: new Map(), seen: new Set() }
}

export function today({ days, place }: Life): Day {
  const date = place.clock.now().toZonedDateTimeISO('America/Chicago').toPlainDate().toString()
  const last = days.at(-1)
  if (last?.date === date) return last
  const day: Day = { date, orders: {}, acts: {}, outages: [] }
  days.push(day)
  return day
}

/** Counts what happened today. */
export function count(life: Life, act: string): void {
  const { acts } = today(life)
  acts[act] = (acts[act] ?? 0) + 1
}

/** What is refused in an hour with an outage counts as its doing. */
export const byOutage = 'stopped by an outage'

export function refuse(life: Life, words: string): void {
  const short = life.isDown ? byOutage : shortened(words)
  life.refusals.set(short, (life.refusals.get(short) ?? 0) + 1)
}

const shortened = (words: string) =>
  words
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replaceAll(/\d{4,}/g, '…')
    .slice(0, 400)

/** Returns true on the first call for each item. */
export function isNew({ seen }: Life, what: string): boolean {
  if (seen.has(what)) return false
  seen.add(what)
  return true
}

/** Runs one action. Records refusals and retries actions interrupted by an outage. */
export async function attempt(life: Life, act: string, what: string, work: () => Promise<boolean>): Promise<void> {
  if (!isNew(life, `${act} ${what}`)) return
  try {
    if (await work()) count(life, act)
  } catch (error) {
    // Actors with many claims of a company are rate-limited.
    const isTooOften = /: 429\b/.test(String(error))
    if (isTooOften) count(life, 'told to come again')
    else refuse(life, `${act}: ${String(error)}`)
    if (isTooOften || life.isDown || isOutage(error)) life.seen.delete(`${act} ${what}`)
  }
}

/** Returns whether the error is an outage, for example of a process that is down. */
export function isOutage(error: unknown): boolean {
  return /fetch failed|ECONN|terminat|Connection|: 50\d |"status":50\d/.test(
    `${String(error)} ${error instanceof Error ? String(error.cause) : ''}`,
  )
}

/** Runs so many at a time, in order. */
export async function together<One>(ones: readonly One[], atOnce: number, work: (one: One) => Promise<void>) {
  const left = [...ones]
  const lane = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Returns the order's current browser session. */
export function visitorOf({ people }: Place, { buyer, visitor }: Placed): Visitor {
  return buyer === 'guest' ? visitor : people[buyer]
}

/** Calls the API as an order's own buyer; throws what it refuses. */
export async function askAs(
  { place }: Life,
  order: Placed,
  [method, path, body]: [method: string, path: string, body?: unknown],
): Promise<unknown> {
  const reply = await callApi(place.store, visitorOf(place, order), method, path, body)
  if (reply.status >= 300)
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`)
  return reply.body
}
