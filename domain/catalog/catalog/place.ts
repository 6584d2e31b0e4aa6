/** The target of a suggestion, search or alternative; pages turn it into a URL. All parts are slugs and numbers. */
export type Place =
  | {
      readonly kind: 'listing'
      readonly size?: string | undefined
      /** The size of the rear wheels, if it differs. */
      readonly rear?: string | undefined
      readonly brand?: string | undefined
      readonly type?: string | undefined
      readonly category?: string | undefined
      /** Filters and sort as in the listing's query: "range=E&sort=price". */
      readonly filters?: string | undefined
    }
  | {
      readonly kind: 'vehicle'
      readonly makeSlug: string
      readonly modelSlug?: string | undefined
      readonly year?: number | undefined
      readonly trimSlug?: string | undefined
      /** For the listing of a year. */
      readonly filters?: string | undefined
    }
  | { readonly kind: 'line'; readonly brandSlug: string; readonly lineSlug: string }
  | { readonly kind: 'item'; readonly brandSlug: string; readonly lineSlug: string; readonly itemId: number }
  | { readonly kind: 'shop'; readonly slug: string; readonly code: string }
  | { readonly kind: 'zip'; readonly zip: string }
  /** A city's shops, such as "chicago-il". */
  | { readonly kind: 'area'; readonly area: string }
  /** Tires for this rim diameter in inches. */
  | { readonly kind: 'rim'; readonly rimIn: number; readonly filters?: string | undefined }
  /** Sizes of about this height in inches. */
  | { readonly kind: 'height'; readonly heightIn: number }
  /** What we sell instead of a brand we do not. */
  | { readonly kind: 'other-brand'; readonly name: string }
  | { readonly kind: 'page'; readonly page: StorePage }

/** Pages people search for by topic. */
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
