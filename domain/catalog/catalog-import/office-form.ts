/** What the office's forms about imports must hold. Safe in the browser. */
import { z } from 'zod'
import { itemStatusForm } from '#domain/catalog/catalog/catalog.ts'
import { countOf } from '#platform/count-text.ts'
import { feedKinds } from './feed-kinds.ts'

export const longestImportReason = 500
/** Characters of a column's name, and of a value for all rows. */
export const longestColumn = 200

export const importUploadForm = z.object({
  kind: z.enum(feedKinds, 'Choose what the file holds.'),
  mode: z.enum(['all-or-nothing', 'per-row'], 'Choose what happens to bad rows.'),
})

/** The same for a program, which sends the file with its form. `key` becomes the ID of the upload. */
export const importFileForm = importUploadForm.extend({ key: z.uuid('Send a new UUID as `key`.') })

/** The reason is required for runs with warnings, which the run determines. */
export const importActForm = z.object({
  seen: z.string().max(40).default(''),
  reason: z
    .string()
    .trim()
    .max(longestImportReason, `Please keep this under ${countOf(longestImportReason, 'character')}.`)
    .default('')
    .transform((text) => text || null),
})

/** `listedOn` is the date of the list that was shown. */
export const sizeListRemovalForm = itemStatusForm.extend({ listedOn: z.string().max(10).default('') })
