/**
 * Cursors for paginated lists. A cursor names the last entry, so concurrent sales don't repeat or skip entries. It's
 * valid only for its query.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { problem, type Problem } from '#api/problem.ts'

export const cursor = z
  .string()
  .regex(/^[\w-]{1,200}$/, 'Use a cursor from a previous response.')
  .meta({ description: '`next` from the previous response; omit it for the first page' })

/** Returns the cursor that continues after `place` in the results of `question`. */
export function cursorAt(place: string, question: unknown): string {
  return Buffer.from(`${markOf(question)} ${place}`).toString('base64url')
}

/** Returns the place in a cursor; refuses one made for another query, or not by us. */
export function placeOf(text: string, question: unknown): { ok: true; value: string } | Problem<'BadRequest'> {
  const [mark, ...place] = Buffer.from(text, 'base64url').toString().split(' ')
  return mark === markOf(question) ? { ok: true, value: place.join(' ') } : ofAnother()
}

/** The same for a place that is a number from 1; undefined without a cursor. */
export function numberOf(
  text: string | undefined,
  question: unknown,
): { ok: true; value: number | undefined } | Problem<'BadRequest'> {
  if (text === undefined) return { ok: true, value: undefined }
  const place = placeOf(text, question)
  if (!place.ok) return place
  return /^[1-9]\d{0,14}$/.test(place.value) ? { ok: true, value: Number(place.value) } : ofAnother()
}

function ofAnother(): Problem<'BadRequest'> {
  return problem('BadRequest', 'This cursor belongs to a different query. Start again without it.', {
    data: { cursor: 'belongs to a different query' },
  })
}

function markOf(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 10)
}
