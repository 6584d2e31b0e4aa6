/**
 * Separates overlapping map markers, and decides which are single, which show text, and which are merged into a count.
 * Pure and in pixels, so that it doesn't depend on a map.
 */

/** Where a marker points on the screen, and how wide it is with its words. */
export type PlacedPin = { x: number; y: number; width: number; isChosen: boolean }

/** A mark on the map. It is a pin with or without text, or a number of pins. */
export type Mark = { x: number; y: number; pins: readonly number[]; isFull: boolean }

/** A mark without text is a letter or a count in a square of this size, anchored at its location. */
export const markSize = 32
const gap = 2

type Box = { left: number; right: number; top: number; bottom: number }

/**
 * Arranges `pins` so that no two marks touch. Overlapping pins become one mark with their count. Text is shown if there
 * is room, with the selected pin first.
 */
export function arrangePins(pins: readonly PlacedPin[]): Mark[] {
  const marks: Mark[] = pins.map(({ x, y }, index) => ({ x, y, pins: [index], isFull: false }))
  for (let touching = firstTouching(marks); touching; touching = firstTouching(marks)) {
    const [first, second] = touching
    marks.splice(marks.indexOf(second), 1)
    marks[marks.indexOf(first)] = together(first, second, pins)
  }
  const isChosen = (mark: Mark) => mark.pins.some((index) => pins[index]?.isChosen)
  for (const mark of marks.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))) {
    const [only] = mark.pins
    const full = only === undefined || mark.pins.length > 1 ? undefined : pins[only]
    if (!full) continue
    const box = boxOf(mark, full.width)
    mark.isFull = marks.every((other) => other === mark || !touches(box, boxOf(other, widthOf(other, pins))))
  }
  return marks
}

/** Places around a point for `count` pins that are at one place, in pixels from it and far enough apart. */
export function spreadAround(count: number): { x: number; y: number }[] {
  // Squares side by side at any angle, so the distance is their diagonal.
  const between = (markSize + gap) * Math.SQRT2
  const radius = Math.max(between, between / (2 * Math.sin(Math.PI / Math.max(count, 2))))
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2
    return { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) }
  })
}

function firstTouching(marks: readonly Mark[]): [Mark, Mark] | undefined {
  for (const [index, mark] of marks.entries()) {
    const box = boxOf(mark, markSize)
    const other = marks.slice(index + 1).find((later) => touches(box, boxOf(later, markSize)))
    if (other) return [mark, other]
  }
  return undefined
}

/** One mark in the middle of the pins of both. */
function together(first: Mark, second: Mark, placed: readonly PlacedPin[]): Mark {
  const pins = [...first.pins, ...second.pins].toSorted((a, b) => a - b)
  const middle = (key: 'x' | 'y') => pins.reduce((sum, index) => sum + (placed[index]?.[key] ?? 0), 0) / pins.length
  return { x: middle('x'), y: middle('y'), pins, isFull: false }
}

function widthOf({ pins: [only = 0], isFull }: Mark, pins: readonly PlacedPin[]): number {
  return isFull ? (pins[only]?.width ?? markSize) : markSize
}

function boxOf({ x, y }: { x: number; y: number }, width: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - markSize, bottom: y }
}

function touches(a: Box, b: Box): boolean {
  return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap
}
