/** Shared by the two forms that send us messages. */
import { supportMessages } from '#content/messages/support.ts'
import type { FormReply } from '#app/forms/form.ts'
import { requestsPerHour } from '#domain/support/support.server.ts'

/** By the reason a file was refused. */
export const attachmentMessages = {
  'too-large': supportMessages.tooLarge,
  unreadable: supportMessages.unreadable,
  'too-many-pixels': supportMessages.tooManyPixels,
  busy: supportMessages.busy,
  'other-kind': 'Please send a picture or a PDF.',
} as const

/** Requests are counted over this many seconds. */
export const anHour = 3_600
export const tooManyMessage = `${supportMessages.failed}: you sent more than ${requestsPerHour} within the hour. Wait a little, or call us.`

/** The honeypot field. A form with it filled in gets a thank-you and is dropped. */
export function isFromProgram(fields: URLSearchParams): boolean {
  return (fields.get('website') ?? '') !== ''
}

/** The form again, with a message for each field. */
export function faulty(fields: URLSearchParams, errors: Record<string, string>): FormReply {
  return { values: Object.fromEntries(fields), errors }
}
