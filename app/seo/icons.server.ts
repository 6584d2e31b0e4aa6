/** The store's icon in the formats that systems request, all drawn from public/favicon.svg. */
import { readTextFile } from '#platform/text-file.ts'

type Icon = { sizePx: number; /** The fraction of the width the mark occupies. */ share: number; hasGround: boolean }

/**
 * By file name. A maskable icon may be cropped to a circle of four fifths of its width; a home screen shows no
 * transparency.
 */
export const icons: Readonly<Record<string, Icon>> = {
  'icon-192.png': { sizePx: 192, share: 1, hasGround: false },
  'icon-512.png': { sizePx: 512, share: 1, hasGround: false },
  'icon-maskable-512.png': { sizePx: 512, share: 0.72, hasGround: true },
  'apple-touch-icon.png': { sizePx: 180, share: 0.84, hasGround: true },
}

export const smallIcon: Icon = { sizePx: 32, share: 1, hasGround: false }

/** Returns the icon as an SVG at its original size. */
export async function drawIcon({ sizePx, share, hasGround }: Icon): Promise<string> {
  const mark = await readTextFile('public/favicon.svg')
  const margin = (sizePx * (1 - share)) / 2
  const ground = hasGround ? `<rect width="${sizePx}" height="${sizePx}" fill="#faf8f4"/>` : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 ${sizePx} ${sizePx}">${ground}` +
    `${mark.trim().replace('<svg ', `<svg x="${margin}" y="${margin}" width="${sizePx * share}" height="${sizePx * share}" `)}</svg>`
  )
}

/**
 * Wraps a PNG of up to 255 px in the ICO container of /favicon.ico: a directory of one entry, 6 + 16 bytes, and the
 * picture.
 */
export function icoOf(png: Uint8Array, sizePx: number): Uint8Array {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(sizePx, 6)
  head.writeUInt8(sizePx, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
