/** Reviews for display, with preformatted text and numbers. */
export type ReviewView = {
  id: number
  hundredths: number
  summary: string
  comments: string
  /** "Dana R. · 2021 Toyota RAV4 XLE · 14,200 mi · highway, relaxed" */
  about: string
  /** "Nov 14, 2026" and 2026-11-14 */
  day: string
  date: string
  isVerified: boolean
  isSample: boolean
  buysAgain: boolean
  ratings: { name: string; stars: number }[]
  helpful: number
  /** The tire reviewed, on pages about more than one. */
  tire: { name: string; path: string } | null
}

/**
 * The summary of a line's reviews. Five stars first; `width` is a percentage of the longest bar, and `path` shows only
 * those reviews.
 */
export type ReviewSumsView = {
  mean: string
  count: number
  buyAgainPercent: number
  histogram: { stars: number; count: number; width: number; path: string }[]
  attributes: { name: string; mean: string; width: number }[]
}

/** A line in a ranking. */
export type RankedLine = {
  place: number
  name: string
  kind: string
  path: string
  picture: { itemId: number; key: string }
  hundredths: number
  count: number
  buyAgainPercent: number
  /** The mean it is ranked by, "4.52". */
  ranking: string
}
