/**
 * The tire renderings and photos as small images. The address contains the picture's key, so an image never changes
 * and is cached forever.
 */
import { Hono } from 'hono'
import { findItem, selectAnyItem, selectPicture } from '#domain/catalog/catalog/catalog.server.ts'
import type { Item } from '#domain/catalog/catalog/catalog.ts'
import { isPictureWidth, type Picture, type PictureRequest } from '#pictures/pictures.server.ts'
import {
  drawShareCard,
  drawStoreCard,
  drawTire,
  drawTread,
  isPhotoKey,
  pictureDataOf,
  pictureKey,
  type TirePictureData,
  type TireView,
} from '#pictures/pictures.ts'
import type { Application } from '#application'

/** The small image next to the tread, showing the tire from the side. */
export const frontView: TireView = { yaw: 0, shadow: false }

const images = /^(?<item>\d{1,9})-(?<key>[\w-]{4,64})-(?<width>\d{2,4})\.(?<format>webp|avif)$/
const cards = /^(?<item>\d{1,9})-(?<key>[\w-]{4,64})\.png$/
const mails = /^(?<item>\d{1,9})\.png$/
const treads = /^(?<item>\d{1,9})-(?<key>[\w-]{4,64})\.svg$/

export function createPictures(app: Application): Hono {
  const hono = new Hono()

  const image = async (name: string, view?: TireView): Promise<Response | undefined> => {
    const parts = images.exec(name)?.groups
    const width = Number(parts?.['width'])
    if (!parts || !isPictureWidth(width)) return undefined
    const item = await anyItem(app, Number(parts['item']))
    if (!item) return undefined
    const request = { widthPx: width, format: parts['format'] === 'avif' ? 'avif' : 'webp' } as const
    // The key of a drawing shows the drawing, even of a tire with photos.
    const photo = !view && isPhotoKey(parts['key'] ?? '') ? await photoOf(app, item, request) : undefined
    const picture = photo ?? (await app.pictures.read(pictureDataOf(item), { ...request, ...(view ? { view } : {}) }))
    return new Response(new Uint8Array(picture.bytes), {
      headers: { 'content-type': picture.contentType, etag: picture.etag, ...kept(picture.key === parts['key']) },
    })
  }

  hono.get('/uploaded/:file{[0-9a-f]{32}\\.webp}', async (c) => {
    const bytes = await selectPicture(app.db, c.req.param('file').slice(0, 32))
    if (!bytes) return c.notFound()
    return c.body(new Uint8Array(bytes), 200, { 'content-type': 'image/webp', ...kept(true) })
  })
  hono.get('/front/:name', async (c) => (await image(c.req.param('name'), frontView)) ?? c.notFound())
  hono.get('/tread/:name', async (c) => {
    const parts = treads.exec(c.req.param('name'))?.groups
    const data = parts && (await tirePictureData(app, Number(parts['item'])))
    if (!data) return c.notFound()
    return c.body(drawTread(data), 200, { 'content-type': 'image/svg+xml', ...kept(pictureKey(data) === parts['key']) })
  })
  const card = (picture: Picture, isCurrent: boolean): Response => {
    // A card shows the store's name, which may change under the same address: cached for a week.
    const headers = {
      'content-type': picture.contentType,
      etag: picture.etag,
      'cache-control': `public, max-age=${isCurrent ? 604_800 : 300}`,
    }
    return new Response(new Uint8Array(picture.bytes), { headers })
  }
  // Mail programs support neither WebP nor AVIF. The address has no key, since a mail is read long after it was sent.
  hono.get('/mail/:name', async (c) => {
    const parts = mails.exec(c.req.param('name'))?.groups
    const item = parts && (await anyItem(app, Number(parts['item'])))
    if (!item) return c.notFound()
    const photo = await photoOf(app, item, { widthPx: 480, format: 'png' })
    return card(photo ?? (await app.pictures.readDrawing(drawTire(pictureDataOf(item)))), true)
  })
  hono.get('/share/store.png', async () =>
    card(await app.pictures.readDrawing(drawStoreCard(app.config.store.name)), true),
  )
  hono.get('/share/:name', async (c) => {
    const parts = cards.exec(c.req.param('name'))?.groups
    const data = parts && (await tirePictureData(app, Number(parts['item'])))
    if (!data) return c.notFound()
    const picture = await app.pictures.readDrawing(drawShareCard(data, app.config.store.name))
    return card(picture, pictureKey(data) === parts['key'])
  })
  hono.get('/:name', async (c) => (await image(c.req.param('name'))) ?? c.notFound())
  return hono
}

/** Returns an item, even if it is discontinued, because orders and emails show it for years. */
async function anyItem(app: Application, itemId: number): Promise<Item | undefined> {
  return (await findItem(app.catalog, itemId)) ?? (await selectAnyItem(app.db, itemId))
}

/** Returns the data for rendering an item's image. Undefined if the item doesn't exist. */
async function tirePictureData(app: Application, itemId: number): Promise<TirePictureData | undefined> {
  const item = await anyItem(app, itemId)
  return item && pictureDataOf(item)
}

/** Returns an item's first photo; undefined without one. */
async function photoOf(
  app: Application,
  { photo }: Item,
  request: Omit<PictureRequest, 'view'>,
): Promise<Picture | undefined> {
  if (photo === undefined) return undefined
  return app.pictures.readPhoto(photo, request, () => selectPicture(app.db, photo))
}

/** An outdated key still shows the tire, but only the current one is cached forever. */
function kept(isCurrent: boolean): { 'cache-control': string } {
  return { 'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'public, max-age=300' }
}
