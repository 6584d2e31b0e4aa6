/** A picture in shades of grey, row by row: 0 is black, 255 white. */
export type GreyPicture = { readonly width: number; readonly height: number; readonly pixels: Uint8ClampedArray<ArrayBuffer> }

/** Pixels of four bytes, as a canvas gives them, as grey; `width` × `height` of them. */
export function greyOf(rgba: Uint8ClampedArray, width: number, height: number): GreyPicture {
  const pixels = new Uint8ClampedArray(width * height)
  for (let i = 0; i < pixels.length; i++) pixels[i] = rgba[4 * i]! * 0.299 + rgba[4 * i + 1]! * 0.587 + rgba[4 * i + 2]! * 0.114
  return { width, height, pixels }
}

/** Dark becomes light: letters on rubber are lighter than it, and readers of text expect them darker. */
export function inverted({ width, height, pixels }: GreyPicture): GreyPicture {
  return { width, height, pixels: pixels.map((shade) => 255 - shade) }
}

/**
 * Each pixel against its surroundings of `reach` pixels to all sides: what is lit from one side, or lies half in the shade, gets the same contrast
 * everywhere. Rubber on rubber differs by a few shades only; what is flat stays near the middle grey, so that its grain is not blown up.
 */
export function evenedOut({ width, height, pixels }: GreyPicture, reach: number): GreyPicture {
  const stride = width + 1
  const sums = new Float64Array(stride * (height + 1))
  const squares = new Float64Array(stride * (height + 1))
  for (let y = 0; y < height; y++) {
    let [row, rowSquares] = [0, 0]
    for (let x = 0; x < width; x++) {
      const shade = pixels[y * width + x]!
      row += shade
      rowSquares += shade * shade
      const at = (y + 1) * stride + x + 1
      sums[at] = sums[at - stride]! + row
      squares[at] = squares[at - stride]! + rowSquares
    }
  }
  const even = new Uint8ClampedArray(pixels.length)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - reach) * stride, Math.min(height, y + reach + 1) * stride]
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)]
      const area = ((bottom - top) / stride) * (right - left)
      const mean = (sums[bottom + right]! - sums[bottom + left]! - sums[top + right]! + sums[top + left]!) / area
      const square = (squares[bottom + right]! - squares[bottom + left]! - squares[top + right]! + squares[top + left]!) / area
      const deviation = Math.sqrt(Math.max(0, square - mean * mean))
      even[y * width + x] = 128 + ((pixels[y * width + x]! - mean) * 60) / (deviation + grain)
    }
  }
  return { width, height, pixels: even }
}

/** What a camera's noise adds, in shades. */
const grain = 5
