/** The forms of tire types and categories. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { slugOf } from '#platform/slug.ts'

export const maxTireTypeName = 60
export const maxTireTypeText = 400
/** The most types, and the most categories. */
export const maxTireTypes = { tire_type: 60, category: 200 } as const

/** A single line of plain text, for titles, lists, and feeds. */
const line = (max: number) =>
  z
    .string('Fill this in.')
    .transform((text) => text.replaceAll(/[\r\n]+/g, ' ').trim())
    .pipe(z.string().max(max, `Please keep this under ${countOf(max, 'character')}.`))
    .refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), 'Remove the special characters.')

const slug = z.string().max(80).default('')

/** `after` is the slug of the one in front, empty for the first; `placed` is what the form showed for it. */
export const tireTypeForm = z.object({
  name: line(maxTireTypeName)
    .refine((text) => slugOf(text) !== '', 'Enter a name with letters or digits.')
    .refine((text) => slugOf(text).length <= 80, 'Shorten the name.')
    // The page of a new one has this address.
    .refine((text) => slugOf(text) !== 'new', 'Choose another name.'),
  definition: line(maxTireTypeText).refine((text) => text !== '', 'Describe it in a sentence or two.'),
  audience: line(maxTireTypeText).default(''),
  after: slug.describe('The slug of the one in front; empty for the first'),
  placed: slug.describe('`after` as it was read. The order stays if both are the same'),
  type: slug.describe('The slug of a category’s tire type; empty for a tire type'),
  version: z.coerce.number('Load the page again.').int().min(0).max(999_999_999).default(0),
})

export type TireTypeDraft = z.output<typeof tireTypeForm>
