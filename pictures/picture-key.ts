import type { SharedFrame, TirePictureData, TireView } from './picture-data.ts'

/**
 * The drawing's version. Increase it after changing the drawing or its rendering, so that every image gets a new key.
 * Images are served as immutable and stored on disk by key. A test of the drawn bytes detects when it's necessary.
 */
export const DRAWING_VERSION = 3

export type SettledView = {
  readonly yaw: number
  readonly detail: 0 | 1 | 2
  readonly frame: 'square' | 'tight' | SharedFrame
  readonly shadow: boolean
  readonly parts: boolean
  readonly dimensions: boolean
  readonly idSeed: string
}

/** Fills in the view's defaults. Throws a RangeError for an invalid yaw. */
export function settleView(view: TireView = {}): SettledView {
  const { yaw = 31, detail = 2, frame = 'square', shadow = true, parts = false, dimensions = false, idSeed = '' } = view
  if (!(yaw >= 0 && yaw <= 60)) throw new RangeError(`A tire can be rotated by 0 to 60 degrees, not ${yaw}`)
  return { yaw, detail, frame, shadow, parts, dimensions, idSeed }
}

/**
 * 16 hexadecimal digits that are the same for the same drawing and change with anything that is seen: the name of a
 * picture in an immutable address.
 */
export function pictureKey(data: TirePictureData, view?: TireView): string {
  const { size } = data
  const { yaw, detail, frame, shadow, parts, dimensions, idSeed } = settleView(view)
  return fnv1a64(
    JSON.stringify([
      DRAWING_VERSION,
      [
        data.brand,
        data.line,
        data.loadIndex,
        data.speed,
        data.kind,
        data.mPlusS,
        data.threePeak,
        data.outlinedWhiteLetters,
      ],
      [data.loadRange ?? null, data.maxLoadKg ?? null, data.maxPressureKpa ?? null],
      [size.designation, size.sectionWidthMm, size.rimIn, size.overallDiameterMm],
      [
        yaw,
        detail,
        typeof frame === 'string' ? frame : [frame.widthMm, frame.heightMm, frame.groundMm],
        shadow,
        parts,
        dimensions,
        idSeed,
      ],
    ]),
  )
}

/**
 * Returns the 64-bit FNV-1a hash of the UTF-8 bytes. Uses two 32-bit halves because BigInt takes a millisecond for a
 * listing of 24 cards.
 */
export function fnv1a64(text: string): string {
  let high = 0xcbf29ce4
  let low = 0x84222325
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0
    // Times 2^40 + 0x1b3.
    const product = low * 0x1b3
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0
    low = product >>> 0
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}
