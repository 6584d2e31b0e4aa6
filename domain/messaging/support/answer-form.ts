/** The forms of staff for messages and leads. */
import { longestAnswer } from './support.ts'
import { countOf } from '#platform/count-text.ts'
import { z } from 'zod'

/** An answer or a note. `once` is the form's ID, so resubmitting it doesn't add another answer. */
export const answerForm = z.object({
  body: z
    .string('Please write the text.')
    .trim()
    .min(1, 'Please write the text.')
    .max(longestAnswer, `Please keep this under ${countOf(longestAnswer, 'character')}.`),
  once: z.string().regex(/^[\w-]{8,64}$/, 'Reload the page and try again.'),
})

/** A template. `version` is the template's version when the form was rendered. */
export const templateForm = z.object({
  name: z.string().trim().min(1, 'Please enter a name.').max(60, 'Please keep this under 60 characters.'),
  body: z.string().trim().min(1, 'Please write the text.').max(3_000, 'Please keep this under 3,000 characters.'),
  version: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
})
