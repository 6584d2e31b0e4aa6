import type { Pin } from '#app/ui/draw-map.client.ts'
import { placeOnStill, stillGround } from '#app/ui/still-places.ts'

type Point = { latitude: number; longitude: number }

/**
 * What a map shows until it is drawn: the same pins over the states, as a picture. It says nothing that the list beside
 * it does not say, and costs no script.
 */
export function StillMap({ center, pins }: { center: Point | null; pins: readonly Pin[] }) {
  const places = [...(center ? [center] : []), ...pins].map(placeOnStill)
  const left = Math.min(...places.map(({ x }) => x))
  const top = Math.min(...places.map(({ y }) => y))
  // A single place is shown with some of what is around it.
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

/** A line of no length: its round cap is as wide on the screen at every scale. */
function dotAt(point: Point): string {
  const { x, y } = placeOnStill(point)
  return `M${x.toFixed(2)} ${y.toFixed(2)}h0`
}
