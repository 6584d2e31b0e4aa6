import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addToSketch, countSketch, emptySketch, mergeSketches } from './visitor-sketch.ts'

const hashOf = (visitor: number) => createHash('sha256').update(String(visitor)).digest()

function sketchOf(from: number, to: number): Uint8Array {
  const sketch = emptySketch()
  for (let visitor = from; visitor < to; visitor += 1) addToSketch(sketch, hashOf(visitor))
  return sketch
}

test.for([0, 1, 10, 100, 1_000, 5_000, 40_000])('%d visitors are counted within 6 percent', (count) => {
  expect(Math.abs(countSketch(sketchOf(0, count)) - count)).toBeLessThanOrEqual(Math.max(1, count * 0.06))
})

test('a visitor who comes back, or to another process, is counted once', () => {
  const both = mergeSketches(sketchOf(0, 3_000), sketchOf(1_000, 4_000))
  expect([...both]).toEqual([...sketchOf(0, 4_000)])
})
