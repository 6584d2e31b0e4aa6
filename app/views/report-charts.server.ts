/**
 * Charts as plain SVG marks. Scales and paths come from d3, and the server renders them without script. Each chart is
 * laid out for three widths, so that text doesn't scale.
 */
import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'

export type Mark =
  | { kind: 'line'; look: 'axis' | 'grid' | 'target'; x1: number; y1: number; x2: number; y2: number }
  | { kind: 'bar'; look: 'now' | 'before' | 'under'; x: number; y: number; width: number; height: number }
  | { kind: 'path'; d: string }
  | { kind: 'point'; look: 'now' | 'under'; x: number; y: number }
  | {
      kind: 'text'
      look: 'label' | 'value' | 'under'
      x: number
      y: number
      anchor: 'start' | 'middle' | 'end'
      text: string
    }

/** A drawing for one width of the page. */
export type Drawing = { size: 'narrow' | 'middle' | 'wide'; width: number; height: number; marks: Mark[] }

/** `label` is the kind of chart; the numbers are in the table next to it. */
export type Chart = {
  label: string
  key: { look: 'now' | 'before' | 'line' | 'target'; words: string }[]
  drawings: Drawing[]
}

const sizes = [
  { size: 'wide', width: 540 },
  { size: 'middle', width: 688 },
  { size: 'narrow', width: 300 },
] as const

const left = 52
const top = 22

export type Column = { label: string; short: string; now: number; before: number | null }

/** Grouped columns in dollars from zero, with the comparison period as outlines. */
export function columnChart(
  columns: readonly Column[],
  { label, now, before }: { label: string; now: string; before: string | null },
): Chart {
  const most = Math.max(1, ...columns.flatMap(({ now: here, before: there }) => [here, there ?? 0]))
  const least = Math.min(0, ...columns.flatMap(({ now: here, before: there }) => [here, there ?? 0]))
  const drawings = sizes.map(({ size, width }) => {
    const height = 230
    const y = scaleLinear([least, most], [height - 34, top]).nice(4)
    const band = scaleBand(
      columns.map((_, at) => String(at)),
      [left, width],
    )
      .paddingInner(0.28)
      .paddingOuter(0.14)
    const bars = band.bandwidth() / (before === null ? 1 : 2)
    const labels = labelsWithin(columns, band.step())
    const hasValue = shownWithin(
      columns.map((column) => shortDollars(column.now)),
      band.step(),
    )
    const marks: Mark[] = [...grid(y.ticks(4), y, width, shortDollars)]
    for (const [at, column] of columns.entries()) {
      const x = band(String(at)) ?? left
      const here = before === null ? x : x + bars
      if (column.before !== null) marks.push(barOf('before', x + 1, bars - 2, y(0), y(column.before)))
      marks.push(barOf('now', here + 1, bars - 2, y(0), y(column.now)))
      if (hasValue(at))
        marks.push({
          kind: 'text',
          look: 'value',
          x: round(here + bars / 2),
          y: round(y(Math.max(0, column.now)) - 6),
          anchor: 'middle',
          text: shortDollars(column.now),
        })
      marks.push({
        kind: 'text',
        look: 'label',
        x: round(x + band.bandwidth() / 2),
        y: height - 14,
        anchor: 'middle',
        text: labels[at] ?? '',
      })
    }
    return { size, width, height, marks }
  })
  return {
    label,
    key: [{ look: 'now', words: now }, ...(before === null ? [] : [{ look: 'before' as const, words: before }])],
    drawings,
  }
}

export type Bar = { label: string; cents: number; words: string; isUnder?: boolean }

/** Rows of bars, one under the other; on a narrow page the words stand above their bar. */
export function barChart(bars: readonly Bar[], { label, words }: { label: string; words: string }): Chart {
  const most = Math.max(1, ...bars.map(({ cents }) => cents))
  const least = Math.min(0, ...bars.map(({ cents }) => cents))
  const drawings = sizes.map(({ size, width }) => {
    const isNarrow = size === 'narrow'
    const [from, step] = isNarrow ? [0, 44] : [160, 34]
    // Room for the value behind the longest bar.
    const x = scaleLinear([least, most], [from, width - 112])
    const height = bars.length * step + 4
    const marks: Mark[] = bars.flatMap(({ label: name, cents, words: value, isUnder }, at): Mark[] => {
      const y = at * step
      return [
        isNarrow
          ? { kind: 'text', look: 'label', x: 0, y: y + 14, anchor: 'start', text: name }
          : { kind: 'text', look: 'label', x: from - 10, y: y + 21, anchor: 'end', text: cut(name, 23) },
        {
          kind: 'bar',
          look: isUnder ? 'under' : 'now',
          x: round(Math.min(x(0), x(cents))),
          y: y + (isNarrow ? 20 : 7),
          width: round(Math.abs(x(cents) - x(0))),
          height: isNarrow ? 16 : 20,
        },
        {
          kind: 'text',
          look: 'value',
          x: round(x(Math.max(0, cents)) + 8),
          y: y + (isNarrow ? 32 : 21),
          anchor: 'start',
          text: value,
        },
      ]
    })
    marks.push({ kind: 'line', look: 'axis', x1: round(x(0)), x2: round(x(0)), y1: 0, y2: height })
    return { size, width, height, marks }
  })
  return { label, key: [{ look: 'now', words }], drawings }
}

export type Point = { label: string; short: string; ppm: number | null }

/** Shares compared with a target. The labeled axis starts at 85 %, or lower if needed. */
export function shareChart(
  points: readonly Point[],
  { label, unit, targetPpm }: { label: string; unit: string; targetPpm: number },
): Chart {
  const shown = points.flatMap(({ ppm }) => (ppm === null ? [] : [ppm]))
  const least = Math.min(850_000, ...shown.map((ppm) => Math.floor(ppm / 100_000) * 100_000))
  const drawings = sizes.map(({ size, width }) => {
    const height = 222
    const y = scaleLinear([least, 1_000_000], [height - 36, top])
    const band = scaleBand(
      points.map((_, at) => String(at)),
      [left, width],
    ).padding(0)
    const middle = (at: number) => (band(String(at)) ?? left) + band.bandwidth() / 2
    const path = line<{ at: number; ppm: number }>()
      .x(({ at }) => round(middle(at)))
      .y(({ ppm }) => round(y(ppm)))
    const marks: Mark[] = [
      ...grid(y.ticks(4), y, width, percent),
      { kind: 'line', look: 'target', x1: left, x2: width, y1: round(y(targetPpm)), y2: round(y(targetPpm)) },
      { kind: 'path', d: path(points.flatMap(({ ppm }, at) => (ppm === null ? [] : [{ at, ppm }]))) ?? '' },
    ]
    const labels = labelsWithin(points, band.step())
    const hasValue = shownWithin(
      points.map(({ ppm }) => (ppm === null ? '' : percent(ppm))),
      band.step(),
    )
    for (const [at, { ppm }] of points.entries()) {
      marks.push({
        kind: 'text',
        look: 'label',
        x: round(middle(at)),
        y: height - 16,
        anchor: 'middle',
        text: labels[at] ?? '',
      })
      if (ppm === null) continue
      const isUnder = ppm < targetPpm
      marks.push({ kind: 'point', look: isUnder ? 'under' : 'now', x: round(middle(at)), y: round(y(ppm)) })
      if (hasValue(at))
        marks.push({
          kind: 'text',
          look: isUnder ? 'under' : 'value',
          x: round(middle(at)),
          y: round(y(ppm)) + (isUnder ? 20 : -11),
          anchor: 'middle',
          text: percent(ppm),
        })
    }
    return { size, width, height, marks }
  })
  return {
    label,
    key: [
      { look: 'line', words: `Kept, by ${unit}` },
      { look: 'target', words: `Target ${percent(targetPpm)}` },
    ],
    drawings,
  }
}

/** Maximum character width in chart text, and the space between two texts, in pixels. */
const [characterWidth, textGap] = [7, 4]

/**
 * Selects the texts that fit next to each other at this distance, always including the last one. The table has the
 * others.
 */
function shownWithin(texts: readonly string[], distance: number): (at: number) => boolean {
  const widest = Math.max(0, ...texts.map((text) => text.length)) * characterWidth + textGap
  const every = Math.ceil(widest / distance)
  return (at) => (texts.length - 1 - at) % every === 0
}

/** Returns whole labels if they fit, otherwise short ones. If neither fit, some whole labels and empty ones. */
function labelsWithin(columns: readonly { label: string; short: string }[], distance: number): string[] {
  const [whole, short] = [columns.map(({ label }) => label), columns.map((column) => column.short)]
  const fits = (text: string) => text.length * characterWidth + textGap <= distance
  if (whole.every(fits)) return whole
  if (short.every(fits)) return short
  const isShown = shownWithin(whole, distance)
  return whole.map((text, at) => (isShown(at) ? text : ''))
}

/** Lines across at the ticks with their values at the left; the one at zero is the axis. */
function grid(
  ticks: readonly number[],
  y: (value: number) => number,
  width: number,
  words: (value: number) => string,
): Mark[] {
  return ticks.flatMap((tick, at): Mark[] => [
    {
      kind: 'line',
      look: tick === 0 || at === 0 ? 'axis' : 'grid',
      x1: left - 6,
      x2: width,
      y1: round(y(tick)),
      y2: round(y(tick)),
    },
    { kind: 'text', look: 'label', x: left - 12, y: round(y(tick)) + 4, anchor: 'end', text: words(tick) },
  ])
}

function barOf(look: 'now' | 'before', x: number, width: number, zero: number, end: number): Mark {
  return {
    kind: 'bar',
    look,
    x: round(x),
    y: round(Math.min(zero, end)),
    width: round(Math.max(0, width)),
    height: round(Math.abs(zero - end)),
  }
}

/** Cents as "$41k", "$1.2M" or "$350". */
export function shortDollars(cents: number): string {
  const dollars = Math.abs(cents) / 100
  const words =
    dollars >= 999_500
      ? `${(dollars / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`
      : dollars >= 10_000
        ? `${Math.round(dollars / 1_000)}k`
        : dollars >= 1_000
          ? `${(dollars / 1_000).toFixed(1).replace(/\.0$/, '')}k`
          : String(Math.round(dollars))
  return `${cents < 0 ? '−' : ''}$${words}`
}

/** Parts per million as "95.2%". */
export function percent(ppm: number): string {
  return `${(ppm / 10_000).toFixed(1).replace(/\.0$/, '')}%`
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
