import type { Pin } from '#app/ui/draw-map.client.ts'
import { placeOnStill, stillGround } from '#app/ui/still-places.ts'

type Point = { latitude: number; longitude: number }

/**
 * A map's static placeholder, with the same pins over an image of the states. It only repeats the list next to it, and
 * needs no script.
 */
export function StillMap({ center, pins }: { center: Point | null; pins: readonly Pin[] }) {
  const places = [...(center ? [center] : []), ...pins].map(placeOnStill)
  const left = Math.min(...places.map(({ x }) => x))
  const top = Math.min(...places.map(({ y }) => y))
  // A single location is shown with some surroundings.
  const width = Math.max(Math.max(...places.map(({ x }) => x)) - left, 4)
  const height = Math.max(Math.max(...places.map(({ y }) => y)) - top, 4)
  const margin = Math.max(width, height) * 0.15
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin].map((each) => each.toFixed(1))
  return (
    <svg className="still-map" viewBox={box.join(' ')} aria-hidden="true">
      <image href={stillGround.href} {...stillGround.box} />
      <path className="still-pins" d={pins.map((pin) => dotAt(pin)).join('')} />
      {center ? <path className="still-here" d={dotAt(center)} /> : null}
    </svg>
  )
}

/** A zero-length line. Its round cap has the same width on the screen at every scale. */
function dotAt(point: Point): string {
  const { x, y } = placeOnStill(point)
  return `M${x.toFixed(2)} ${y.toFixed(2)}h0`
}
