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

/** A size as the drawing needs it: the numbers are already read from the designation by whoever knows sizes. */
export type PictureSize = {
  /** Canonical, as it stands on the sidewall: "225/65R17", "35X12.50R17LT". */
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
  /** The small print round the rim carries what is known of these, and nothing made up. */
  readonly loadRange?: string | undefined
  readonly maxLoadKg?: number | undefined
  readonly maxPressureKpa?: number | undefined
}

/** 0: a few dozen pixels, brand only. 1: a card. 2: a product page, with sipes, small print and fine serration. */
export type Detail = 0 | 1 | 2

/**
 * One paper for several tires: drawn in the same frame they keep their true relation, all standing on the same ground
 * `groundMm` above the lower edge.
 */
export type SharedFrame = { readonly widthMm: number; readonly heightMm: number; readonly groundMm: number }

export type TireView = {
  /** Degrees turned from straight on to the sidewall, 0 to 60. 31 if not given. */
  readonly yaw?: number
  /** 2 if not given. */
  readonly detail?: Detail
  /**
   * What the picture's edges are set by: the tire in a square ('square', if not given), the tire alone, or a frame
   * shared with others.
   */
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

/** The widths pictures are rendered at; no others are, so that nobody can fill the disk by asking. */
export const PICTURE_WIDTHS = [96, 192, 320, 480, 640, 960] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

export function isPictureWidth(width: number): width is PictureWidth {
  return PICTURE_WIDTHS.some((offered) => offered === width)
}

/** AVIF first for pages, WebP for browsers without it, PNG for mail. */
export const PICTURE_FORMATS = ['avif', 'webp', 'png'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/** False for measures no tire can have; such a size cannot be drawn and `drawTire` throws on it. */
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
 * The service description after the size: "102H", "(101Y)" where it is rated above 186 mph, or "" when nothing is
 * known.
 */
export function serviceText(data: TirePictureData): string {
  return data.speed === '(Y)' ? `(${data.loadIndex}Y)` : data.loadIndex + data.speed
}

/** The words for a reader who cannot see the drawing: "Drawing of Kestrel Alltide AS2, 225/65R17 102H". */
export function describeTire(data: TirePictureData): string {
  return `Drawing of ${data.brand} ${data.line}, ${data.size.designation} ${serviceText(data)}`.trim()
}
