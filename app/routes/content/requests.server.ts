/** Shared by the forms that send us messages, requests and claims. */
import { orderNotFoundMessage } from '#content/messages/orders.ts'
import { supportMessages } from '#content/messages/support.ts'
import type { data, RouterContextProvider } from 'react-router'
import { refuseForm, type FormReply } from '#app/forms/form.ts'
import { answerHeadersContext } from '#app/server/context.ts'
import { requestsPerHour } from '#domain/messaging/support/support.server.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { countOf } from '#platform/count-text.ts'

/** By the reason a file was refused. */
const attachmentMessages = {
  'too-large': supportMessages.tooLarge,
  unreadable: supportMessages.unreadable,
  'unsafe-pdf': supportMessages.unsafePdf,
  'too-many-pixels': supportMessages.tooManyPixels,
  busy: supportMessages.busy,
  'other-kind': 'Please send a picture or a PDF.',
} as const

export const tooManyMessage = `You sent more than ${countOf(requestsPerHour, 'message')} within the hour. Wait an hour, or call us.`

/** What is said of an order that is not proven, by what was given to prove it. */
export const unknownOrder = {
  zip: orderNotFoundMessage,
  email: 'Please review. Order ID & email do not match.',
  nothing: 'Enter the email or the ZIP code of this order too, so that we know it is yours.',
} as const

export const tooManyLookUps = 'That was one attempt too many for this order. Wait 15 minutes, or write to us.'

/** The form again, with a message for each field. */
export function faulty(fields: URLSearchParams, errors: Record<string, string>): FormReply {
  return { values: Object.fromEntries(fields), errors }
}

/**
 * Returns the error of a file that is too large. These are refused immediately. Other files are read after the rest of
 * the form is valid.
 */
export function sizeFault(file: File | null): Record<string, string> {
  return file !== null && file.size > maxAttachmentBytes ? { attachment: supportMessages.tooLarge } : {}
}

/** The form again, with the reason that its file was not taken. */
export function refuseFile(
  context: Readonly<RouterContextProvider>,
  fields: URLSearchParams,
  reason: keyof typeof attachmentMessages,
): ReturnType<typeof data<FormReply>> {
  const reply = faulty(fields, { attachment: attachmentMessages[reason] })
  if (reason !== 'busy') return refuseForm(reply)
  context.get(answerHeadersContext).set('retry-after', '5')
  return refuseForm(reply, 503)
}
