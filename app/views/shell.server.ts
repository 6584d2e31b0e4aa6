import { readComparison, type Comparison } from '#app/views/comparison.server.tsx'
import type { Visitor } from '#http/visitor.ts'
import { brandPaths } from '#content/brand-paths.ts'
import { badgeView, type LabelView } from '#content/messages/price-labels.ts'
import { paths } from '#content/paths.ts'
import { shortName, type SignedIn } from '#domain/customers/accounts/accounts.ts'
import { countTires } from '#domain/payments/cart/cart.server.ts'
import { parseTireKeys } from '#domain/catalog/catalog/catalog.ts'
import { freeFromCentsIn, freeFromText, priceShipping } from '#domain/supply/delivery/delivery.ts'
import { readPlace, readShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { phoneHoursOf } from '#domain/kernel/settings/settings.server.ts'
import { roadHazardTable } from '#domain/ordering/checkout/checkout.ts'
import type { BrandedStore } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { phoneText } from '#platform/phone-text.ts'
import {
  shippingRatesOf,
  tokenColors,
  type BusinessTerms,
  type StoreSettings,
} from '#domain/kernel/settings/settings.ts'
import { comingHolidaysText, phoneHoursText, phoneStatus, type PhoneHours } from '#platform/phone-hours.ts'
import { supportDeskOf, type PriceTier } from '#domain/pricing/price-tiers/price-tiers.ts'
import { readStoreFront } from '#app/views/store-front.server.ts'
import { decodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Application } from '#application'

/** What the header and footer of every page show. For a guest without cookies it is the same for everyone. */
export type Shell = {
  store: {
    name: string
    phone: string
    email: string
    origin: string
    picture: string
    /** The address of the logo; null for the name in letters. */
    logo: string | null
    /** The style sheet with the owner's colors; null if they aren't customized. */
    colors: string | null
  }
  /** The branded store's shop; missing in our own store. */
  dealer?: DealerView
  demo: boolean
  /** Set while shoppers cannot order yet. */
  isClosed?: true
  support: ReturnType<typeof phoneStatus>
  /** When people answer the phone, with the holidays of the next days. */
  phoneHours: string
  zip: string | null
  city: string | null
  /** The lowest shipping rate to the ZIP, or without one in the contiguous states, and when it is free; not set where it always is. */
  shippingFrom?: string
  /** The vehicle saved in the browser, and its listing. */
  vehicle: { name: string; path: string } | null
  /** Null while it is unavailable. */
  cartCount: number | null
  /** The signed-in account, without a name while that is unavailable; null for a guest. */
  account: { name: string; badge?: LabelView | undefined; hasSalesTool?: true } | null
  /** Whether this store has accounts. */
  hasAccounts: boolean
  /** Null without compared tires. */
  comparison: Comparison | null
  year: number
  /** The style of the maps, where the operator has set one. */
  mapStyle?: string
}

/** A branded store in the header and footer, rendered only on the server. */
export type DealerView = {
  name: string
  tagline: string | null
  letters: string
  address: string
  phone: string
  shopPath: string
  /** Our own store's name. */
  poweredBy: string
  plan: readonly { when: string; what: string }[]
  /** Only on its home page. */
  front: StoreFront | undefined
  color: string
}

/** What the shop's work costs, and its first free times. */
/** `zone`: the zone of the shop's clock. */
export type StoreFront = { prices: { what: string; price: string }[]; times: string[]; zone: string | null }

/** Reads the shell; without a cart or a session it runs no query. */
export async function readShell(
  app: Application,
  visitor: Visitor,
  readSignedIn: () => Promise<SignedIn | undefined>,
  { isFirstPage = false }: { isFirstPage?: boolean } = {},
): Promise<Shell> {
  const now = app.clock.now()
  const [place, cartCount, comparison, signedIn, terms, front] = await Promise.all([
    readPlaceView(app, visitor.zip),
    visitor.cartId === undefined ? 0 : unlessAway(countTires(app, visitor.cartId)),
    visitor.compared === undefined ? null : unlessAway(readComparison(app, parseTireKeys(visitor.compared).keys)),
    visitor.session === undefined ? undefined : unlessAway(readSignedIn()),
    visitor.session === undefined ? undefined : unlessAway(app.buyer.priceTier()),
    isFirstPage ? unlessAway(frontOf(app)) : undefined,
  ])
  const hours = phoneHoursOf(app.settings.current)
  const desk = terms ? supportDeskOf(terms.accountType) : undefined
  return {
    store: {
      name: app.config.store.name,
      phone: desk?.phone ?? app.config.store.phone,
      email: desk?.email ?? app.config.store.email,
      origin: app.config.web.origin,
      picture: paths.storePicture(),
      ...brandOf(app.settings.current),
      ...storeOf(app),
    },
    ...dealerOf(app, front),
    demo: app.config.demo,
    ...closedOf(app),
    support: phoneStatus(hours, now),
    phoneHours: hoursText(hours, now),
    zip: visitor.zip ?? null,
    ...place,
    vehicle: vehicleOf(visitor),
    cartCount,
    account: accountView(signedIn, terms ?? undefined),
    hasAccounts: app.identity !== null,
    comparison,
    year: now.toZonedDateTimeISO(storeZone).year,
    ...mapOf(app),
  }
}

/** Whether shoppers can't order yet. */
function closedOf({ settings }: Application): Pick<Shell, 'isClosed'> {
  return settings.isOpen ? {} : { isClosed: true }
}

/** The operator's own map, if there is one. */
function mapOf({ config }: Application): Pick<Shell, 'mapStyle'> {
  return config.map ? { mapStyle: config.map.styleUrl } : {}
}

async function frontOf(app: Application): Promise<StoreFront | undefined> {
  return app.brandedStore ? readStoreFront(app, app.brandedStore) : undefined
}

function dealerOf(app: Application, front: StoreFront | null | undefined): Pick<Shell, 'dealer'> {
  const { brandedStore, config, businessTerms } = app
  if (!brandedStore) return {}
  return {
    dealer: { ...dealerView(brandedStore, businessTerms.current, config.store.name), front: front ?? undefined },
  }
}

/** Returns the branded parts of the store; empty for our own. */
function storeOf({ brandedStore }: Application): Partial<Shell['store']> {
  if (!brandedStore) return {}
  const { name, logo, brandColor, accentColor } = brandedStore
  return {
    name,
    logo: logo === null ? null : brandPaths.logo(`${logo}.webp`),
    colors: brandPaths.storeColors(`${brandColor.slice(1)}-${accentColor.slice(1)}.css`),
  }
}

function dealerView(store: BrandedStore, terms: BusinessTerms, poweredBy: string): Omit<DealerView, 'front'> {
  const words = store.name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return {
    name: store.name,
    tagline: store.tagline,
    letters: words
      .slice(0, 2)
      .map((word) => word.slice(0, 1).toUpperCase())
      .join(''),
    address: store.address,
    phone: phoneText(store.phone),
    shopPath: paths.tireShop(store.shopSlug, store.installerId),
    poweredBy,
    plan: roadHazardTable(terms),
    color: store.brandColor,
  }
}

function hoursText(hours: PhoneHours, now: Temporal.Instant): string {
  return [phoneHoursText(hours), comingHolidaysText(hours, now)].filter(Boolean).join(' · ')
}

function brandOf(settings: StoreSettings): Pick<Shell['store'], 'logo' | 'colors'> {
  const { logo, 'accent-color': accent, 'dark-color': dark } = settings
  return {
    logo: logo === null ? null : brandPaths.logo(`${logo}.webp`),
    colors:
      accent === null && dark === null
        ? null
        : brandPaths.colors(`${(accent ?? tokenColors.signal).slice(1)}-${(dark ?? tokenColors.ink).slice(1)}.css`),
  }
}

/** `null` is a session that cannot be read while the database is down. It does not count as signed out. */
function accountView(signedIn: SignedIn | undefined | null, terms: PriceTier | undefined): Shell['account'] {
  if (signedIn === null) return { name: 'Account' }
  if (!signedIn) return null
  const sales = terms?.accountType === 'Sales Tool' ? { hasSalesTool: true as const } : {}
  return { name: shortName(signedIn), badge: terms && badgeView(terms.accountType), ...sales }
}

/**
 * While the database is down, the header, above all its phone number, still appears, without what only the database
 * has.
 */
async function unlessAway<Known>(reading: Promise<Known>): Promise<Known | null> {
  return reading.catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return null
    throw error
  })
}

/** The cookie has the name but not the address of the listing, and a header must not query the database for it. */
function vehicleOf({ vehicle }: Visitor): Shell['vehicle'] {
  const chosen = vehicle === undefined ? undefined : decodeChosenVehicle(vehicle)
  return chosen ? { name: chosen.name, path: paths.myVehicle() } : null
}

/** The city of the ZIP, and what shipping to it costs where it is not free. Both rest on one place, read once. */
async function readPlaceView(app: Application, zip: string | undefined): Promise<Pick<Shell, 'city' | 'shippingFrom'>> {
  const read = await unlessAway(Promise.all([readPlace(app, zip), readShippingTo(app, zip)]))
  const [place, to] = read ?? [undefined, null]
  const leastCents =
    to?.leastCents ??
    priceShipping(shippingRatesOf(app.businessTerms.current), 'CONUS', [{ quantity: 1, weightLb: 0, unitCents: 0 }])
      .totalCents
  const freeFromCents = to ? to.freeFromCents : freeFromCentsIn(shippingRatesOf(app.businessTerms.current), 'CONUS')
  const free = freeFromCents === null ? '' : `, free ${freeFromText(freeFromCents)}`
  return {
    city: place?.city ?? null,
    ...(leastCents > 0 && { shippingFrom: `${formatCents(leastCents)} a tire${free}` }),
  }
}
