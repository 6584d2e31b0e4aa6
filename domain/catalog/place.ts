/**
 * Where a suggestion, a search or an alternative leads; whoever draws the page turns it into an address. All parts are
 * slugs and numbers.
 */
export type Place =
  | {
      readonly kind: 'listing'
      readonly size?: string | undefined
      readonly brand?: string | undefined
      readonly type?: string | undefined
      readonly category?: string | undefined
      /** Filters and order as the query of the listing writes them: "range=E&sort=price". */
      readonly filters?: string | undefined
    }
  | {
      readonly kind: 'vehicle'
      readonly makeSlug: string
      readonly modelSlug?: string | undefined
      readonly year?: number | undefined
      readonly trimSlug?: string | undefined
      /** Of the listing of a year. */
      readonly filters?: string | undefined
    }
  | { readonly kind: 'line'; readonly brandSlug: string; readonly lineSlug: string }
  | { readonly kind: 'item'; readonly brandSlug: string; readonly lineSlug: string; readonly itemId: number }
  | { readonly kind: 'shop'; readonly slug: string; readonly code: string }
  | { readonly kind: 'zip'; readonly zip: string }
  /** The shops of a city: "chicago-il". */
  | { readonly kind: 'area'; readonly area: string }
  /** Tires for wheels of so many inches. */
  | { readonly kind: 'rim'; readonly rimIn: number; readonly filters?: string | undefined }
  /** Sizes of about so many inches in height. */
  | { readonly kind: 'height'; readonly heightIn: number }
  /** What we sell in place of a brand that we do not. */
  | { readonly kind: 'other-brand'; readonly name: string }
  | { readonly kind: 'page'; readonly page: StorePage }

/** Pages that are asked for by what they are about. */
export type StorePage =
  | 'track-order'
  | 'returns'
  | 'financing'
  | 'installation-cost'
  | 'installation'
  | 'mobile-installation'
  | 'safety'
  | 'tire-age'
  | 'flat-repair'
  | 'rotation'
  | 'pressure'
  | 'read-sidewall'
  | 'change-size'
  | 'run-flats'
  | 'speed-load'
  | 'recalls'
  | 'deals'
  | 'shops'
  | 'contact'
  | 'help'
  | 'faqs'
  | 'shipping'
  | 'warranty'
  | 'coverage'
  | 'roadside'
  | 'price-guarantee'
  | 'military'
  | 'membership'
  | 'account'
  | 'business'
  | 'reviews'
  | 'recommendations'
  | 'cart'
  | 'privacy'
  | 'about'
