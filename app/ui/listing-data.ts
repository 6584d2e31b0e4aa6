/**
 * What a listing page sends to the browser. It travels twice, in the HTML and for hydration, so words and amounts are
 * ready-made and nothing is sent that the page does not show.
 */
import type { PageHead } from '#app/ui/page-head.ts'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import type { PictureRef } from '#app/ui/tire-picture.tsx'

export type TagView = { tone: '' | 'deal' | 'stop' | 'dark'; text: string }

export type CardView = {
  key: string
  path: string
  brand: string
  line: string
  /** One article, or front and rear: "225/65R17 102H", "Front 245/35R19 89Y". */
  sizes: string[]
  tags: TagView[]
  fit: { tone: FitTone; text: string } | null
  score: { tenths: number; word: string } | null
  rating: { hundredths: number; count: number } | null
  price: { now: string; was: string | null; unit: string }
  /** What the money is for in the end: out the door at the shop of the page, else the set itself. */
  total: { amount: string; for: string } | null
  /** "Tue 9:30 at Halsted Tire, 2.1 mi"; where no time is known the day the tires are there. */
  when: string | null
  picture: PictureRef
  action: 'Choose' | 'See why' | 'See sizes'
}

export type PickView = { reason: string; name: string; path: string; amount: string; picture: PictureRef }

export type OptionView = { value: string; label: string; count: number; isChosen: boolean }
/**
 * `many`: any number of values. `one`: a single threshold. `price`: ranges that are links, beside two fields to type
 * into.
 */
export type FacetView =
  | { name: string; legend: string; kind: 'many' | 'one'; options: OptionView[] }
  | {
      name: 'price'
      legend: string
      kind: 'price'
      min: string
      max: string
      options: (OptionView & { path: string })[]
    }

export type PagerView = {
  previous: string | null
  next: string | null
  nextCount: number
  pages: ({ number: number; path: string; isNow: boolean } | null)[]
}

export type ListingView = {
  /** Where the filter form leads, and what it must carry along. */
  action: string
  kept: [name: string, value: string][]
  noun: 'tire' | 'set' | 'line'
  total: number
  inScope: number
  notFitting: number
  facets: FacetView[]
  chips: { label: string; path: string }[]
  /** Filters of the address that mean nothing here, and the address without them. */
  unknown: { filters: string[]; path: string } | null
  clear: string
  sort: string
  sorts: [value: string, label: string][]
  /** How many are on a page, and what may be chosen; nothing where all are on the smallest. */
  pageSize: number
  pageSizes: number[]
  cards: CardView[]
  picks: PickView[]
  pager: PagerView
  zip: string | null
  /** Whether the totals are out the door near that ZIP. */
  isInstalled: boolean
}

/**
 * A scope in which nothing is sold, with the nearest ones that have something. `title` says why, where that is known.
 */
export type EmptyView = { title?: string; alternatives: { label: string; path: string; detail: string }[] }

/** What is known of vehicle and size, above the tires. */
export type PanelView = {
  tone: FitTone | 'plain'
  headline: string
  text: string | null
  facts: { term: string; value: string }[]
  /** Where the forms of the panel lead; what each says is in its hidden fields. */
  action: string
  /** One step: the shopper compared, and the label says the same. */
  confirm: { fields: [name: string, value: string][]; label: string } | null
  /** Sizes the label may say, each confirmed by its button; or trims, each a link. */
  labels: { detail: string; fields: [name: string, value: string][]; label: string }[]
  trims: { label: string; detail: string; path: string }[]
  /** Two fields for a label that says something else. */
  typed: { isOpen: boolean } | null
  links: { label: string; path: string }[]
  canForget: boolean
}

/** Pages one step narrower than this one, or beside it: links of one kind under a heading. */
export type WayView = { title: string; links: { label: string; path: string; detail: string | null }[] }

export type ListingPageView = {
  head: PageHead
  heading: string
  about: string | null
  crumbs: { label: string; path: string }[]
  here: string
  panel: PanelView | null
  /** The guided recommendations out of these tires; null where no size is asked for. */
  help: string | null
  listing: ListingView | null
  empty: EmptyView | null
  ways: WayView[]
  store: string
}
