import { mkdtempDisposable, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PICTURE_FORMATS } from './picture-data.ts'
import { drawShareCard, drawStoreCard, drawTire, pictureKey } from './pictures.ts'
import { createPictureStore, isPictureWidth, renderTirePicture } from './pictures.server.ts'
import { SHARE_HEIGHT_PX, SHARE_WIDTH_PX } from './share-card.ts'
import { sampleTires } from './sample-tires.ts'
import { inTurn } from '../tools/rotation.testing.ts'

const kestrel = sampleTires['all-season']
const card = { widthPx: 192, format: 'webp' } as const

test('a picture has the width asked for, in a square, with a hole one can see through', async () => {
  for (const format of PICTURE_FORMATS) {
    const { data, info } = await sharp(await renderTirePicture(kestrel, { widthPx: 96, format }))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(info.width).toBe(96)
    expect(info.height).toBe(96)
    const alphaAt = (x: number, y: number) => data[(y * 96 + x) * 4 + 3]!
    expect(alphaAt(48, 48), format).toBeLessThan(8)
    expect(alphaAt(1, 1), format).toBeLessThan(8)
    expect(alphaAt(14, 48), format).toBeGreaterThan(250)
  }
})

test('24 pictures of a listing are under 150 kB for any tires', async () => {
  const heaviest = async (request: Parameters<typeof renderTirePicture>[1]) => {
    const sizes = await Promise.all(
      Object.values(sampleTires).map(async (tire) => (await renderTirePicture(tire, request)).length),
    )
    return Math.max(...sizes)
  }
  expect(24 * (await heaviest(card))).toBeLessThan(150_000)
  expect(24 * (await heaviest({ widthPx: 320, format: 'avif' }))).toBeLessThan(150_000)
})

test('tires drawn in one frame keep their true heights and stand on one ground', async () => {
  const frame = { widthMm: 1000, heightMm: 1000, groundMm: 20 }
  const rows = async (kind: 'summer' | 'all-terrain') => {
    const svg = drawTire(sampleTires[kind], { frame, shadow: false })
    const { data } = await sharp(Buffer.from(svg))
      .resize({ width: 1000 })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const painted = Array.from({ length: 1000 }, (_, y) => y).filter((y) =>
      data.subarray(y * 4000, (y + 1) * 4000).some((value, i) => i % 4 === 3 && value > 128),
    )
    return { top: painted[0]!, bottom: painted.at(-1)! + 1 }
  }
  const [thin, tall] = [await rows('summer'), await rows('all-terrain')]
  // 295/30R20 is 685 mm high, 35X12.50R17 is 889; one pixel is one millimeter.
  expect(Math.abs(thin.bottom - thin.top - 685)).toBeLessThan(3)
  expect(Math.abs(tall.bottom - tall.top - 889)).toBeLessThan(3)
  expect(Math.abs(thin.bottom - 980)).toBeLessThan(3)
  expect(Math.abs(tall.bottom - 980)).toBeLessThan(3)
})

test.each(inTurn(Object.entries(sampleTires)))(
  '%s: one sees past the tire and through its hole, and nowhere between the blocks',
  async (_, tire) => {
    for (const yaw of [31, 55]) {
      const { data } = await sharp(Buffer.from(drawTire(tire, { yaw, detail: 1, shadow: false })))
        .resize({ width: 800 })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(
        openAreas(
          Uint8Array.from({ length: 800 * 800 }, (_, i) => (data[i * 4 + 3]! < 128 ? 1 : 0)),
          800,
        ),
        `${yaw} degrees`,
      ).toBe(2)
    }
  },
)

test('blocks are lit up to the far edge of the tire', async () => {
  for (const kind of ['all-season', 'winter', 'all-terrain'] as const) {
    const svg = drawTire(sampleTires[kind], { frame: 'tight', shadow: false })
    const { data, info } = await sharp(Buffer.from(svg))
      .resize({ width: 800 })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const middle = Math.round(info.height / 2)
    const edge = Array.from({ length: 81 }, (_, i) => middle - 40 + i).flatMap((y) => {
      const row = data.subarray(y * 3200, (y + 1) * 3200)
      const start = row.findIndex((alpha, i) => i % 4 === 3 && alpha === 255)
      return Array.from({ length: 6 }, (_, i) => row[start - 3 + (i + 1) * 4]!)
    })
    expect(edge.reduce((sum, red) => sum + red, 0) / edge.length, kind).toBeGreaterThan(40)
  }
})

test.each(['<script>alert(1)</script>', `"'&&<b>`, 'A\u0000\u001b\uffffB', '\ud800broken', ']]>'])(
  'a brand of %j still renders',
  async (brand) => {
    await expect(renderTirePicture({ ...kestrel, brand, line: brand }, card)).resolves.toBeInstanceOf(Uint8Array)
  },
)

test('a picture requested concurrently is rendered once, then read', async () => {
  await using folder = await newFolder()
  const { render, rendered } = countedRender()
  const store = createPictureStore({ directory: folder.path, render })
  const pictures = await Promise.all(Array.from({ length: 8 }, () => store.read(kestrel, card)))
  pictures.push(
    await store.read(kestrel, card),
    await createPictureStore({ directory: folder.path, render }).read(kestrel, card),
  )
  expect(rendered()).toBe(1)
  for (const picture of pictures) {
    expect(picture).toMatchObject({ contentType: 'image/webp', etag: pictures[0]!.etag, key: pictureKey(kestrel) })
    expect(Buffer.from(picture.bytes).equals(pictures[0]!.bytes)).toBe(true)
  }
  expect((await sharp(pictures.at(-1)!.bytes).metadata()).format).toBe('webp')
})

test('widths, formats, views and tires are kept apart', async () => {
  await using folder = await newFolder()
  const { render, rendered } = countedRender()
  const store = createPictureStore({ directory: folder.path, render })
  const pictures = [
    await store.read(kestrel, card),
    await store.read(kestrel, { ...card, widthPx: 96 }),
    await store.read(kestrel, { ...card, format: 'png' }),
    await store.read(kestrel, { ...card, view: { yaw: 0 } }),
    await store.read(sampleTires.winter, card),
  ]
  expect(rendered()).toBe(5)
  expect(new Set(pictures.map(({ etag }) => etag)).size).toBe(5)
})

test('a truncated file is rendered again and repaired', async () => {
  await using folder = await newFolder()
  const { render, rendered } = countedRender()
  const store = createPictureStore({ directory: folder.path, render })
  const first = await store.read(kestrel, card)
  const file = await onlyFile(folder.path)
  for (const spoil of [
    () => truncate(file, 1000),
    () => truncate(file, 0),
    () => writeFile(file, 'not a picture, but longer than any digest at its end'),
  ]) {
    await spoil()
    expect(Buffer.from((await store.read(kestrel, card)).bytes).equals(first.bytes)).toBe(true)
  }
  expect(rendered()).toBe(4)
  await store.read(kestrel, card)
  expect(rendered()).toBe(4)
})

test('what a crash left behind under another name is never served', async () => {
  await using folder = await newFolder()
  const { render } = countedRender()
  const store = createPictureStore({ directory: folder.path, render })
  const first = await store.read(kestrel, card)
  const file = await onlyFile(folder.path)
  await writeFile(`${file}.3f2b.tmp`, (await readFile(file)).subarray(0, 100))
  expect(Buffer.from((await store.read(kestrel, card)).bytes).equals(first.bytes)).toBe(true)
})

test('a failed rendering is reported and can be retried', async () => {
  await using folder = await newFolder()
  let isBroken = true
  const store = createPictureStore({
    directory: folder.path,
    render: async (...asked) => {
      if (isBroken) throw new Error('out of memory')
      return renderTirePicture(...asked)
    },
  })
  await expect(store.read(kestrel, card)).rejects.toThrow('out of memory')
  isBroken = false
  await expect(store.read(kestrel, card)).resolves.toMatchObject({ contentType: 'image/webp' })
})

test('only the offered widths are widths', () => {
  expect([96, 192, 320, 480, 640, 960].every(isPictureWidth)).toBe(true)
  expect([0, 100, 193, 1920, Number.NaN].some(isPictureWidth)).toBe(false)
})

function newFolder() {
  return mkdtempDisposable(join(tmpdir(), 'pictures-'))
}

function countedRender(): { render: typeof renderTirePicture; rendered: () => number } {
  let count = 0
  return { rendered: () => count, render: (...asked) => (count++, renderTirePicture(...asked)) }
}

async function onlyFile(directory: string): Promise<string> {
  const files = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.webp'))
  expect(files).toHaveLength(1)
  return join(directory, files[0]!)
}

/** How many separate areas are 1, specks of a few pixels aside. */
function openAreas(isOpen: Uint8Array, width: number): number {
  const sizes = isOpen.keys().map((start) => {
    let size = 0
    const front = [start]
    for (let at = front.pop(); at !== undefined; at = front.pop()) {
      if (isOpen[at] !== 1) continue
      isOpen[at] = 0
      size++
      if (at % width > 0) front.push(at - 1)
      if (at % width < width - 1) front.push(at + 1)
      front.push(at - width, at + width)
    }
    return size
  })
  return sizes.filter((size) => size > 6).toArray().length
}

test.each(Object.entries(sampleTires))(
  '%s: the card for shared links keeps its words apart from the tire',
  async (_, tire) => {
    for (const svg of [drawShareCard(tire, 'Sidewall'), drawStoreCard('A Store With A Very Long Name Indeed')]) {
      const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
      expect(info.width).toEqual(SHARE_WIDTH_PX)
      expect(info.height).toEqual(SHARE_HEIGHT_PX)
      const isPaper = (x: number, y: number) => data.readUIntBE((y * info.width + x) * 4, 3) === 0xfaf8f4
      // The margins and the gap between the text and the tire are empty.
      for (let y = 0; y < 500; y += 5) for (const x of [4, 40, 636, 1196]) expect(isPaper(x, y), `${x} ${y}`).toBe(true)
      expect(Array.from({ length: 500 }, (_, y) => y).some((y) => !isPaper(90, y))).toBe(true)
    }
  },
)

test('a drawing is rendered once and kept', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'pictures-'))
  const store = createPictureStore({ directory: folder.path })
  const svg = drawShareCard(kestrel, 'Sidewall')
  const [first, second] = await Promise.all([store.readDrawing(svg), store.readDrawing(svg)])
  expect(first).toBe(second)
  expect((await sharp(first.bytes).metadata()).format).toBe('png')
  expect((await store.readDrawing(drawShareCard(kestrel, 'Other'))).etag).not.toBe(first.etag)
})

test('a photo becomes a square of the requested width once, and a removed one has no picture', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'pictures-'))
  const store = createPictureStore({ directory: folder.path })
  const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c33' } })
    .webp()
    .toBuffer()
  let loads = 0
  const load = async () => {
    loads += 1
    return photo
  }
  for (const format of PICTURE_FORMATS) {
    const picture = await store.readPhoto('a'.repeat(32), { widthPx: 96, format }, load)
    const { width, height } = await sharp(picture?.bytes).metadata()
    expect({ width, height, type: picture?.contentType }).toEqual({ width: 96, height: 96, type: `image/${format}` })
    await store.readPhoto('a'.repeat(32), { widthPx: 96, format }, load)
  }
  expect(loads).toBe(PICTURE_FORMATS.length)
  expect(await store.readPhoto('b'.repeat(32), { widthPx: 96, format: 'webp' }, async () => undefined)).toBeUndefined()
})
