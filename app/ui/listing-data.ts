/**
 * What a listing page sends to the browser. It is sent twice, in the HTML and for hydration, so text and amounts are
 * preformatted and only displayed data is included.
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
  /** One item, or front and rear: "225/65R17 102H", "Front 245/35R19 89Y". */
  sizes: string[]
  tags: TagView[]
  fit: { tone: FitTone; text: string } | null
  score: { tenths: number; word: string } | null
  rating: { hundredths: number; count: number } | null
  /**
   * `shipping` is the cost to the visitor's ZIP code that isn't in the price, such as "+ $34.75 shipping a tire to
   * 00901".
   */
  price: { now: string; was: string | null; unit: string; shipping?: string }
  /** The final price. It is out the door at the page's shop, or else the set with shipping. */
  total: { amount: string; for: string } | null
  /** "Tue 9:30 at Halsted Tire, 2.1 mi"; if no appointment is known, the day the tires arrive. */
  when: string | null
  picture: PictureRef
  action: 'Choose' | 'See why' | 'See sizes'
  /** The same model and size with another load index, speed rating or sidewall; best first. */
  versions?: VersionsView
}

/** `summary`: "2 more versions, $140.20 to $171.00". */
export type VersionsView = { summary: string; list: VersionView[] }

/** One version of a card's model, with a separate product page. */
export type VersionView = {
  key: string
  path: string
  /** "102V XL outlined white letters", or front and rear: "89Y front, 93Y rear". */
  name: string
  price: CardView['price']
  fit: CardView['fit']
  /** Why it cannot be bought as a set right now; null if it can. */
  stop: string | null
}

export type PickView = { reason: string; name: string; path: string; amount: string; picture: PictureRef }

export type OptionView = { value: string; label: string; count: number; isChosen: boolean }
/** `many`: any number of values. `one`: a single threshold. `price`: ranges that are links, next to two text fields. */
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
  /** Where the filter form is submitted, and its hidden fields. */
  action: string
  kept: [name: string, value: string][]
  noun: 'tire' | 'set' | 'line'
  /** Tires, sets or lines that pass the filters, and all of them. Versions of a model in a size share a card. */
  total: number
  inScope: number
  /** The number of cards across all pages, and of cards with tires that don't fit. */
  models: number
  modelsNotFitting: number
  facets: FacetView[]
  chips: { label: string; path: string }[]
  /** Filters in the address that do not apply here, and the address without them. */
  unknown: { filters: string[]; path: string } | null
  clear: string
  sort: string
  sorts: [value: string, label: string][]
  /** The page size and its choices; empty if all fit on the smallest page. */
  pageSize: number
  pageSizes: number[]
  cards: CardView[]
  picks: PickView[]
  pager: PagerView
  zip: string | null
  /** Whether the totals are out-the-door prices near that ZIP code. */
  isInstalled: boolean
}

/** A listing without results, with the closest nonempty ones. `title` is the reason, if known. */
export type EmptyView = { title?: string; alternatives: { label: string; path: string; detail: string }[] }

/** The fitment panel above the tires, with the known vehicle and size. */
export type PanelView = {
  tone: FitTone | 'plain'
  headline: string
  text: string | null
  facts: { term: string; value: string }[]
  /** Where the panel's forms are submitted; what each one states is in its hidden fields. */
  action: string
  /** One step: the shopper compared the door label, and it matches. */
  confirm: { fields: [name: string, value: string][]; label: string } | null
  /** Sizes the label may show, each with a button to confirm it; or trims, each a link. */
  labels: { detail: string; fields: [name: string, value: string][]; label: string }[]
  trims: { label: string; detail: string; path: string }[]
  /** Two fields for a label that shows something else. */
  typed: { isOpen: boolean } | null
  links: { label: string; path: string }[]
  canForget: boolean
}

/** Links to one kind of narrower or sibling page, under a heading. */
export type WayView = { title: string; links: { label: string; path: string; detail: string | null }[] }

export type ListingPageView = {
  head: PageHead
  heading: string
  about: string | null
  crumbs: { label: string; path: string }[]
  here: string
  panel: PanelView | null
  /** The guided recommendations among these tires; null if no size was chosen. */
  help: string | null
  listing: ListingView | null
  empty: EmptyView | null
  ways: WayView[]
  store: string
}
