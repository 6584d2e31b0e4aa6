import { expect, test } from 'vitest'
import type { ReadLine } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { readTinPhoto, readTins, weekOf } from './read-tin.ts'

const now = { week: 47, year: 2026 }
const line = (text: string, confidence = 70): ReadLine => ({ text, confidence })
const tins = (...lines: ReadLine[]) => readTins(lines, now).map(({ tin }) => tin)

test.for([
  ['DOT 7B3 KXYZ92 2326', '7B3KXYZ922326'],
  ['D0T 7B3 KXYZ92 2326 MAX LOAD 690', '7B3KXYZ922326'],
  ['M+S  DOT U2LL LMLR 5125', 'U2LLLMLR5125'],
  // The date is digits; I, O and Q are on no tire.
  ['DOT 7B3 KXYZ92 Z3Z6', '7B3KXYZ922326'],
  ['DOT OB3 KXIZ92 2326', '0B3KX1Z922326'],
  // Read as one word, and without the letters before it.
  ['DOT7B3KXYZ922326', '7B3KXYZ922326'],
  ['7B3 KXYZ92 2326', '7B3KXYZ922326'],
])('"%s" is %s', ([text = '', tin = '']) => {
  expect(tins(line(text))[0]).toBe(tin)
})

test.for([
  'MAX LOAD 690 KG AT 350 KPA',
  '225/65R17 102H',
  // Week 54, a future week, and a tire too old to install.
  'DOT 7B3 KXYZ92 5425',
  'DOT 7B3 KXYZ92 4926',
  'DOT 7B3 KXYZ92 2309',
  'DOT',
  '',
  'X'.repeat(5_000),
  'DOT '.repeat(2_000),
])('"%s" has no code', (text) => {
  expect(tins(line(text))).toEqual([])
})

test('parts that were read as two lines belong together', () => {
  expect(tins(line('DOT 7B3 KXYZ92'), line('2326'))).toContain('7B3KXYZ922326')
})

const photo = { width: 60, height: 40, pixels: new Uint8ClampedArray(60 * 40).fill(90) }

async function readAs(looks: readonly ReadLine[][], goesOn = () => true) {
  let asked = 0
  const read = () => Promise.resolve(looks[asked++] ?? [])
  const found = await readTinPhoto(photo, { now, read, goesOn })
  return { asked, tin: found?.tin }
}

test('a clear code completes the scan, a faint one is read again, and a guess is rejected', async () => {
  expect(await readAs([[line('DOT 7B3 KXYZ92 2326', 90)]])).toEqual({ asked: 1, tin: '7B3KXYZ922326' })
  const faint = [line('DOT 7B3 KXYZ92 2326', 20)]
  expect(await readAs([[], faint, [line('DOT 7B8 KXYZ92 2326', 10)], faint])).toEqual({
    asked: 4,
    tin: '7B3KXYZ922326',
  })
  expect((await readAs([[line('7B3 KXYZ92 2326', 30)]])).tin).toBeUndefined()
  expect((await readAs([[line('DOT 7B3 KXYZ92 2326', 90)]], () => false)).tin).toBeUndefined()
})

test('a week counts from the first of January', () => {
  expect(weekOf({ year: 2026, month: 1, day: 1 })).toEqual({ week: 1, year: 2026 })
  expect(weekOf({ year: 2026, month: 12, day: 31 })).toEqual({ week: 53, year: 2026 })
  expect(weekOf({ year: 2026, month: 11, day: 22 }).week).toBe(47)
})
