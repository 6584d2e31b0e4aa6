/** Brand logos and model photos. They are re-encoded, so no hidden data reaches shoppers. */
import { z } from 'zod'
import {
  defineActions,
  formAction,
  numberedId,
  plainAction,
  type ActionCall,
} from '#app/office/define-actions.server.ts'
import { pictureFaults, pictureTypes, readSentPicture } from '#app/office/picture.server.ts'
import { paths } from '#content/paths.ts'
import {
  addLinePicture,
  describePicture,
  findOfficeBrand,
  findOfficeLine,
  movePicture,
  removeLinePicture,
  setBrandLogo,
} from '#domain/catalog/catalog/catalog.server.ts'
import {
  choosePictureForm,
  describePictureForm,
  mostLinePictures,
  movePictureForm,
  pictureForm,
} from '#domain/catalog/catalog/catalog.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { showEdit } from './catalog-edits.server.ts'

const limits = `PNG, JPEG or WebP, up to ${maxAttachmentBytes / 1024 / 1024} MB.`

export const brandLogoActions = defineActions({
  resource: 'brands',
  part: 'logo',
  noun: 'brand logo',
  permission: 'catalog.edit',
  actions: {
    change: plainAction(
      { summary: 'Set the logo of a brand', description: limits, file: pictureTypes },
      async (call: ActionCall) => {
        const picture = await readSentPicture(call)
        if (!picture.ok) return picture
        const logo = { brandId: numberedId(call.id), picture: picture.value }
        return showEdit(call.app, setBrandLogo(call.app, call.by, logo))
      },
    ),
    remove: plainAction(
      { summary: 'Remove the logo of a brand', description: 'Pages show its name instead.' },
      ({ app, by, id }) => showEdit(app, setBrandLogo(app, by, { brandId: numberedId(id), picture: null })),
    ),
  },
  refusals: {
    ...pictureFaults('file'),
    'not-found': null,
  },
  async read(app, id) {
    const brand = await findOfficeBrand(app, numberedId(id), null)
    return brand && { path: brand.logoKey && paths.uploadedPicture(brand.logoKey) }
  },
  facts: z.object({ path: z.string().nullable().meta({ description: 'In the store; null without a logo' }) }),
})

export const modelPictureActions = defineActions({
  resource: 'models',
  part: 'pictures',
  noun: 'photo',
  permission: 'catalog.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a photo to a model',
        description: `${limits} A model has up to ${mostLinePictures}.`,
        form: pictureForm,
        file: pictureTypes,
      },
      async (call, about) => {
        const picture = await readSentPicture(call)
        if (!picture.ok) return picture
        const added = { lineId: numberedId(call.id), picture: picture.value, ...about }
        return showEdit(call.app, addLinePicture(call.app, call.by, added))
      },
    ),
    describe: formAction(
      { summary: 'Change the description of a model photo', form: describePictureForm },
      ({ app, by, id }, about) => showEdit(app, describePicture(app, by, { ...about, lineId: numberedId(id) })),
    ),
    move: formAction(
      {
        summary: 'Move a model photo',
        description: 'The others keep their order. A place after the last photo is the last place.',
        form: movePictureForm,
      },
      ({ app, by, id }, move) => showEdit(app, movePicture(app, by, { ...move, lineId: numberedId(id) })),
    ),
    remove: formAction({ summary: 'Remove a model photo', form: choosePictureForm }, ({ app, by, id }, { picture }) =>
      showEdit(app, removeLinePicture(app, by, { lineId: numberedId(id), pictureId: picture })),
    ),
  },
  refusals: {
    ...pictureFaults('file'),
    'not-found': null,
    'too-many': 'This model has the maximum number of photos. Remove one first.',
  },
  async read(app, id) {
    const line = await findOfficeLine(app, numberedId(id))
    return (
      line && {
        pictures: line.pictures.map(({ id: picture, key, description, mark: version }) => ({
          picture,
          description,
          version,
          path: paths.uploadedPicture(key),
        })),
      }
    )
  },
  facts: z.object({
    pictures: z.array(z.object({ picture: z.int(), description: z.string(), version: z.string(), path: z.string() })),
  }),
})
