/** The forms with which staff edit the catalog. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'

export const longestDescription = 2_000
export const longestPictureText = 200

const wholeText = (longest: number) =>
  z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .pipe(z.string().max(longest, `Please keep this under ${countOf(longest, 'character')}.`))

/** `mark` is of the text that was shown, so that a colleague's change is not lost. */
export const descriptionForm = z
  .object({ about: wholeText(longestDescription), version: z.string().max(40).default('') })
  .transform(({ about, version: mark }) => ({ about, mark }))

export const itemStatusForm = z.object({
  reason: wholeText(500).refine((text) => text !== '', 'Enter a reason for the audit log.'),
})

export const pictureForm = z.object({
  description: wholeText(longestPictureText).refine((text) => text !== '', 'Say what the picture shows.'),
})

/** A press of a button about one photo. */
export const choosePictureForm = z.object({ picture: z.coerce.number().int().min(0).max(2_147_483_647) })

/** A new description of a photo; `mark` is of the one that was shown. */
export const describePictureForm = choosePictureForm
  .extend({ ...pictureForm.shape, version: z.string().max(40).default('') })
  .transform(({ version: mark, ...about }) => ({ ...about, mark }))

export const itemStatuses = ['on-sale', 'hidden', 'retired', 'unlisted'] as const
/** `hidden` by staff; `retired` with its brand or model; `unlisted` by the last feed that covered its brand. */
export type ItemStatus = (typeof itemStatuses)[number]

/** The maximum number of photos per model, and per tire. */
export const mostPictures = 6

/** A photo's new position, counted from 1. */
export const movePictureForm = choosePictureForm.extend({
  place: z.coerce.number().int().min(1).max(mostPictures).meta({ description: 'From 1, the first photo' }),
})

/** The default lettering of a brand name until someone designs it. */
export const plainWordmark = { weight: 700, stretch: 100, spacing: 0, case: 'upper' } as const
