import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StillMap } from './still-map.tsx'
import { placeOnStill, stillGround } from './still-places.ts'

const pin = (latitude: number, longitude: number) => ({
  latitude,
  longitude,
  href: '#',
  letter: 'A',
  text: '',
  label: '',
  count: 1,
  isChosen: false,
})

test('every state is on the picture, north up and east right', () => {
  const { x, y, width, height } = stillGround.box
  const places = [pin(52, -176), pin(71.4, -156.8), pin(18.9, -155.7), pin(25.1, -81.1), pin(47.5, -67)]
  for (const place of places.map(placeOnStill)) {
    expect(place.x).toBeGreaterThan(x)
    expect(place.x).toBeLessThan(x + width)
    expect(place.y).toBeGreaterThan(y)
    expect(place.y).toBeLessThan(y + height)
  }
  const [chicago, miami] = [placeOnStill(pin(41.9, -87.6)), placeOnStill(pin(25.8, -80.2))]
  expect(miami.x).toBeGreaterThan(chicago.x)
  expect(miami.y).toBeGreaterThan(chicago.y)
})

test('the window holds every pin and the shopper, and some ground around a single one', () => {
  for (const [center, pins] of [
    [pin(41.9, -87.6), [pin(40.7, -74), pin(34, -118.2)]],
    [null, [pin(41.9, -87.6)]],
  ] as const) {
    const svg = renderToStaticMarkup(<StillMap center={center} pins={pins} />)
    const [left = 0, top = 0, width = 0, height = 0] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number)
    for (const { x, y } of [...pins, ...(center ? [center] : [])].map(placeOnStill)) {
      expect(x).toBeGreaterThan(left)
      expect(x).toBeLessThan(left + width)
      expect(y).toBeGreaterThan(top)
      expect(y).toBeLessThan(top + height)
    }
    expect(Math.min(width, height)).toBeGreaterThan(4)
  }
})
