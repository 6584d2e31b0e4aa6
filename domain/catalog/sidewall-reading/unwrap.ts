/** Straightens circular lettering. Angles are degrees clockwise from the right, as seen; lengths are pixels. */
import { shadeAt, type GrayPicture } from './gray-picture.ts'

/**
 * The center of a tire's circles, which can be outside the picture. `strength` is the share of edges that point there,
 * from 0 to 1.
 */
export type Center = { readonly x: number; readonly y: number; readonly strength: number }

export type Ring = {
  readonly x: number
  readonly y: number
  readonly inner: number
  readonly outer: number
  /** The strip's start and extent in degrees. More than 360 repeats the start, so that no word is split. */
  readonly from: number
  readonly degrees: number
  /** Letters with tops toward the center, as at the bottom of a tire. Otherwise tops point outward. */
  readonly isUpright: boolean
}

/**
 * Unwraps the ring into a straight strip, letters upright, `scale` times as large. Its width is the length of the
 * ring's middle.
 */
export function unwrapRing(picture: GrayPicture, ring: Ring, scale = 1): GrayPicture {
  const { x, y, inner, outer, from, degrees, isUpright } = ring
  const turn = (degrees * Math.PI) / 180
  const start = (from * Math.PI) / 180
  const height = Math.max(1, Math.round((outer - inner) * scale))
  const width = Math.max(1, Math.round(((turn * (outer + inner)) / 2) * scale))
  const pixels = new Uint8ClampedArray(width * height)
  for (let column = 0; column < width; column++) {
    // Letters with outward tops read clockwise, with inward tops counterclockwise.
    const angle = start + ((isUpright ? width - 1 - column : column) / width) * turn
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    for (let row = 0; row < height; row++) {
      const radius = isUpright ? inner + (row + 0.5) / scale : outer - (row + 0.5) / scale
      pixels[row * width + column] = shadeAt(picture, x + radius * cos, y + radius * sin)
    }
  }
  return { width, height, pixels }
}

/**
 * Finds the point where most edge normals intersect. A tire's rim and ribs are circles, so their normals meet at the
 * center. Normals from letters and surroundings are scattered. Searches within two picture widths of the middle.
 */
export function findCenter(picture: GrayPicture): Center {
  const small = shrunk(picture, Math.max(1, Math.round(Math.max(picture.width, picture.height) / 240)))
  const edges = edgesOf(small)
  const [gridWidth, gridHeight] = [
    Math.ceil((small.width * searched) / cell),
    Math.ceil((small.height * searched) / cell),
  ]
  const [left, top] = [(-small.width * (searched - 1)) / 2, (-small.height * (searched - 1)) / 2]
  const votes = new Float32Array(gridWidth * gridHeight)
  const reach = Math.hypot(small.width, small.height) * (searched / 2)
  for (const { x, y, dx, dy } of edges) {
    for (let along = -reach; along < reach; along += cell) {
      if (Math.abs(along) < nearest) continue
      const column = Math.floor((x + along * dx - left) / cell)
      const row = Math.floor((y + along * dy - top) / cell)
      if (column >= 0 && column < gridWidth && row >= 0 && row < gridHeight) votes[row * gridWidth + column]! += 1
    }
  }
  let [best, bestVotes] = [0, 0]
  for (let row = 1; row < gridHeight - 1; row++) {
    for (let column = 1; column < gridWidth - 1; column++) {
      let sum = 0
      for (let near = -1; near <= 1; near++) {
        const at = (row + near) * gridWidth + column
        sum += votes[at - 1]! + votes[at]! + votes[at + 1]!
      }
      if (sum > bestVotes) [best, bestVotes] = [row * gridWidth + column, sum]
    }
  }
  const factor = picture.width / small.width
  const [column, row] = middleOf(votes, gridWidth, best)
  // A line crosses a three-cell area in three steps.
  return {
    x: (left + column * cell) * factor,
    y: (top + row * cell) * factor,
    strength: Math.min(1, bestVotes / 3 / Math.max(1, edges.length)),
  }
}

/** In pixels of the scaled-down picture. */
const cell = 3
const searched = 4
/** All edge normals of a small object meet inside it, so anything this close is ignored. */
const nearest = 25
const strongestShare = 0.12

type Edge = { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number }

/** The strongest edges, each with its normal. */
function edgesOf({ width, height, pixels }: GrayPicture): Edge[] {
  const found: (Edge & { size: number })[] = []
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      const [a, b, c] = [pixels[at - width - 1]!, pixels[at - width]!, pixels[at - width + 1]!]
      const [d, f] = [pixels[at - 1]!, pixels[at + 1]!]
      const [g, h, i] = [pixels[at + width - 1]!, pixels[at + width]!, pixels[at + width + 1]!]
      const [across, down] = [c + 2 * f + i - a - 2 * d - g, g + 2 * h + i - a - 2 * b - c]
      const size = Math.hypot(across, down)
      if (size > 24) found.push({ x, y, dx: across / size, dy: down / size, size })
    }
  }
  return found.toSorted((one, other) => other.size - one.size).slice(0, Math.ceil(width * height * strongestShare))
}

/** The centroid of the votes around a cell, in cells, with sub-cell precision. */
function middleOf(votes: Float32Array, gridWidth: number, best: number): [column: number, row: number] {
  let [sum, columns, rows] = [0, 0, 0]
  for (let near = -1; near <= 1; near++) {
    for (let beside = -1; beside <= 1; beside++) {
      const vote = votes[best + near * gridWidth + beside] ?? 0
      sum += vote
      columns += vote * beside
      rows += vote * near
    }
  }
  if (sum === 0) return [(best % gridWidth) + 0.5, Math.floor(best / gridWidth) + 0.5]
  return [(best % gridWidth) + 0.5 + columns / sum, Math.floor(best / gridWidth) + 0.5 + rows / sum]
}

function shrunk({ width, height, pixels }: GrayPicture, by: number): GrayPicture {
  if (by === 1) return { width, height, pixels }
  const [smallWidth, smallHeight] = [Math.floor(width / by), Math.floor(height / by)]
  const small = new Uint8ClampedArray(smallWidth * smallHeight)
  for (let y = 0; y < smallHeight; y++) {
    for (let x = 0; x < smallWidth; x++) {
      let sum = 0
      for (let row = 0; row < by; row++)
        for (let column = 0; column < by; column++) sum += pixels[(y * by + row) * width + x * by + column]!
      small[y * smallWidth + x] = sum / (by * by)
    }
  }
  return { width: smallWidth, height: smallHeight, pixels: small }
}
