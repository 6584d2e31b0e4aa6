/** What a technician reads when a work order refuses something. */
import { shopApplicationMessages } from './shop-applications.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'
import { supportMessages } from './support.ts'

type Words = { words: string; field?: string; status: number }

type NotReadyWords =
  | { what: 'day'; from: string }
  | { what: 'parcels'; open: number }
  | { what: 'pieces'; received: number; total: number }

const refusals = {
  'not-allowed': { words: 'You no longer have permission to do this.', status: 403 },
  'job-not-found': { words: 'This job is no longer at your shop.', status: 409 },
  'job-stopped': { words: 'This order was canceled or is not confirmed. Do not install it.', status: 409 },
  over: { words: 'This job is complete and can’t be changed.', status: 409 },
  'tires-changed': { words: 'The tires on this order changed. Reload the page.', status: 409 },
  'not-now': { words: 'The job moved to another shop.', status: 409 },
  'not-today': { words: 'You can do this on the day of the appointment.', status: 409 },
  'not-later': { words: 'Choose a longer delay than the last one.', field: 'late', status: 422 },
  'not-here': { words: 'Mark the car as here first. What you typed is saved.', status: 409 },
  'no-car': { words: 'Mark the car as here first, then send the photo.', status: 409 },
  'code-exhausted': {
    words: 'No tries are left. Let the customer sign instead.',
    field: 'code',
    status: 409,
  },
  'line-not-found': { words: 'This number doesn’t match a tire in the order.', field: 'scanned', status: 422 },
  'all-counted': { words: 'All of these are counted already.', status: 409 },
  'none-counted': { words: 'These units weren’t counted.', status: 409 },
  'too-many-pieces': { words: 'The order does not have so many of this tire.', field: 'count', status: 422 },
  'too-many-photos': { words: 'You sent many photos within the hour. Call us about this one.', status: 429 },
} as const satisfies Record<string, Words>

export const workOrderMessages = {
  refusals: refusals as Readonly<Record<keyof typeof refusals, Words>>,
  notReady: (what: NotReadyWords): string => {
    switch (what.what) {
      case 'day':
        return `The car can be marked as here from ${what.from} on.`
      case 'parcels':
        return `${pluralForm(what.open, 'A parcel is', `${what.open} parcels are`)} still on the way.`
      case 'pieces':
        return `${what.received} of ${countOf(what.total, 'tire')} are counted. Count them all first.`
    }
  },
  recalledTires: 'Do not fit tires under a recall. Report them as damaged, and call us. The rest is saved.',
  recalled: ({ campaign, defect }: { campaign: string; defect: string }) => `Do not fit: recall ${campaign}. ${defect}`,
  missing: 'This is missing.',
  incomplete: (count: number) => `Saved, and not finished: ${countOf(count, 'thing is', 'things are')} missing.`,
  codeWrong: (left: number) => `This is not the code. ${countOf(left, 'try', 'tries')} left. The rest is saved.`,
  noCode: 'Enter the 6 digits that the customer shows.',
  tooEarly: (from: string) => `A customer is a no-show from ${from} on.`,
  noPhoto: 'Add a photo of the damage.',
  chooseFile: 'Choose a photo.',
  photo: {
    'too-large': supportMessages.tooLarge,
    unreadable: supportMessages.unreadable,
    'unsafe-pdf': supportMessages.unsafePdf,
    'too-many-pixels': supportMessages.tooManyPixels,
    busy: supportMessages.busy,
    'other-kind': shopApplicationMessages.pictureKind,
  },
} as const
