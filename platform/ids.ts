import { randomUUID, randomUUIDv7 } from 'node:crypto'

/** A new key that nobody can guess. */
export function newId(): string {
  return randomUUID()
}

/**
 * The same for rows that are many and looked up while young: keys of one time lie together in their index. It tells
 * when it was made.
 */
export function newTimedId(): string {
  return randomUUIDv7()
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether `text` has the form of a key, so that a stranger's text never reaches a uuid column. */
export function isId(text: string): boolean {
  return uuidShape.test(text)
}
