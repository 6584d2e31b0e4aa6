/** The forms of an email template. */
import { z } from 'zod'

/** In characters. */
export const longestEmail = { subject: 150, body: 10_000 }

export const emailTemplateForm = z.object({
  version: z.coerce.number().int().min(0).max(1_000_000_000).catch(0),
  subject: z
    .string('Enter a subject.')
    .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
    .pipe(
      z
        .string()
        .min(3, 'Enter a subject of at least 3 characters.')
        .max(longestEmail.subject, 'Enter a subject of at most 150 characters.'),
    ),
  body: z
    .string('Enter the text.')
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .pipe(z.string().min(1, 'Enter the text.').max(longestEmail.body, 'Enter at most 10,000 characters.'))
    .meta({ maxLength: longestEmail.body }),
})
export type EmailDraft = z.output<typeof emailTemplateForm>

export const resetForm = emailTemplateForm.pick({ version: true })
