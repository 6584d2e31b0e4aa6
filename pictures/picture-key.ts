import type { SharedFrame, TirePictureData, TireView } from './picture-data.ts'

/**
 * The number of the drawing itself. Whoever changes what is drawn, or how it is rendered, raises it, so that every
 * picture gets a new key: pictures are served as immutable and kept on disk under their key. A test over the drawn
 * bytes says when it is due.
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

/** Fills in what the view leaves open. Throws a RangeError for a yaw that cannot be drawn. */
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
 * FNV-1a, 64 bits, over the UTF-8 bytes. In two 32-bit halves: the same arithmetic in BigInt costs a listing of 24
 * cards a millisecond.
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
