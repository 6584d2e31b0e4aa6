/** Where a suggestion, a search or an alternative leads; whoever draws the page turns it into an address. All parts are slugs and numbers. */
export type Place =
  | {
      readonly kind: 'listing'
      readonly size?: string | undefined
      readonly brand?: string | undefined
      readonly type?: string | undefined
      readonly category?: string | undefined
    }
  | {
      readonly kind: 'vehicle'
      readonly makeSlug: string
      readonly modelSlug?: string | undefined
      readonly year?: number | undefined
      readonly trimSlug?: string | undefined
    }
  | { readonly kind: 'line'; readonly brandSlug: string; readonly lineSlug: string }
  | { readonly kind: 'item'; readonly brandSlug: string; readonly lineSlug: string; readonly itemId: number }
  | { readonly kind: 'shop'; readonly slug: string; readonly code: string }
  | { readonly kind: 'zip'; readonly zip: string }
