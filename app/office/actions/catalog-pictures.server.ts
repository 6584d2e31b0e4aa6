/** Brand logos, model photos, and tire photos. They are re-encoded, so no hidden data reaches shoppers. */
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
  addPicture,
  describePicture,
  findOfficeBrand,
  findOfficeItem,
  findOfficeLine,
  listPictures,
  movePicture,
  removePicture,
  setBrandLogo,
  type PictureOwner,
} from '#domain/catalog/catalog/catalog.server.ts'
import {
  choosePictureForm,
  describePictureForm,
  mostPictures,
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

/** Declares model or tire photos. Product pages show tire photos before model photos. */
function pictureActions(kind: PictureOwner['kind'], names: { resource: string; noun: string; of: string }) {
  const owner = (id: string) => ({ kind, id: numberedId(id) })
  return defineActions({
    resource: names.resource,
    part: 'pictures',
    noun: names.noun,
    permission: 'catalog.edit',
    actions: {
      add: formAction(
        {
          summary: `Add a photo to a ${names.of}`,
          description: `${limits} A ${names.of} has up to ${mostPictures}.`,
          form: pictureForm,
          file: pictureTypes,
        },
        async (call, about) => {
          const picture = await readSentPicture(call)
          if (!picture.ok) return picture
          return showEdit(
            call.app,
            addPicture(call.app, call.by, { of: owner(call.id), picture: picture.value, ...about }),
          )
        },
      ),
      describe: formAction(
        { summary: `Change the description of a ${names.of} photo`, form: describePictureForm },
        ({ app, by, id }, about) => showEdit(app, describePicture(app, by, { ...about, of: owner(id) })),
      ),
      move: formAction(
        {
          summary: `Move a ${names.of} photo`,
          description: 'The others keep their order. A place after the last photo is the last place.',
          form: movePictureForm,
        },
        ({ app, by, id }, move) => showEdit(app, movePicture(app, by, { ...move, of: owner(id) })),
      ),
      remove: formAction(
        { summary: `Remove a ${names.of} photo`, form: choosePictureForm },
        ({ app, by, id }, { picture }) => showEdit(app, removePicture(app, by, { of: owner(id), picture })),
      ),
    },
    refusals: {
      ...pictureFaults('file'),
      'not-found': null,
      'too-many': `This ${names.of} has the maximum number of photos. Remove one first.`,
    },
    async read(app, id) {
      const of = owner(id)
      const found = await (kind === 'line' ? findOfficeLine(app, of.id) : findOfficeItem(app, of.id))
      if (!found) return undefined
      const pictures = await listPictures(app, of)
      return {
        pictures: pictures.map(({ id: picture, key, description, mark: version }) => ({
          picture,
          description,
          version,
          path: paths.uploadedPicture(key),
        })),
      }
    },
    facts: z.object({
      pictures: z.array(z.object({ picture: z.int(), description: z.string(), version: z.string(), path: z.string() })),
    }),
  })
}

export const modelPictureActions = pictureActions('line', { resource: 'models', noun: 'photo', of: 'model' })
export const tirePictureActions = pictureActions('item', { resource: 'catalog', noun: 'tire photo', of: 'tire' })
