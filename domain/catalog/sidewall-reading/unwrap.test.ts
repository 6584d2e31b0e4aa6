import { expect, test } from 'vitest'
import { evenedOut, grainOf, grayOf, inverted, printed, scaled, smoothed, type GrayPicture } from './gray-picture.ts'
import { findCenter, unwrapRing } from './unwrap.ts'
import { pictureViews, viewCount } from './views.ts'

/** A picture with each pixel's shade computed from its position. */
function painted(width: number, height: number, shadeAt: (x: number, y: number) => number): GrayPicture {
  const pixels = new Uint8ClampedArray(width * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = shadeAt(x + 0.5, y + 0.5)
  return { width, height, pixels }
}

/** The ribs of a tire around a point, crossed by a crooked bright bar. */
function wheel(width: number, height: number, x: number, y: number, ribs: number): GrayPicture {
  return painted(width, height, (atX, atY) => {
    const radius = Math.hypot(atX - x, atY - y)
    return Math.abs(atX - 0.3 * atY - 40) < 4 ? 230 : Math.floor(radius / ribs) % 2 === 0 ? 60 : 110
  })
}

const meanOf = ({ width, pixels }: GrayPicture, fromX: number, toX: number, fromY: number, toY: number) => {
  let [sum, count] = [0, 0]
  for (let y = fromY; y < toY; y++) for (let x = fromX; x < toX; x++, count++) sum += pixels[y * width + x]!
  return sum / count
}

test('a ring becomes a strip with outside up and clockwise right', () => {
  // Bright on the right half of the outer ring, dark elsewhere.
  const picture = painted(400, 400, (x, y) => (Math.hypot(x - 200, y - 200) > 150 && x > 200 ? 240 : 20))
  const strip = unwrapRing(picture, {
    x: 200,
    y: 200,
    inner: 100,
    outer: 200,
    from: -90,
    degrees: 360,
    isUpright: false,
  })
  expect(strip.width).toBe(942)
  expect(strip.height).toBe(100)
  expect(meanOf(strip, 20, 450, 0, 45)).toBeGreaterThan(235)
  expect(meanOf(strip, 20, 450, 55, 100)).toBeLessThan(25)
  expect(meanOf(strip, 490, 920, 0, 100)).toBeLessThan(25)
})

test('letters with inward tops are set upright, with outside down and clockwise left', () => {
  const picture = painted(400, 400, (x, y) => (Math.hypot(x - 200, y - 200) > 150 && x > 200 ? 240 : 20))
  const strip = unwrapRing(
    picture,
    { x: 200, y: 200, inner: 100, outer: 200, from: -90, degrees: 360, isUpright: true },
    2,
  )
  expect(strip.width).toBe(1885)
  expect(strip.height).toBe(200)
  expect(meanOf(strip, 980, 1840, 110, 200)).toBeGreaterThan(235)
  expect(meanOf(strip, 40, 900, 0, 200)).toBeLessThan(25)
})

test.for([
  ['in the middle', 480, 480, 240, 240, 20],
  ['off the middle', 640, 480, 400, 190, 22],
  ['above the picture', 640, 360, 300, -170, 26],
  ['below it, in a large photo', 1280, 720, 700, 1080, 48],
] as const)("finds the wheel's center %s", ([, width, height, x, y, ribs]) => {
  const center = findCenter(wheel(width, height, x, y, ribs))
  expect(Math.hypot(center.x - x, center.y - y)).toBeLessThan(Math.max(width, height) / 40)
  expect(center.strength).toBeGreaterThan(0.3)
})

test('straight lines have no center', () => {
  expect(findCenter(painted(480, 360, (x) => (Math.floor(x / 20) % 2 === 0 ? 40 : 120))).strength).toBeLessThan(0.2)
  expect(findCenter(painted(480, 360, () => 90)).strength).toBe(0)
})

test('evens out light while letters keep their contrast', () => {
  const lit = painted(300, 100, (x, y) => x / 2 + (Math.floor(x / 10) % 2 === 0 && y > 20 && y < 80 ? 14 : 0))
  const even = evenedOut(lit, 20, 5)
  const contrast = (from: number) => meanOf(even, from, from + 10, 30, 70) - meanOf(even, from + 10, from + 20, 30, 70)
  expect(Math.abs(contrast(40) - contrast(240))).toBeLessThan(12)
  expect(contrast(240)).toBeGreaterThan(40)
  expect(meanOf(inverted(even), 0, 300, 0, 100)).toBeCloseTo(255 - meanOf(even, 0, 300, 0, 100), 0)
})

test('measures and smooths grain without amplifying the rest into letters', () => {
  // Deterministic grain of at most 20 shades either way, with a standard deviation of 11.5.
  let seed = 7
  const grainy = painted(200, 200, (x) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (x < 100 ? 60 : 140) + ((seed >>> 8) / 0x1000000 - 0.5) * 40
  })
  const smooth = smoothed(grainy)
  const strayOf = (picture: GrayPicture) => {
    const mean = meanOf(picture, 20, 70, 20, 180)
    let sum = 0
    for (let y = 20; y < 180; y++) for (let x = 20; x < 70; x++) sum += (picture.pixels[y * 200 + x]! - mean) ** 2
    return Math.sqrt(sum / (50 * 160))
  }
  expect(strayOf(smooth)).toBeLessThan(strayOf(grainy) / 2.5)
  expect(meanOf(smooth, 0, 95, 0, 200)).toBeCloseTo(meanOf(grainy, 0, 95, 0, 200), 0)
  const grain = grainOf(grainy, smooth)
  expect(grain).toBeGreaterThan(8)
  expect(grain).toBeLessThan(16)
  expect(grainOf(smooth, smooth)).toBe(0)
  expect(strayOf(evenedOut(smooth, 16, 4 + grain))).toBeLessThan(18)
})

test('gray matches perceived brightness', () => {
  expect([...grayOf(new Uint8ClampedArray([255, 255, 255, 255, 0, 0, 0, 255, 0, 255, 0, 255]), 3, 1).pixels]).toEqual([
    255, 0, 150,
  ])
})

test('reads a wheel as a ring first, anything else as it is; a given center is not searched for', () => {
  const shapes = (picture: GrayPicture, around?: { x: number; y: number }) =>
    [...pictureViews(picture, around)].map(({ width, height }) =>
      Math.abs(width / height - picture.width / picture.height) < 0.02 ? 'flat' : 'ring',
    )
  const flat = painted(320, 240, (x) => (Math.floor(x / 16) % 2 === 0 ? 40 : 120))
  expect(shapes(wheel(480, 480, 240, 240, 20)).slice(0, 3)).toEqual(['ring', 'ring', 'flat'])
  expect(shapes(flat).slice(0, 2)).toEqual(['flat', 'ring'])
  expect(shapes(flat, { x: 160, y: 400 })[0]).toBe('ring')
  expect(shapes(flat)).toHaveLength(viewCount)
})

test('prints light letters black, and everything no lighter than its surroundings white', () => {
  const shades = new Uint8ClampedArray([0, 90, 128, 164, 200, 255])
  expect([...printed({ width: 6, height: 1, pixels: shades }, [128, 200]).pixels]).toEqual([255, 255, 255, 128, 0, 0])
})

test('a smaller picture shows the same in fewer pixels', () => {
  const small = scaled(smoothed(painted(200, 100, (x, y) => (x < 100 ? 40 : 200) + y / 10)), 0.5)
  expect(small.width).toBe(100)
  expect(small.height).toBe(50)
  expect([meanOf(small, 5, 45, 0, 50), meanOf(small, 55, 95, 0, 50)].map(Math.round)).toEqual([45, 205])
})
