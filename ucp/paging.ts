/** Cursors: the page and the last entry seen, valid only for the search they were made for. */
import { createHash } from 'node:crypto'

export function cursorOf(place: string, question: unknown): string {
  return Buffer.from(`${markOf(question)} ${place}`).toString('base64url')
}

/** The place in a cursor; null without one, undefined for one of another search. */
export function placeIn(cursor: string | undefined, question: unknown): string | null | undefined {
  if (cursor === undefined) return null
  const [mark, ...place] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const found = place.join(' ')
  return mark === markOf(question) && /^\d{1,6} [\w/-]{1,60}$/.test(found) ? found : undefined
}

function markOf(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 10)
}
