/**
 * Positions of places on the image of the states (`/map/states.svg`), in its units. Pure: server and browser use it.
 */

/** The width of the whole earth; Web Mercator, as on the map that takes the picture's place. */
const earthWidth = 8_000

/** The image and its extent, from the Aleutians to Maine, and from Hawaii to northern Alaska. */
export const stillGround = {
  href: '/map/states.svg',
  box: { x: 0, y: 1_600, width: 2_560, height: 2_040 },
}

export function placeOnStill({ latitude, longitude }: { latitude: number; longitude: number }): {
  x: number
  y: number
} {
  const radians = (latitude * Math.PI) / 180
  const mercator = Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI
  return { x: ((longitude + 180) / 360) * earthWidth, y: ((1 - mercator) / 2) * earthWidth }
}
