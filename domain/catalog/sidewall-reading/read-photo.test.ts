import { expect, test } from 'vitest'
import { readPhoto } from './read-photo.ts'
import type { ReadLine } from './read-sizes.ts'
import { viewCount } from './views.ts'

const photo = { width: 60, height: 40, pixels: new Uint8ClampedArray(60 * 40).fill(90) }
const known = new Set(['225/65R17', '205/55R16'])
const line = (text: string, confidence = 0): ReadLine => ({ text, confidence })

/**
 * Reads the photo with an OCR stub that returns `looks` one after another; returns the sizes and the number of calls.
 */
async function readAs(looks: readonly ReadLine[][], goesOn = (_share: number) => true) {
  let asked = 0
  const sizes = await readPhoto(photo, { known, goesOn, read: () => Promise.resolve(looks[asked++] ?? []) })
  return { asked, sizes: sizes.map(({ designation }) => designation) }
}

test('a clear size ends the reading; a faint one needs a second agreeing view', async () => {
  expect(await readAs([[line('225/65R17', 90)]])).toEqual({ asked: 1, sizes: ['225/65R17'] })
  expect(await readAs([[], [line('225/65R17')], [line('205/55R16')], [line('225/65R17')]])).toEqual({
    asked: 4,
    sizes: ['225/65R17', '205/55R16'],
  })
})

test('tries every view of a photo without a size, and a guess is no size', async () => {
  expect(await readAs([])).toEqual({ asked: viewCount, sizes: [] })
  expect(await readAs([[line('Z2S/65R17')], [line('315/35R22', 60)]])).toEqual({ asked: viewCount, sizes: [] })
})

test('reports progress, and stops when asked to', async () => {
  const shares: number[] = []
  const ended = await readAs([[], [], [line('225/65R17', 90)]], (share) => {
    shares.push(share)
    return shares.length < 3
  })
  expect(ended).toEqual({ asked: 3, sizes: [] })
  expect(shares).toEqual([1, 2, 3].map((look) => look / viewCount))
})
