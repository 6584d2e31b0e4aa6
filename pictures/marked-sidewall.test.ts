import { expect, test } from 'vitest'
import { drawMarkedSidewall, type SidewallMark } from './pictures.ts'
import { metric, sampleTires } from './sample-tires.ts'

const mark = (id: string, text: string, place: SidewallMark['place']): SidewallMark => ({
  id,
  text,
  href: `#${id}`,
  place,
})
const size = [
  mark('width', '225', { row: 'size' }),
  mark('aspect', '/65', { row: 'size' }),
  mark('rim', '17', { row: 'size' }),
  mark('load', '102', { row: 'size', after: 1 }),
]
const around = [
  mark('tin', 'DOT 7B3 KXYZ92 2326', { row: 'left' }),
  mark('peaks', 'Three-peak mountain snowflake', { row: 'peaks' }),
  mark('grades', 'TREADWEAR 620', { row: 'inner-top' }),
]

test('each marking is a separate link with a target area, and the drawing has no duplicate text', () => {
  const svg = drawMarkedSidewall(sampleTires['all-weather'], [...size, ...around])
  for (const { id } of [...size, ...around])
    expect(svg.split(`<a class="mark mark-${id}" href="#${id}" tabindex="-1">`)).toHaveLength(2)
  expect(svg.match(/class="mark-band"/g)).toHaveLength(7)
  expect(svg).toContain('aria-hidden="true"')
})

test('the parts of a size stand from left to right without overlapping, and a low sidewall makes them smaller', () => {
  const middles = (svg: string) =>
    [...svg.matchAll(/class="mark-band" d="M(-?[\d.]+) -?[\d.]+A[^"]* 1 (-?[\d.]+) /g)].map(([, from, to]) => ({
      from: Number(from),
      to: Number(to),
    }))
  const ends = middles(drawMarkedSidewall(sampleTires['all-weather'], size))
  expect(ends).toHaveLength(4)
  // At the bottom of a circle the angle grows to the left, so each arc runs from its right end to its left; each is a
  // degree longer than its letters.
  ends.slice(1).forEach(({ to }, index) => expect(to).toBeGreaterThan((ends[index]?.from ?? 0) - 12))
  const low = drawMarkedSidewall({ ...sampleTires.summer, size: metric(295, 30, 20) }, size)
  const heightOf = (svg: string) => Number(/stroke-width="([\d.]+)"\/><defs>/.exec(svg)?.[1])
  expect(heightOf(low)).toBeLessThan(heightOf(drawMarkedSidewall(sampleTires['all-weather'], size)))
})

test('a marking cannot break out of its link', () => {
  expect(drawMarkedSidewall(sampleTires['all-weather'], [mark('tin', '"><script>', { row: 'left' })])).not.toContain(
    '<script',
  )
})
