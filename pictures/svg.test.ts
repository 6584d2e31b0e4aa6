import { expect, test } from 'vitest'
import { attribute, closedPath, createPen, mix, openPath, short } from './svg.ts'

test('numbers take the fewest characters', () => {
  expect([0.5, -0.5, 3, 3.04, -0.01, 12.36, -7].map(short)).toEqual(['.5', '-.5', '3', '3', '0', '12.4', '-7'])
})

test('paths are steps in whole grains', () => {
  expect(
    closedPath(
      [
        [
          [1, 1],
          [2, 1],
          [2, 2],
        ],
      ],
      0.5,
    ),
  ).toBe('m2 2 2 0 0 2z')
  // The second shape starts from where the first was closed.
  expect(
    closedPath(
      [
        [
          [1, 1],
          [2, 1],
          [2, 2],
        ],
        [
          [0, 0],
          [1, 0],
        ],
      ],
      1,
    ),
  ).toBe('m1 1 1 0 0 1zm-1-1 1 0z')
  expect(
    openPath(
      [
        [
          [0, 0],
          [1, -1],
        ],
        [
          [5, 5],
          [6, 6],
        ],
      ],
      1,
    ),
  ).toBe('m0 0 1-1m4 6 1 1')
})

test('rounding does not add up along a path', () => {
  const steps = Array.from({ length: 101 }, (_, i) => [i * 0.14, 0] as const)
  const numbers = [...openPath([steps], 0.1).matchAll(/-?\d+/g)].map(Number)
  expect(numbers.filter((_, i) => i % 2 === 0).reduce((sum, step) => sum + step, 0)).toBe(140)
})

test('steps too short to see are left out', () => {
  expect(
    openPath(
      [
        [
          [0, 0],
          [0.2, 0],
          [3, 0],
        ],
      ],
      1,
    ),
  ).toBe('m0 0 3 0')
})

test('curves and lines follow each other', () => {
  const pen = createPen(1)
  pen.move(0, 0)
  pen.curve(1, 0, 1, 1)
  pen.curve(1, 2, 0, 2)
  pen.line(5, 5)
  pen.close()
  pen.move(1, 1)
  expect(pen.text()).toBe('m0 0q1 0 1 1 0 1-1 1l5 3zm1 1')
})

test('text cannot leave its attribute', () => {
  expect(attribute(`<a href="x" title='y'>&\u0000\ud800😀\uffff`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;😀',
  )
})

test('colors are mixed and stay between their ends', () => {
  expect([-1, 0, 0.5, 1, 2].map((share) => mix([0, 0, 0], [255, 128, 2], share))).toEqual([
    '#000000',
    '#000000',
    '#804001',
    '#ff8002',
    '#ff8002',
  ])
})
