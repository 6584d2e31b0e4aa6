/**
 * The data of the product page, with text and amounts preformatted: `ProductView` is sent twice, in the HTML and for
 * hydration, `DrawnView` only as HTML.
 */
import type { CardView, PanelView } from '#app/ui/listing-data.ts'
import type { ReviewSumsView, ReviewView } from '#app/ui/review-data.ts'
import type { ExpressView } from '#app/ui/express-buttons.tsx'
import type { SummaryRow } from '#app/ui/order-summary.tsx'
import type { PageHead } from '#app/ui/page-head.ts'
import type { ShopTimes } from '#app/ui/shop-times.tsx'
import type { SizeKeyPart } from '#app/ui/size-key.tsx'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import type { TirePictureData } from '#pictures/pictures.ts'

/** How many tires make a set, and the most the page offers; a cart accepts more. */
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
  /** The extra fields submitted with an appointment time. */
  timesFields: Fields
  /** The page's own address with the choices made on it, for forms that return here. */
  back: string
  /** The comparison key of the item or set. */
  compareKey: string
  similar: { cards: CardView[]; all: LinkView }
  head: PageHead
}

/** The parts of the page that don't change in the browser. See app/ui/server-rendered.tsx. */
export type DrawnView = {
  store: string
  pictures: {
    drawing: TirePictureData
    tread: string
    front: PictureRef
    photos: { path: string; description: string }[]
  }
  sizeKey: SizeKeyPart[]
  sizes: SizesView
  promises: PromisesView
  specs: SpecView[]
  about: string
  score: ScoreView | null
  reviews: ReviewsView
}

/** `plan` is the coverage plan's name, `coverage` its price per tire, and `shipping` the shipping cost. */
export type PromisesView = { shipping: string; plan: string; coverage: string; returnDays: number; itemId: number }

/** `parts` are the components of the score, so that a shopper can recalculate it. */
export type ScoreView = { tenths: number; word: string; parts: { name: string; points: string; weight: number }[] }

/** `isService`: the last part of the size refers to it. */
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
  /** The source of the requirement. */
  source: string
  /** Where the answers about the door label are submitted. */
  action: string
  /** What to check on the driver's door, with the button that confirms it. */
  label: { question: string; confirm: NonNullable<PanelView['confirm']>; differs: string } | null
  /** Sizes the label may show, if several are listed. */
  choices: PanelView['labels']
  links: LinkView[]
}

export type BuyView = {
  /** One price, or front and rear. */
  prices: {
    axle: string | null
    unit: string
    was: string | null
    excise: string | null
    /** Where the cart has a lower price than may be advertised. */
    inCart: string | null
    /** What is not in the price at the visitor's ZIP. */
    shipping: string | null
  }[]
  /** The account price's label, or the link to apply for special pricing. Undefined for retail prices. */
  label?: LinkView
  deal: string | null
  /** A manufacturer's rebate after purchase, which isn't part of the price, with a link to its form. */
  rebate: LinkView | null
  /** The name of the set: "4 tires", "2 front and 2 rear". */
  set: string
  path: string
  /** Null if stock is too low to sell. `fields` has no quantity if the shopper chooses it with `quantity`. */
  form: { fields: Fields; quantity: { value: number; most: number } | null } | null
  stock: string | null
  /**
   * What the chosen number of tires requires on the shopper's vehicle that four do not; `more` links to the section
   * about it.
   */
  fewer: { texts: string[]; more: string } | null
  /** A single pair of a staggered set. */
  pairs: { label: string; fields: Fields }[]
  /** Why it cannot be installed on the shopper's vehicle, with alternatives. */
  refused: { text: string; links: LinkView[] } | null
  /** The device's wallet buttons. Null if no wallet is allowed. */
  express: ExpressView | null
  /** Where to go if this one is sold out. */
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
 * `sums` is null without reviews; the paths lead to all reviews, to those by drivers of the same model, and to the
 * form.
 */
export type ReviewsView = {
  sums: ReviewSumsView | null
  first: ReviewView[]
  all: string
  mine: LinkView | null
  write: string
}
