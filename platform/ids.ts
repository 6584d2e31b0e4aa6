import { randomUUID, randomUUIDv7 } from 'node:crypto'

/** A new, unguessable key. */
export function newId(): string {
  return randomUUID()
}

/**
 * Same, for tables with many rows that are read while recent: IDs created together are adjacent in the index. Reveals
 * its creation time.
 */
export function newTimedId(): string {
  return randomUUIDv7()
}

/** Same, for tables partitioned by time. Returns an ID for the given time (the function `key_at` in the database). */
export function newIdOf(at: Temporal.Instant): string {
  const time = at.epochMilliseconds.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether `text` is a well-formed key, so that arbitrary input never reaches a uuid column. */
export function isId(text: string): boolean {
  return uuidShape.test(text)
}
