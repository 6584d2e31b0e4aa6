/** What is said about messages to support and the files that come with them. */
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'

/** The specification's words for what may go wrong with a message and its file. */
export const supportMessages = {
  failed: 'Message failed to send',
  tooLarge: `File size is greater than ${UPLOAD_MAX_BYTES / 1024 / 1024}MB`,
  unreadable: 'An error has occured while reading the file.',
  // Not the specification's, which knows neither.
  tooManyPixels: 'This picture has more than 12 megapixels. Send a smaller one.',
  busy: 'We are looking at many pictures right now. Send it again in a moment.',
} as const
