import { randomUUID, randomUUIDv7 } from 'node:crypto'

/** A new, unguessable key. */
export function newId(): string {
  return randomUUID()
}

/**
 * The same for tables with many rows that are read while recent: keys created together are adjacent in the index.
 * Reveals when it was created.
 */
export function newTimedId(): string {
  return randomUUIDv7()
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether `text` is a well-formed key, so that arbitrary input never reaches a uuid column. */
export function isId(text: string): boolean {
  return uuidShape.test(text)
}
