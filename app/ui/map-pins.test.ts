import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrangePins, markSize, spreadAround, type PlacedPin } from './map-pins.ts'
import { lawRuns } from '#tests/support/law-runs.ts'

const pin = (x: number, y: number, more: Partial<PlacedPin> = {}): PlacedPin => ({
  x,
  y,
  width: 90,
  isChosen: false,
  ...more,
})

test('pins far apart keep their words; those side by side only their letters', () => {
  expect(arrangePins([pin(50, 100), pin(300, 100)]).map(({ isFull }) => isFull)).toEqual([true, true])
  const beside = arrangePins([pin(50, 100), pin(114, 100)])
  expect(beside.map(({ pins, isFull }) => [pins, isFull])).toEqual([
    [[0], true],
    [[1], false],
  ])
})

test('the selected pin’s label has priority', () => {
  const [first, second] = arrangePins([pin(50, 100), pin(114, 100, { isChosen: true })])
  expect(first?.isFull).toBe(false)
  expect(second?.isFull).toBe(true)
})

test('pins at one place are one mark with their count, and come apart around it', () => {
  const [mark, ...others] = arrangePins([pin(50, 100), pin(52, 101), pin(50, 100)])
  expect(mark?.pins).toEqual([0, 1, 2])
  expect(others).toEqual([])
  expect(spreadAround(3)).toHaveLength(3)
})

const pins = fc.array(
  fc.record({
    x: fc.integer({ min: 0, max: 500 }),
    y: fc.integer({ min: 0, max: 400 }),
    width: fc.integer({ min: markSize, max: 160 }),
    isChosen: fc.boolean(),
  }),
  { maxLength: 60 },
)

test('no two marks ever touch, and every pin is in exactly one', () => {
  fc.assert(
    fc.property(pins, (given) => {
      const marks = arrangePins(given)
      expect(marks.flatMap((mark) => mark.pins).toSorted((a, b) => a - b)).toEqual(given.map((_, index) => index))
      const boxes = marks.map(({ x, y, isFull, pins: [only = 0] }) => {
        const width = isFull ? (given[only]?.width ?? 0) : markSize
        return { x, y, width }
      })
      for (const [index, a] of boxes.entries())
        for (const b of boxes.slice(index + 1))
          expect(Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= markSize).toBe(true)
    }),
    lawRuns,
  )
})

test('pins spread around their place do not touch, however many', () => {
  for (let count = 2; count <= 40; count++) {
    const places = spreadAround(count)
    for (const [index, a] of places.entries())
      for (const b of places.slice(index + 1))
        expect(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)), `${count}`).toBeGreaterThanOrEqual(markSize)
  }
})
