import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readAttachment } from './attachment.server.ts'

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\nxref\n0 1\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n')

async function photo(): Promise<Buffer> {
  return sharp({ create: { width: 300, height: 200, channels: 3, background: '#884422' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'someone' }, IFD3: { GPSLatitude: '41/1 55/1 0/1' } })
    .toBuffer()
}

test('a photo is re-encoded without camera metadata, under a plain name', async () => {
  const bytes = await photo()
  expect(bytes.includes('someone')).toBe(true)
  const read = await readAttachment({ name: 'C:\\pics\\my <tire>.JPG', bytes })
  if (!read.ok) throw new Error(read.reason)
  expect(read.value).toMatchObject({ name: 'my tire.webp', contentType: 'image/webp' })
  const saved = await sharp(read.value.bytes).metadata()
  expect(saved.format).toBe('webp')
  expect(saved.width).toBe(300)
  expect(saved.exif).toBeUndefined()
  expect(Buffer.from(read.value.bytes).includes('someone')).toBe(false)
})

test.for(['jpeg', 'png', 'webp', 'avif'] as const)(
  'strips location, text and trailing data from a %s',
  async (format) => {
    const words = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><script>someone</script></x:xmpmeta>'
    const written = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#884422' } })
      .withExif({ IFD0: { Copyright: 'someone' }, IFD3: { GPSLatitude: '41/1 55/1 0/1' } })
      .withXmp(words)
      .toFormat(format)
      .toBuffer()
    const bytes = Buffer.concat([written, Buffer.from('PK\x03\x04<?php someone ?>')])
    expect(bytes.includes('someone')).toBe(true)
    const read = await readAttachment({ name: `a.${format}`, bytes })
    if (!read.ok) throw new Error(read.reason)
    const { exif, xmp, icc, iptc } = await sharp(read.value.bytes).metadata()
    expect(exif).toBeUndefined()
    expect(xmp).toBeUndefined()
    expect(icc).toBeUndefined()
    expect(iptc).toBeUndefined()
    expect(Buffer.from(read.value.bytes).includes('someone')).toBe(false)
  },
)

test('strips data hidden after the end of a picture', async () => {
  const read = await readAttachment({
    name: 'a.jpg',
    bytes: Buffer.concat([await photo(), Buffer.from('<script>alert(1)</script>')]),
  })
  expect(read.ok && Buffer.from(read.value.bytes).includes('script')).toBe(false)
  expect(read.ok).toBe(true)
})

test('a PDF stays unchanged', async () => {
  expect(await readAttachment({ name: 'invoice', bytes: pdf })).toEqual({
    ok: true,
    value: { name: 'invoice.pdf', contentType: 'application/pdf', bytes: pdf },
  })
})

test('refuses a file over 1MB, but not one of exactly 1MB', async () => {
  expect(await readAttachment({ name: 'a', bytes: new Uint8Array(1024 * 1024 + 1) })).toMatchObject({
    reason: 'too-large',
  })
  const whole = Buffer.concat([pdf.subarray(0, 9), Buffer.alloc(1024 * 1024 - pdf.length), pdf.subarray(9)])
  expect((await readAttachment({ name: 'a.pdf', bytes: whole })).ok).toBe(true)
})

test.for([
  ['a photo that was cut off', async () => (await photo()).subarray(0, 400), 'unreadable'],
  ['a PDF that was cut off', async () => pdf.subarray(0, 20), 'unreadable'],
  ['a page that calls itself a picture', async () => Buffer.from('<html><script>1</script></html>'), 'other-kind'],
  ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'other-kind'],
  ['a program', async () => Buffer.from('MZ\x90\x00'), 'other-kind'],
  ['a GIF that is a script, too', async () => Buffer.from('GIF89a/*\x00*/=1;alert(1)//'), 'unreadable'],
  [
    'a page behind the mark of a WebP',
    async () => Buffer.from('RIFF\x24\x00\x00\x00WEBP<script>alert(1)</script>'),
    'unreadable',
  ],
  [
    'a page behind the mark of an AVIF',
    async () => Buffer.from('\x00\x00\x00\x18ftypavif<script>alert(1)</script>'),
    'unreadable',
  ],
  [
    'an SVG behind a byte order mark',
    async () => Buffer.from('\ufeff<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    'other-kind',
  ],
  ['the first bytes of a PNG', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'unreadable'],
] as const)('refuses %s', async ([, make, reason]) => {
  expect(await readAttachment({ name: 'a.jpg', bytes: await make() })).toMatchObject({ ok: false, reason })
})

const plainPicture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#000' } })

test.for([
  ['PNG', () => plainPicture(5_000, 4_000).png({ compressionLevel: 9 })],
  ['AVIF', () => plainPicture(4_200, 3_100).avif({ effort: 0 })],
  ['picture one row too high', () => plainPicture(4_096, 3_073).png()],
] as const)('refuses a small %s that decodes to too many pixels, by its header', async ([, make]) => {
  const bomb = await make().toBuffer()
  expect(bomb.length).toBeLessThan(1024 * 1024)
  expect(await readAttachment({ name: 'bomb.png', bytes: bomb })).toMatchObject({ reason: 'too-many-pixels' })
})

test('accepts a 12-megapixel phone picture', async () => {
  const read = await readAttachment({ name: 'a.png', bytes: await plainPicture(4_032, 3_024).png().toBuffer() })
  if (!read.ok) throw new Error(read.reason)
  expect(await sharp(read.value.bytes).metadata()).toMatchObject({ width: 2_000, height: 1_500 })
})

test('saves a rotated picture upright', async () => {
  const lying = await plainPicture(300, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const read = await readAttachment({ name: 'a.jpg', bytes: lying })
  if (!read.ok) throw new Error(read.reason)
  expect(await sharp(read.value.bytes).metadata()).toMatchObject({ width: 200, height: 300 })
})

test('of many simultaneous pictures some wait, and the rest are refused as busy', async () => {
  const bytes = await photo()
  const read = await Promise.all(Array.from({ length: 40 }, () => readAttachment({ name: 'a.jpg', bytes })))
  const reasons = read.map((each) => (each.ok ? 'taken' : each.reason))
  expect(new Set(reasons)).toEqual(new Set(['taken', 'busy']))
  expect(await readAttachment({ name: 'a.jpg', bytes })).toMatchObject({ ok: true })
})

test('does not process a waiting picture after its sender disconnected', async () => {
  const bytes = await photo()
  const leaving = new AbortController()
  const [first, second] = [
    readAttachment({ name: 'a.jpg', bytes }),
    readAttachment({ name: 'a.jpg', bytes }, leaving.signal),
  ]
  leaving.abort()
  expect(await first).toMatchObject({ ok: true })
  expect(await second).toMatchObject({ reason: 'busy' })
})
