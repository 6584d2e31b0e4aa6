/** Photo data for the office's model and tire pages. */
import type { modelPictureActions } from '#app/office/actions/catalog-pictures.server.ts'
import { actionStep } from '#app/office/decision.server.ts'
import { paths } from '#content/paths.ts'
import type { listPictures } from '#domain/catalog/catalog/catalog.server.ts'
import type { Photo } from './catalog-photos.tsx'

type OfficePicture = Awaited<ReturnType<typeof listPictures>>[number]

/** A photo as its panel shows it. */
export function photoView({ id: no, key, description, mark: version }: OfficePicture): Photo {
  return { no, path: paths.uploadedPicture(key), description, version }
}

/** The steps that a photo's forms send, such as `picture` with a file, or another one with the photo's number. */
export function photoSteps(
  { actions: { add, describe, move, remove } }: typeof modelPictureActions,
  posted: Parameters<typeof actionStep>[1],
) {
  return {
    picture: actionStep(add, posted, 'saved'),
    'describe-picture': actionStep(describe, posted, 'saved'),
    'move-picture': actionStep(move, posted, 'saved'),
    'no-picture': actionStep(remove, posted, 'saved'),
  }
}
