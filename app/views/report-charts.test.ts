import { expect, test } from 'vitest'
import { columnChart, shareChart, type Chart, type Mark } from './report-charts.server.ts'

type Text = Extract<Mark, { kind: 'text' }>

/** Texts that overlap another one on the same line, by the width of their characters. */
function overlaps({ drawings }: Chart): string[] {
  return drawings.flatMap(({ size, marks }) => {
    const texts = marks.filter(
      (mark): mark is Text => mark.kind === 'text' && mark.anchor === 'middle' && mark.text !== '',
    )
    return texts.flatMap((one, index) =>
      texts.slice(index + 1).flatMap((other) => {
        const room = ((one.text.length + other.text.length) * 6.5) / 2
        const isNear = Math.abs(one.x - other.x) < room && Math.abs(one.y - other.y) < 12
        return isNear ? [`${size}: ${one.text} and ${other.text}`] : []
      }),
    )
  })
}

const textsOf = ({ drawings }: Chart, size: string) =>
  drawings
    .filter((drawing) => drawing.size === size)
    .flatMap(({ marks }) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : [])))

/** Weeks of the longest period that is shown by week. */
const weeks = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ label: `Oct ${at + 10}–${at + 16}`, short: `${at + 10}–${at + 16}` }))
const months = Array.from({ length: 12 }, (_, at) => {
  const month = Temporal.PlainDate.from({ year: 2026, month: at + 1, day: 1 }).toLocaleString('en-US', {
    month: 'short',
  })
  return { label: `${month} 2026`, short: month }
})

test.for([1, 5, 6, 14, 12] as const)('no text of a chart of %i bins overlaps another', (count) => {
  const bins = count === 12 ? months : weeks(count)
  const names = { label: 'Bar chart', now: '2026', before: '2025' }
  const columns = columnChart(
    bins.map((bin, at) => ({ ...bin, now: 11_000_000 - at, before: 9_000_000 })),
    names,
  )
  const shares = shareChart(
    bins.map((bin, at) => ({ ...bin, ppm: at % 3 === 0 ? 903_000 : 958_000 })),
    { label: 'Line chart', unit: 'week', targetPpm: 950_000 },
  )
  expect(overlaps(columns)).toEqual([])
  expect(overlaps(shares)).toEqual([])
  // The last bin has its label and value at every width.
  for (const size of ['narrow', 'middle', 'wide']) {
    expect(textsOf(columns, size)).toContain('$110k')
    const last = bins.at(-1)
    expect(textsOf(columns, size).some((text) => text === last?.label || text === last?.short)).toBe(true)
  }
})

test('a month has a value on every bar, also on a phone', () => {
  const chart = columnChart(
    weeks(6).map((week, at) => ({ ...week, now: (at + 1) * 1_000_000, before: null })),
    { label: 'Bar chart', now: 'October', before: null },
  )
  for (const size of ['narrow', 'middle', 'wide'])
    expect(textsOf(chart, size)).toEqual(expect.arrayContaining(['$10k', '$20k', '$30k', '$40k', '$50k', '$60k']))
})
