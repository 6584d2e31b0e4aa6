/** Limits of the files that people send. */
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'

/** 1MB, the maximum size of an attached file. */
export const maxAttachmentBytes = UPLOAD_MAX_BYTES

/** 12 megapixels as phone cameras count them: 4032 × 3024, or 4080 × 3072. */
export const maxAttachmentPixels = 12 * 1024 * 1024
