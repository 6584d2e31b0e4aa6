import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { detailForWidth } from './picture-data.ts'
import { DRAWING_VERSION, fnv1a64 } from './picture-key.ts'
import {
  describeTire,
  drawTire,
  drawTread,
  isDrawable,
  pictureKey,
  pictureProportions,
  type TirePictureData,
} from './pictures.ts'
import { shapeOf } from './projection.ts'
import { flotation, metric, sampleTires } from './sample-tires.ts'
import { treadPattern } from './tread-patterns.ts'

const kestrel = sampleTires['all-season']
const everyTire = Object.entries(sampleTires)

test('the drawing matches DRAWING_VERSION', () => {
  const drawn = everyTire.flatMap(([, tire]) => [
    drawTire(tire),
    drawTire(tire, { detail: 1 }),
    drawTire(tire, { detail: 0, parts: true, dimensions: true }),
    drawTread(tire),
  ])
  // If this fails, the drawing has changed. Increase DRAWING_VERSION; otherwise immutable URLs would show the old
  // images. Then update both here.
  expect(DRAWING_VERSION).toBe(3)
  expect(fnv1a64(drawn.join('').replaceAll(/\b[ts][\da-f]{8,16}/g, ''))).toBe('677b7519eb810ac0')
})

test('the same tire renders to the same bytes', () => {
  expect(drawTire(structuredClone(kestrel))).toBe(drawTire(kestrel))
  expect(drawTread(structuredClone(kestrel))).toBe(drawTread(kestrel))
})

test.each([
  ['another brand', { brand: 'Tarn' }],
  ['another line', { line: 'Alltide AS3' }],
  ['another size', { size: metric(235, 65, 17) }],
  ['another service', { speed: 'V' }],
  ['another tread', { kind: 'winter' }],
  ['no M+S', { mPlusS: false }],
  ['the three-peak mark', { threePeak: true }],
  ['outlined white letters', { outlinedWhiteLetters: true }],
  ['other small print', { maxPressureKpa: 300 }],
] satisfies [string, Partial<TirePictureData>][])('%s is another picture under another key', (_, change) => {
  const changed = { ...kestrel, ...change }
  expect(drawTire(changed)).not.toBe(drawTire(kestrel))
  expect(pictureKey(changed)).not.toBe(pictureKey(kestrel))
})

test('a key contains only visible properties', () => {
  expect(pictureKey(kestrel)).toMatch(/^[\da-f]{16}$/)
  expect(pictureKey(kestrel, {})).toBe(
    pictureKey(kestrel, { yaw: 31, detail: 2, frame: 'square', shadow: true, parts: false, dimensions: false }),
  )
  expect(pictureKey(Object.fromEntries(Object.entries(kestrel).toReversed()) as TirePictureData)).toBe(
    pictureKey(kestrel),
  )
  const views = [
    { yaw: 30 },
    { detail: 1 },
    { frame: 'tight' },
    { frame: { widthMm: 960, heightMm: 905, groundMm: 22 } },
    { shadow: false },
    { parts: true },
    { dimensions: true },
    { idSeed: 'b' },
  ] as const
  expect(new Set([undefined, ...views].map((view) => pictureKey(kestrel, view))).size).toBe(views.length + 1)
})

test('the key is 64-bit FNV-1a', () => {
  // From the test vectors published with the function.
  expect(['', 'a', 'foobar'].map(fnv1a64)).toEqual(['cbf29ce484222325', 'af63dc4c8601ec8c', '85944171f73967e8'])
})

test.each(everyTire)('%s: a complete drawing without fonts or anything from elsewhere', (kind, tire) => {
  for (const drawing of [
    drawTire(tire, { parts: true, dimensions: true }),
    drawTire(tire, { detail: 1 }),
    drawTire(tire, { detail: 0 }),
    drawTread(tire),
  ]) {
    expect(drawing).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/s)
    expect(drawing).not.toMatch(/<text|font|<image|<script|<style|NaN|Infinity|undefined/)
    expect(drawing.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/)
    const ids = idsIn(drawing)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, used] of drawing.matchAll(/(?:href="|url\()#([^")]+)/g)) expect(ids).toContain(used)
  }
  expect(drawTire(tire)).toContain(
    `aria-label="Drawing of ${tire.brand.replace('&', '&amp;')} ${tire.line}, ${tire.size.designation} ${kind === 'summer' ? '(101Y)' : tire.loadIndex + tire.speed}"`,
  )
  expect(treadPattern(tire.kind).pitches, kind).toBeGreaterThan(10)
})

test('drawings on one page share no ids', () => {
  const drawings = [
    ...everyTire.map(([, tire]) => drawTire(tire)),
    drawTire(kestrel, { detail: 1 }),
    drawTire(kestrel, { idSeed: 'again' }),
    ...everyTire.map(([, tire]) => drawTread(tire)),
  ]
  const ids = drawings.flatMap(idsIn)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(everyTire)('%s: light enough for a page', (_, tire) => {
  const product = drawTire(tire, { parts: true, dimensions: true })
  expect(product.length).toBeLessThan(60_000)
  expect(gzipSync(product).length).toBeLessThan(20_000)
  expect(drawTread(tire).length).toBeLessThan(6_000)
  expect(drawTire(tire, { detail: 0 }).length).toBeLessThan(drawTire(tire, { detail: 1 }).length)
  expect(drawTire(tire, { detail: 1 }).length).toBeLessThan(drawTire(tire).length)
})

test('proportions match the size', () => {
  const thin = shapeOf(metric(295, 30, 20), treadPattern('summer'))
  expect(thin.sidewall).toBeCloseTo(88.5)
  expect(2 * thin.radius).toBeCloseTo(685)
  const tall = shapeOf(flotation(35, 12.5, 17), treadPattern('all-terrain'))
  expect(tall.sidewall).toBeCloseTo(228.6)
  expect(2 * tall.radius).toBeCloseTo(889)
  for (const shape of [thin, tall]) {
    expect(shape.faceRadius).toBeLessThan(shape.radius)
    expect(shape.flangeRadius).toBeLessThan(shape.faceRadius)
    expect(shape.flangeRadius).toBeGreaterThan(shape.rimRadius)
  }
})

test('the frame is the tire, a square round it, or one shared with others', () => {
  const box = (view: Parameters<typeof drawTire>[1]) =>
    /viewBox="([^"]*)"/.exec(drawTire(kestrel, view))![1]!.split(' ').map(Number)
  const [, , squareWidth, squareHeight] = box({})
  expect(squareWidth).toBe(squareHeight)
  const [, , width, height] = box({ frame: 'tight', shadow: false })
  expect(height).toBeCloseTo(kestrel.size.overallDiameterMm + 20, 0)
  expect(width).toBeLessThan(height! + 20)
  expect(box({ frame: { widthMm: 960, heightMm: 905, groundMm: 22 } })).toEqual([
    -480,
    expect.closeTo(kestrel.size.overallDiameterMm / 2 + 22 - 905, 0),
    960,
    905,
  ])
  expect(box({ dimensions: true })[2]).toBeGreaterThan(squareWidth!)
  const { widthMm, heightMm } = pictureProportions(kestrel)
  expect(widthMm).toBeCloseTo(squareWidth!, 0)
  expect(heightMm).toBeCloseTo(squareHeight!, 0)
})

test('the parts of the size are there to be lit only when asked for', () => {
  const withParts = drawTire(kestrel, { parts: true })
  for (const part of ['width', 'sidewall', 'rim'])
    expect(withParts).toMatch(new RegExp(`<g class="part part-${part}" [^>]*opacity="0">`))
  expect(drawTire(kestrel)).not.toContain('class="part')
  expect(drawTire(kestrel, { dimensions: true }).match(/class="dimension-l(ine|abel)"/g)).toHaveLength(4)
})

test.each([
  '<script>alert(1)</script>',
  `"'&&<b>`,
  'A\u0000\u001b\uffffB',
  '\ud800broken',
  ']]>',
  '日本',
  '',
  'X'.repeat(10_000),
])('a brand of %j does no harm', (brand) => {
  const drawing = drawTire({ ...kestrel, brand, line: brand, speed: brand })
  expect(drawing).not.toMatch(/<script|<b>|[\u0000-\u0008\u001b\uffff]/)
  expect(drawing.isWellFormed()).toBe(true)
  expect(drawing.match(/aria-label="[^"<]*"/)).not.toBeNull()
  expect(drawing.length).toBeLessThan(150_000)
})

test('sizes no tire has are refused', () => {
  const bad = [
    { ...kestrel.size, rimIn: 0 },
    { ...kestrel.size, sectionWidthMm: Number.NaN },
    { ...kestrel.size, overallDiameterMm: Infinity },
    { ...kestrel.size, overallDiameterMm: 17 * 25.4 },
  ]
  for (const size of bad) {
    expect(isDrawable(size)).toBe(false)
    expect(() => drawTire({ ...kestrel, size })).toThrow(RangeError)
  }
  expect(isDrawable(kestrel.size)).toBe(true)
  expect(() => drawTire(kestrel, { yaw: 75 })).toThrow(RangeError)
})

test('a tire of unknown service is described without a gap', () => {
  expect(describeTire({ ...kestrel, loadIndex: '', speed: '' })).toBe('Drawing of Kestrel Alltide AS2, 225/65R17')
})

test('small pictures are simplified', () => {
  expect([64, 79, 80, 320, 479, 480, 960].map(detailForWidth)).toEqual([0, 0, 1, 1, 1, 2, 2])
})

function idsIn(drawing: string): string[] {
  return [...drawing.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
}
