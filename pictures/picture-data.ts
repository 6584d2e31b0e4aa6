/** What a tire drawing is made from, and the ways to look at it. */

export type TireKind =
  | 'all-season'
  | 'summer'
  | 'winter'
  | 'all-weather'
  | 'all-terrain'
  | 'mud-terrain'
  | 'highway'
  | 'trailer'
  | 'commercial'

/** A size for the drawing, with the numbers already parsed from the designation. */
export type PictureSize = {
  /** Canonical, as on the sidewall: "225/65R17", "35X12.50R17LT". */
  readonly designation: string
  readonly sectionWidthMm: number
  /**
   * Outside height of the tire, the number that differs most between the two ways of writing sizes; the sidewall
   * follows from it and the rim.
   */
  readonly overallDiameterMm: number
  readonly rimIn: number
}

export type TirePictureData = {
  readonly brand: string
  readonly line: string
  readonly size: PictureSize
  /** As on the sidewall: "102", "121/118", or "" when not known. */
  readonly loadIndex: string
  /** "H", "(Y)", or "" when not known. */
  readonly speed: string
  readonly kind: TireKind
  readonly mPlusS: boolean
  /** The three-peak mountain snowflake. */
  readonly threePeak: boolean
  readonly outlinedWhiteLetters: boolean
  /** The known values among these are in the small print around the rim. */
  readonly loadRange?: string | undefined
  readonly maxLoadKg?: number | undefined
  readonly maxPressureKpa?: number | undefined
}

/** 0: a few dozen pixels, brand only. 1: a card. 2: a product page, with sipes, small print and fine serration. */
export type Detail = 0 | 1 | 2

/**
 * A shared frame for several tires. They have the same scale and stand on the same ground, `groundMm` above the lower
 * edge.
 */
export type SharedFrame = { readonly widthMm: number; readonly heightMm: number; readonly groundMm: number }

export type TireView = {
  /** Degrees turned from straight on to the sidewall, 0 to 60. 31 if not given. */
  readonly yaw?: number
  /** 2 if not given. */
  readonly detail?: Detail
  /** The image shows the tire in a square ('square', the default), the tire only ('tight'), or a shared frame. */
  readonly frame?: 'square' | 'tight' | SharedFrame
  /** The shadow on the ground; drawn if not given. */
  readonly shadow?: boolean
  /** Adds three unlit groups, `.part-width`, `.part-sidewall` and `.part-rim`, for the page to light one at a time. */
  readonly parts?: boolean
  /**
   * Adds the height of the tire and of the rim as measured lines, their words in `.dimension-label`; a shared frame
   * must leave room for them on the right.
   */
  readonly dimensions?: boolean
  /** Any text; sets the ids inside the drawing apart where one page carries the very same drawing twice. */
  readonly idSeed?: string
}

/** The detail that can be seen in a picture so many pixels wide. */
export function detailForWidth(widthPx: number): Detail {
  if (widthPx < 80) return 0
  return widthPx < 480 ? 1 : 2
}

/** The allowed image widths. The list is fixed so that requests can't fill the disk. */
export const PICTURE_WIDTHS = [96, 192, 320, 480, 640, 960] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

export function isPictureWidth(width: number): width is PictureWidth {
  return PICTURE_WIDTHS.some((offered) => offered === width)
}

/** AVIF first for pages, WebP for browsers without it, PNG for mail. */
export const PICTURE_FORMATS = ['avif', 'webp', 'png'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/** Returns false for impossible dimensions, for which `drawTire` throws. */
export function isDrawable(size: PictureSize): boolean {
  const { sectionWidthMm, rimIn, overallDiameterMm } = size
  return (
    sectionWidthMm > 0 &&
    rimIn > 0 &&
    overallDiameterMm > rimIn * 25.4 &&
    [sectionWidthMm, overallDiameterMm].every(Number.isFinite)
  )
}

/**
 * Returns the service description after the size: "102H", "(101Y)" if it's rated above 186 mph, or "" if it's unknown.
 */
export function serviceText(data: TirePictureData): string {
  return data.speed === '(Y)' ? `(${data.loadIndex}Y)` : data.loadIndex + data.speed
}

/** The words for a reader who cannot see the drawing: "Drawing of Kestrel Alltide AS2, 225/65R17 102H". */
export function describeTire(data: TirePictureData): string {
  return `Drawing of ${data.brand} ${data.line}, ${data.size.designation} ${serviceText(data)}`.trim()
}
