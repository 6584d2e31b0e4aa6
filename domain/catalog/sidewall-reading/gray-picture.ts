/** A grayscale picture, row by row: 0 is black, 255 white. */
export type GrayPicture = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8ClampedArray<ArrayBuffer>
}

/** Converts canvas pixels of four bytes to gray; there are `width` × `height` of them. */
export function grayOf(rgba: Uint8ClampedArray, width: number, height: number): GrayPicture {
  const pixels = new Uint8ClampedArray(width * height)
  for (let i = 0; i < pixels.length; i++)
    pixels[i] = rgba[4 * i]! * 0.299 + rgba[4 * i + 1]! * 0.587 + rgba[4 * i + 2]! * 0.114
  return { width, height, pixels }
}

/** Inverts the shades, for letters darker than their background. */
export function inverted({ width, height, pixels }: GrayPicture): GrayPicture {
  return { width, height, pixels: pixels.map((shade) => 255 - shade) }
}

/**
 * Replaces each pixel by the mean of itself and its eight neighbors: this leaves a third of the camera's grain and
 * letters of any size.
 */
export function smoothed({ width, height, pixels }: GrayPicture): GrayPicture {
  const across = new Uint16Array(pixels.length)
  const smooth = new Uint8ClampedArray(pixels.length)
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = 0; x < width; x++)
      across[row + x] = pixels[row + Math.max(0, x - 1)]! + pixels[row + x]! + pixels[row + Math.min(width - 1, x + 1)]!
  }
  for (let y = 0; y < height; y++) {
    const [above, row, below] = [Math.max(0, y - 1) * width, y * width, Math.min(height - 1, y + 1) * width]
    for (let x = 0; x < width; x++) smooth[row + x] = (across[above + x]! + across[row + x]! + across[below + x]!) / 9
  }
  return { width, height, pixels: smooth }
}

/**
 * Returns the standard deviation of shades on a flat surface of `picture`: what smoothing removed from its median
 * pixel, ignoring edges.
 */
export function grainOf(picture: GrayPicture, smooth: GrayPicture): number {
  const counts = new Uint32Array(256)
  for (let i = 0; i < picture.pixels.length; i++) counts[Math.abs(picture.pixels[i]! - smooth.pixels[i]!)]! += 1
  let [median, below] = [0, counts[0]!]
  while (below < picture.pixels.length / 2 && median < 255) below += counts[++median]!
  return median * medianToDeviation
}

/** For a normal distribution, including what the pixel's own share in its mean hides. */
const medianToDeviation = 1.57

/**
 * Normalizes each pixel against its surroundings within `reach` pixels, for the same contrast despite uneven light or
 * shade. Rubber on rubber differs by only a few shades; differences below `grain` shades stay near middle gray, so that
 * camera noise is not amplified into letters.
 */
export function evenedOut({ width, height, pixels }: GrayPicture, reach: number, grain: number): GrayPicture {
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
      const square =
        (squares[bottom + right]! - squares[bottom + left]! - squares[top + right]! + squares[top + left]!) / area
      const deviation = Math.sqrt(Math.max(0, square - mean * mean))
      even[y * width + x] = 128 + ((pixels[y * width + x]! - mean) * 60) / (deviation + grain)
    }
  }
  return { width, height, pixels: even }
}

/**
 * Converts light letters to dark on white. `ink` and lighter become black, `paper` and darker white, so that rim, ribs
 * and shadows do not look like letters.
 */
export function printed(
  { width, height, pixels }: GrayPicture,
  [paper, ink]: readonly [paper: number, ink: number],
): GrayPicture {
  return { width, height, pixels: pixels.map((shade) => ((ink - shade) * 255) / (ink - paper)) }
}

/**
 * Scales a smoothed picture by `scale`. Without smoothing, shrinking it a lot would keep some pixels' shades and drop
 * others.
 */
export function scaled(picture: GrayPicture, scale: number): GrayPicture {
  const [width, height] = [
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  ]
  const pixels = new Uint8ClampedArray(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels[y * width + x] = shadeAt(picture, (x + 0.5) / scale, (y + 0.5) / scale)
  return { width, height, pixels }
}

/** Interpolates between four pixels; outside the picture uses the nearest pixel. */
export function shadeAt({ width, height, pixels }: GrayPicture, x: number, y: number): number {
  const [atX, atY] = [Math.min(Math.max(x - 0.5, 0), width - 1), Math.min(Math.max(y - 0.5, 0), height - 1)]
  const [left, top] = [Math.floor(atX), Math.floor(atY)]
  const [right, bottom] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)]
  const [shareX, shareY] = [atX - left, atY - top]
  const above = pixels[top * width + left]! * (1 - shareX) + pixels[top * width + right]! * shareX
  const below = pixels[bottom * width + left]! * (1 - shareX) + pixels[bottom * width + right]! * shareX
  return above * (1 - shareY) + below * shareY
}
