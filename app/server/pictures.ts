/**
 * The tire renderings as small images. The address contains the picture's key, so an image never changes and is cached
 * forever.
 */
import { Hono } from 'hono'
import { findItem, selectAnyItem, selectPicture } from '#domain/catalog/catalog/catalog.server.ts'
import { isPictureWidth } from '#pictures/pictures.server.ts'
import {
  drawShareCard,
  drawStoreCard,
  drawTire,
  drawTread,
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
    const data = await tirePictureData(app, Number(parts['item']))
    if (!data) return undefined
    const picture = await app.pictures.read(data, {
      widthPx: width,
      format: parts['format'] === 'avif' ? 'avif' : 'webp',
      ...(view ? { view } : {}),
    })
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
  const card = async (svg: string, isCurrent: boolean): Promise<Response> => {
    const picture = await app.pictures.readDrawing(svg)
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
    const data = parts && (await tirePictureData(app, Number(parts['item'])))
    return data ? card(drawTire(data), true) : c.notFound()
  })
  hono.get('/share/store.png', () => card(drawStoreCard(app.config.store.name), true))
  hono.get('/share/:name', async (c) => {
    const parts = cards.exec(c.req.param('name'))?.groups
    const data = parts && (await tirePictureData(app, Number(parts['item'])))
    return data ? card(drawShareCard(data, app.config.store.name), pictureKey(data) === parts['key']) : c.notFound()
  })
  hono.get('/:name', async (c) => (await image(c.req.param('name'))) ?? c.notFound())
  return hono
}

/**
 * Returns the data for rendering an item's image, even if it is discontinued, because orders and emails show it for
 * years. Undefined if the item doesn't exist.
 */
async function tirePictureData(app: Application, itemId: number): Promise<TirePictureData | undefined> {
  const item = (await findItem(app.catalog, itemId)) ?? (await selectAnyItem(app.db, itemId))
  return item && pictureDataOf(item)
}

/** An outdated key still shows the tire, but only the current one is cached forever. */
function kept(isCurrent: boolean): { 'cache-control': string } {
  return { 'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'public, max-age=300' }
}
