/** The drawn tires as small images. The address holds the picture's key, so an image never changes and is kept for good. */
import { Hono } from 'hono'
import { tirePictureData } from '#domain/catalog/catalog.server.ts'
import { isPictureWidth } from '#domain/pictures/pictures.server.ts'
import type { Shop } from '#shop'

const address = /^(?<item>\d{1,9})-(?<key>[\w-]{4,64})-(?<width>\d{2,4})\.(?<format>webp|avif)$/

export function createPictures(shop: Shop): Hono {
  const app = new Hono()
  app.get('/:name', async (c) => {
    const parts = address.exec(c.req.param('name'))?.groups
    const width = Number(parts?.['width'])
    if (!parts || !isPictureWidth(width)) return c.notFound()
    const data = await tirePictureData(shop.catalog, Number(parts['item']))
    if (!data) return c.notFound()
    const picture = await shop.pictures.read(data, { widthPx: width, format: parts['format'] === 'avif' ? 'avif' : 'webp' })
    // An old key still shows the tire, but only the true one is kept for good.
    const isCurrent = picture.key === parts['key']
    return c.body(new Uint8Array(picture.bytes), 200, { 'content-type': picture.contentType, etag: picture.etag, 'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'public, max-age=300' })
  })
  return app
}
