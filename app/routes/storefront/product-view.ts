/**
 * What the product page shows, words and amounts ready-made: `ProductView` travels twice, in the HTML and for
 * hydration, `DrawnView` only as HTML.
 */
import type { CardView, PanelView } from '#app/ui/listing-data.ts'
import type { ReviewSumsView, ReviewView } from '#app/ui/review-data.ts'
import type { SummaryRow } from '#app/ui/order-summary.tsx'
import type { PageHead } from '#app/ui/page-head.ts'
import type { ShopTimes } from '#app/ui/shop-times.tsx'
import type { SizeKeyPart } from '#app/ui/size-key.tsx'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import type { TirePictureData } from '#pictures/pictures.ts'

/** How many make a set, and how many the page offers; a cart takes more. */
export const [usualQuantity, mostQuantity] = [4, 8]

export type Fields = [name: string, value: string][]
export type LinkView = { label: string; path: string }

export type ProductView = {
  store: string
  brand: string
  line: string
  /** "225/65R17 102H" */
  tire: string
  crumbs: LinkView[]
  score: { tenths: number; word: string } | null
  rating: { hundredths: number; count: number } | null
  fitment: FitmentView | null
  buy: BuyView
  near: NearView | null
  /** What the button of a free time says beside shop and time. */
  timesFields: Fields
  /** The page's own address with what was chosen on it, for forms that return here. */
  back: string
  /** What this page is in a comparison: the article, or the set. */
  compareKey: string
  similar: { cards: CardView[]; all: LinkView }
  head: PageHead
}

/** What stays the same whatever is chosen on the page: see app/ui/server-rendered.tsx. */
export type DrawnView = {
  store: string
  pictures: { drawing: TirePictureData; tread: string; front: PictureRef }
  sizeKey: SizeKeyPart[]
  sizes: SizesView
  promises: PromisesView
  specs: SpecView[]
  about: string
  score: ScoreView | null
  reviews: ReviewsView
}

/** `coverage` is what replacement coverage costs a tire. */
export type PromisesView = { coverage: string; returnDays: number; itemId: number }

/** `parts` is the sum behind the score, so that a shopper can redo it. */
export type ScoreView = { tenths: number; word: string; parts: { name: string; points: string; weight: number }[] }

/** `isService`: what the last part of the size key stands for. */
export type SpecView = { name: string; value: string; note: string | null; isService: boolean }

export type SizeLink = { path: string; size: string; note: string; tone: 'plain' | 'no'; isChosen: boolean }
export type SizesView = {
  near: SizeLink[]
  more: { rim: string; sizes: SizeLink[] }[]
  moreCount: number
}

export type AxleCellView = { text: string; state: 'ok' | 'check' | 'no' } | null

export type FitmentView = {
  tone: FitTone
  headline: string
  lines: string[]
  axles: { label: string; requirements: string; front: AxleCellView; rear: AxleCellView }[]
  /** Where the need comes from. */
  source: string
  /** Where the answers about the door label go. */
  action: string
  /** What to look for at the driver's door, with the one press that confirms it. */
  label: { question: string; confirm: NonNullable<PanelView['confirm']>; differs: string } | null
  /** Sizes the label may say, where several are listed. */
  choices: PanelView['labels']
  links: LinkView[]
}

export type BuyView = {
  /** One price, or front and rear. */
  prices: { axle: string | null; unit: string; was: string | null; excise: string | null }[]
  /** What an account's price is called, or where special pricing is asked for; absent at retail. */
  label?: LinkView
  deal: string | null
  /** What the maker pays back after the purchase: apart from the price, with a link to its form. */
  rebate: LinkView | null
  /** How the set is called: "4 tires", "2 front and 2 rear". */
  set: string
  path: string
  /**
   * Null when there is not enough in stock to sell. `fields` lack the quantity where `quantity` lets the shopper choose
   * it.
   */
  form: { fields: Fields; quantity: { value: number; most: number } | null } | null
  stock: string | null
  /**
   * What the chosen number of tires asks for on the shopper's vehicle that four do not; `more` leads to the section
   * about it.
   */
  fewer: { texts: string[]; more: string } | null
  /** A pair of a staggered set on its own. */
  pairs: { label: string; fields: Fields }[]
  /** Why it is not installed on the shopper's vehicle, with the ways on. */
  refused: { text: string; links: LinkView[] } | null
  /** Where to go when this one is sold out. */
  instead: LinkView
}

export type NearView = {
  zip: string
  problem: string | null
  shop: string | null
  total: string | null
  rows: SummaryRow[]
  shops: ShopTimes[]
  arrivesOn: string | null
}

/**
 * `sums` is null while nobody has written; the paths lead to all reviews, to those of drivers of the same model, and to
 * the form.
 */
export type ReviewsView = {
  sums: ReviewSumsView | null
  first: ReviewView[]
  all: string
  mine: LinkView | null
  write: string
}
