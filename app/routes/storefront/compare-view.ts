/** The compare page's data: one column per tire, with text and amounts preformatted. */
import type { CardView, PanelView } from '#app/ui/listing-data.ts'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import type { Fields } from './product-view.ts'

export type CompareCell = {
  text: string
  note?: string | null
  fit?: FitTone
  score?: CardView['score']
  rating?: CardView['rating']
  /** Why it stands out: "lowest", "longest". */
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
  /** What was dropped from the address, and why. */
  notes: string[]
  /** Asks once for the door label of the vehicle; null if nothing is left to confirm. */
  panel: PanelView | null
  zip: string | null
  path: string
  /** Where to find more tires to compare. */
  more: { label: string; path: string }
}
