/** Messages about support requests and their attachments. */
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'

/** The specification's messages about a request and its file. */
export const supportMessages = {
  failed: 'Message failed to send',
  tooLarge: `File size is greater than ${UPLOAD_MAX_BYTES / 1024 / 1024}MB`,
  unreadable: 'An error has occured while reading the file.',
  // Not in the specification, which does not cover these cases.
  tooManyPixels: 'This picture has more than 12 megapixels. Send a smaller one.',
  unsafePdf:
    'This PDF contains scripts, attached files or a password. Print it to a new PDF, or take a screenshot, and send that.',
  busy: 'We are looking at many pictures right now. Send it again in a moment.',
} as const
