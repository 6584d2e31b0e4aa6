/** Messages about returns. */
import { supportMessages } from '#content/messages/support.ts'

export const returnMessages = {
  /** By the reason a photo was refused; the first two are the specification's. */
  photo: {
    'too-large': supportMessages.tooLarge,
    unreadable: supportMessages.unreadable,
    'unsafe-pdf': supportMessages.unsafePdf,
    'too-many-pixels': supportMessages.tooManyPixels,
    busy: supportMessages.busy,
    'other-kind': 'Please send pictures, such as JPG or PNG.',
  },
  tooManyPhotos: 'That was too many photos within the hour. Wait a little, or call us.',
  shipped: 'A tire has already shipped, so this return can no longer be canceled.',
  notSold:
    'These tires are no longer sold. Choose others and give us their order number, and we’ll waive the fee as well.',
  tooManyCarts: 'Too many carts were created from your network. Wait a little, then try again.',
} as const
