/** Addresses of search results; only the server needs them. */
import type { Place, StorePage } from '#domain/catalog/catalog/catalog.ts'
import { paths } from './paths.ts'

/** The address of a suggestion or an alternative. */
export function placePath(place: Place): string {
  switch (place.kind) {
    case 'listing':
      return withFilters(paths.listing(place), place.filters)
    case 'vehicle':
      if (place.modelSlug === undefined) return paths.make(place.makeSlug)
      if (place.year === undefined) return paths.model(place.makeSlug, place.modelSlug)
      return withFilters(
        paths.vehicle(
          place.makeSlug,
          place.modelSlug,
          place.year,
          place.trimSlug === undefined ? {} : { trim: place.trimSlug },
        ),
        place.filters,
      )
    case 'line':
      return paths.line(place.brandSlug, place.lineSlug)
    case 'item':
      return paths.item(place.brandSlug, place.lineSlug, place.itemId)
    case 'zip':
      return paths.tireShops(place.zip)
    case 'shop':
      return paths.tireShop(place.slug, place.code)
    case 'area':
      return paths.tireShopsIn(place.area)
    case 'rim':
      return withFilters(paths.diameter(String(place.rimIn)), place.filters)
    case 'height':
      return paths.sizes(place.heightIn)
    case 'other-brand':
      return paths.search(place.name)
    case 'page':
      return storePagePaths[place.page]
  }
}

function withFilters(path: string, filters: string | undefined): string {
  return filters === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${filters}`
}

const storePagePaths: Readonly<Record<StorePage, string>> = {
  'track-order': paths.trackOrder(),
  returns: paths.written('returns-and-refunds'),
  financing: paths.written('financing'),
  'installation-cost': paths.article('learn/tire-news-information/out-the-door-price'),
  installation: paths.article('learn/care-and-safety/what-happens-at-installation'),
  'mobile-installation': paths.written('mobile-tire-installation'),
  safety: paths.article('learn/care-and-safety/when-to-replace'),
  'tire-age': paths.article('learn/care-and-safety/tire-age-and-dot-code'),
  'flat-repair': paths.article('learn/care-and-safety/flat-repair'),
  rotation: paths.article('learn/care-and-safety/tire-rotation'),
  pressure: paths.article('learn/care-and-safety/tire-pressure'),
  'read-sidewall': paths.sidewallGuide(),
  'change-size': paths.article('learn/tire-basics/changing-tire-size'),
  'run-flats': paths.article('learn/choosing-tires/run-flat-tires'),
  'speed-load': paths.article('learn/tire-basics/load-index-and-speed-rating'),
  recalls: paths.article('learn/tire-news-information/registration-and-recalls'),
  deals: paths.deals(),
  shops: paths.tireShops(),
  contact: paths.contact(),
  help: paths.help(),
  faqs: paths.faqs(),
  shipping: paths.written('free-shipping'),
  warranty: paths.warranties(),
  coverage: paths.written('tire-replacement-coverage'),
  roadside: paths.written('roadside-assistance'),
  'price-guarantee': paths.priceGuarantee(),
  military: paths.written('military-discount'),
  membership: paths.membership(),
  account: paths.account(),
  business: paths.business(),
  reviews: paths.tireReviews(),
  recommendations: paths.recommendations(),
  cart: paths.cart(),
  privacy: paths.written('privacy-policy'),
  about: paths.written('about'),
}
