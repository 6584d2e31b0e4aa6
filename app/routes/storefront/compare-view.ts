/** The compare page's data. Each tire is a column with formatted text and amounts. */
import type { CardView, PanelView } from '#app/ui/listing-data.ts'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import type { Fields } from './product-view.ts'

export type CompareCell = {
  text: string
  note?: string | null
  fit?: FitTone
  score?: CardView['score']
  rating?: CardView['rating']
  /** Why the value is highlighted, for example "lowest" or "longest". */
  best?: string
}

/** `isSame`: the value is the same for all tires. */
export type CompareRow = { name: string; cells: CompareCell[]; isSame: boolean }
export type CompareGroup = { title: string; rows: CompareRow[] }

export type CompareColumn = {
  key: string
  name: { brand: string; line: string }
  tire: string[]
  path: string
  picture: CardView['picture']
  /** The cart form; null if stock is too low or it does not fit. */
  buy: { label: string; fields: Fields } | null
  /** What to do instead. */
  instead: string
  /** This page without the column. */
  without: string
}

export type CompareView = {
  store: string
  columns: CompareColumn[]
  groups: CompareGroup[]
  /** The URL's invalid tires, with reasons. */
  notes: string[]
  /** The request for the vehicle's placard. Null if there's no condition left to confirm. */
  panel: PanelView | null
  zip: string | null
  path: string
  /** Where to find more tires to compare. */
  more: { label: string; path: string }
}
