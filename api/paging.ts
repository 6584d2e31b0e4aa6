/**
 * Cursors: where a list goes on. A cursor names the last entry that was seen, so that nothing is shown twice or left
 * out because something was sold meanwhile, and it belongs to the question it was made for.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { problem, type Problem } from '#api/problem.ts'

export const cursor = z
  .string()
  .regex(/^[\w-]{1,200}$/, 'A cursor comes from the answer before.')
  .meta({ description: '`next` of the answer before; without it the list begins' })

/** The cursor that goes on at `place` in the answer to `question`. */
export function cursorAt(place: string, question: unknown): string {
  return Buffer.from(`${markOf(question)} ${place}`).toString('base64url')
}

/** The place a cursor speaks of; refuses one that was made for another question, or by somebody else. */
export function placeOf(text: string, question: unknown): { ok: true; value: string } | Problem<'BadRequest'> {
  const [mark, ...place] = Buffer.from(text, 'base64url').toString().split(' ')
  return mark === markOf(question) ? { ok: true, value: place.join(' ') } : ofAnother()
}

/** The same for a place that is a number from 1; undefined where no cursor came. */
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
  return problem('BadRequest', 'This cursor is of another question. Begin again without it.', {
    data: { cursor: 'is of another question' },
  })
}

function markOf(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 10)
}
