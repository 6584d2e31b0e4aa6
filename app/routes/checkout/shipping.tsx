import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { bookingMessages, bookingRefusalOf } from '#content/messages/booking.ts'
import { cartSentence } from '#content/messages/cart.ts'
import { readMoney, requireCart, serviceView } from '#app/views/checkout.server.ts'
import { visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { cartSeen, measure } from '#app/server/measure.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { chooseShipping } from '#app/routes/checkout/choose-shipping.server.ts'
import { CounterList } from '#app/routes/checkout/counter-list.tsx'
import { findTab, tabOf, tabViews, type FulfillmentTab } from '#app/routes/checkout/fulfillment-tabs.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { OtherTimes } from '#app/routes/checkout/other-times.tsx'
import { timesInstead } from '#app/routes/checkout/other-times-view.server.ts'
import { ShopList } from '#app/routes/checkout/shop-list.tsx'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import {
  countersView,
  findSort,
  holdView,
  mapCenter,
  monthView,
  refusalView,
  shopViews,
  warehouseViews,
  type CounterView,
  type HoldView,
  type ShopView,
} from '#app/routes/checkout/shipping-view.server.ts'
import { UnfitNotice } from '#app/routes/checkout/unfit-notice.tsx'
import { WarehouseList } from '#app/routes/checkout/warehouse-list.tsx'
import type { Pin } from '#app/ui/draw-map.client.ts'
import { Icon } from '#app/ui/icon.tsx'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Stepper } from '#app/ui/stepper.tsx'
import { ShopMap } from '#app/ui/shop-map.tsx'
import { sendAndKeep } from '#app/ui/send-and-keep.ts'
import { isInstallation, type Fulfillment } from '#domain/supply/delivery/delivery.ts'
import { findPickupWarehouses, type NearbyWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import type { ChosenTime } from '#domain/scheduling/booking/booking.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  judgeCart,
  listShopChoices,
  readShopMonth,
  type ShopChoice,
} from '#domain/ordering/checkout/checkout.server.ts'
import { findPlacesNear } from '#domain/supply/pickup-places/pickup-places.server.ts'
import type { PlacesNear } from '#domain/supply/pickup-places/pickup-places.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { Application } from '#application'
import type { Route } from './+types/shipping.ts'
import { AskZip, HoldDock, HomeDelivery, KeepTime } from './shipping-parts.tsx'

export const handle = { arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Shop and time',
    description: 'Where your tires go, and when they are installed.',
    path: paths.checkoutShipping(),
    isIndexed: false,
  })

/** Returns the cart with tires. A service without tires has a separate page for its shop and time. */
async function requireTires(context: Route.LoaderArgs['context']) {
  const found = await requireCart(context, { isForWay: true })
  const service = await serviceView(found.app, found.cart)
  if (service) throw seeOther(service.href)
  return found
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, cart } = await requireTires(context)
  measure(context, () => cartSeen('begin_checkout', cart))
  const query = url.searchParams
  const store = storeKindOf(cart.dealer)
  const tab = findTab(query.get('tab'), store) ?? tabOf(cart.fulfillment ?? 'shop')
  const sort = findSort(query.get('sort'))
  const saturday = query.get('saturday') === '1'

  const chosen = await findChosenTime(app, cart.id)
  const hold = chosen?.status === 'held' ? chosen.booking : undefined
  const chosenId = shopAskedFor(query, chosen)
  const refused = refusedTime(query, chosen)
  const [place, choices, verdict, counters, warehouses] = await Promise.all([
    cart.zip ? findPlace(app.db, cart.zip) : undefined,
    readChoices(app, cart, tab),
    judgeCart(app, cart),
    readCounters(app, cart, tab),
    readWarehouses(app, cart, tab),
  ])
  const visitorZone = place?.timeZone
  const shops = shopViews(choices, { sort, saturday, chosenId, hold, now: app.clock.now(), visitorZone })
  const shownId = shops.find((view) => view.isChosen)?.id ?? null
  const [month, { money }, instead] = await Promise.all([
    shownId ? readShopMonth(app, cart, shownId) : undefined,
    readMoney(app, { ...cart, fulfillment: fulfillmentOn(tab, cart), shopId: shownId }),
    timesInstead(app, cart, chosen, refused.shopId),
  ])

  return {
    tab,
    ways: tabViews(tab, store),
    sort,
    saturday,
    sentence: cartSentence(cart, verdict?.vehicleName ?? null),
    refusal: refusalView(verdict, cart.vehicle),
    zip: cart.zip,
    center: mapCenter(place),
    shops,
    month: month?.ok ? monthView(month.value, { day: query.get('day'), hold, visitorZone }) : null,
    shownId,
    hold: chosen ? holdView(chosen) : null,
    instead,
    problem: refused.problem,
    pickup: countersView(counters, app.clock.now()),
    counterId: cart.carrierLocationId,
    warehouses: warehouseViews(warehouses),
    warehouseId: cart.pickupWarehouseId,
    money,
    now: app.clock.now().toString(),
  }
}

/**
 * Returns the reason and the shop for a time chosen on a tire page that couldn't be held. Ends after a time is held.
 */
function refusedTime(query: URLSearchParams, chosen: ChosenTime | undefined) {
  const reason = bookingRefusalOf(query.get('refused'))
  if (reason === undefined || chosen?.status === 'held') return { problem: null, shopId: null }
  return { problem: bookingMessages[reason], shopId: shopAskedFor(query, chosen) }
}

/** Returns the shop from the URL, or else from the selected time. The page shows this shop's times. */
function shopAskedFor(query: URLSearchParams, chosen: ChosenTime | undefined): number | null {
  return query.has('shop') ? Number(query.get('shop')) || null : (chosen?.booking.shopId ?? null)
}

/**
 * Returns the shops or vans near the cart's ZIP code. Empty if the tab has no installation or the ZIP code is unknown.
 */
async function readChoices(app: Application, cart: Cart, tab: FulfillmentTab): Promise<ShopChoice[]> {
  if (!cart.zip || !isInstallation(tab)) return []
  const choices = await listShopChoices(app, cart, { zip: cart.zip, kind: tab === 'mobile' ? 'van' : 'shop' })
  return choices.ok ? choices.value : []
}

/** The carrier's places near the cart's ZIP, only on their tab; null while the carrier is away. */
async function readCounters(app: Application, cart: Cart, tab: FulfillmentTab): Promise<PlacesNear | null> {
  const none = { places: [], answeredAt: null, isOld: false }
  if (!cart.zip || tab !== 'carrier-pickup') return none
  const near = await findPlacesNear(app, { zip: cart.zip })
  if (near.ok) return near.value
  return near.reason === 'unavailable' ? null : none
}

/** Returns nearby warehouses with customer pickup. Only for the pickup tab. */
async function readWarehouses(app: Application, cart: Cart, tab: FulfillmentTab): Promise<NearbyWarehouse[]> {
  if (!cart.zip || tab !== 'carrier-pickup') return []
  const lines = cart.lines.map(({ itemId, quantity }) => ({ itemId, quantity }))
  return findPickupWarehouses(app, { zip: cart.zip, lines, releaseAfter: app.releaseAfterSeconds, cartId: cart.id })
}

/** Returns the fulfillment to price on a tab. This is the cart's choice on that tab, or else the tab's default. */
function fulfillmentOn(tab: FulfillmentTab, { fulfillment }: Cart): Fulfillment {
  return fulfillment && tabOf(fulfillment) === tab ? fulfillment : tab
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { app, cart } = await requireCart(context, { isForWay: true })
  const fields = await readForm(request)
  // A service without tires is only extended here. Its page has the times.
  const service = fields.get('intent') === 'extend' ? null : await serviceView(app, cart)
  if (service) return seeOther(service.href)
  return chooseShipping({
    app,
    visitor: context.get(visitorContext),
    cart,
    fields,
    tab: findTab(fields.get('tab'), storeKindOf(cart.dealer)) ?? 'shop',
    sort: url.searchParams.get('sort'),
  })
}

/** The shop's map pin, with its first available time. */
function pinOf({ id, letter, name, latitude, longitude, openings, isChosen }: ShopView): Pin {
  return {
    href: `#shop-${id}`,
    letter,
    text: openings[0]?.label ?? '',
    label: `at ${name}`,
    count: 1,
    latitude,
    longitude,
    isChosen,
  }
}

/** A pickup location's map pin. */
function pinOfCounter({ id, letter, name, miles, latitude, longitude }: CounterView): Pin {
  return {
    href: `#place-${id}`,
    letter,
    text: `${miles} mi`,
    label: `at ${name}`,
    count: 1,
    latitude,
    longitude,
    isChosen: false,
  }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

type Loaded = Route.ComponentProps['loaderData']

export default function Shipping({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, shops, hold, money } = loaderData
  const instead = actionData?.instead ?? loaderData.instead
  const problem = actionData?.problem ?? loaderData.problem
  const heldHere = heldAmong(shops, hold)
  const canInstall = isInstallation(tab) && !loaderData.refusal
  return (
    <div className="wrap">
      <Stepper at={1} />
      <div className="checkout-head">
        <h1>{headings[tab]}</h1>
        <p className="muted tabular">
          {loaderData.sentence}.{money.arrivesBy ? ` They can be there by ${money.arrivesBy}.` : ''}
        </p>
      </div>
      <nav className="checkout-tabs" aria-label="How to get your tires">
        {loaderData.ways.map(({ label, icon, href, isHere }) => (
          <a key={href} href={href} aria-current={isHere ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
      </nav>
      {problem === null ? null : (
        <p className="error-summary" role="alert">
          {problem}
        </p>
      )}
      {isInstallation(tab) ? <InstallationNotices {...loaderData} /> : null}
      {instead && canInstall ? <OtherTimes times={instead} /> : null}
      <div className="checkout-columns">
        <div>
          <FulfillmentChoice {...loaderData} heldHere={heldHere} />
        </div>
        <Price {...loaderData} heldHere={heldHere} />
      </div>
      {heldHere && !loaderData.refusal ? (
        <HoldDock hold={heldHere} total={money.total} now={loaderData.now} tab={tab} />
      ) : null}
    </div>
  )
}

/** Renders the price of this fulfillment. Empty if installation is refused. */
function Price({ tab, refusal, money, shownId, heldHere }: Loaded & { heldHere: HoldView | null }) {
  if (!isInstallation(tab)) return <SideSummary money={money} />
  if (refusal) return null
  return (
    <SideSummary money={money}>
      <KeepTime tab={tab} shopId={shownId} held={heldHere} />
    </SideSummary>
  )
}

/** The hold if it is still valid and at one of these shops. */
function heldAmong(shops: Loaded['shops'], hold: Loaded['hold']): Loaded['hold'] {
  return hold?.status === 'held' && shops.some(({ id }) => id === hold.shopId) ? hold : null
}

const headings: Record<FulfillmentTab, string> = {
  shop: 'Where should we install your tires?',
  mobile: 'Where should we install your tires?',
  home: 'Shipped to your address',
  'carrier-pickup': 'Where will you pick them up?',
}

/** Renders why installation is unavailable. Either the tires don't fit, or the time is no longer held. */
function InstallationNotices({ refusal, hold, now, tab }: Pick<Loaded, 'refusal' | 'hold' | 'now' | 'tab'>) {
  return (
    <>
      {refusal ? <UnfitNotice refusal={refusal} /> : null}
      {hold && !refusal && hold.status !== 'held' ? <HoldBar hold={hold} now={now} tab={tab} form="page" /> : null}
    </>
  )
}

/** The choices of the open tab; the ZIP comes first. */
function FulfillmentChoice({
  tab,
  zip,
  shops,
  month,
  heldHere,
  sort,
  saturday,
  center,
  pickup,
  counterId,
  warehouses,
  warehouseId,
  money,
  now,
  refusal,
}: Loaded & { heldHere: HoldView | null }) {
  if (!zip) return <AskZip />
  if (tab === 'home') return <HomeDelivery arrivesBy={money.arrivesBy} zip={zip} />
  if (tab === 'carrier-pickup')
    return (
      <div className="shops-and-map">
        <div className="stack">
          <WarehouseList warehouses={warehouses} chosenId={warehouseId} zip={zip} />
          <CounterList pickup={pickup} chosenId={counterId} zip={zip} />
        </div>
        {center && pickup.counters.length > 0 ? (
          <ShopMap
            center={center}
            pins={pickup.counters.map(pinOfCounter)}
            label="Map of the pickup locations in the list"
            note="Same locations as the list"
          />
        ) : null}
      </div>
    )
  // There are no options here. The notice above links to the next step.
  if (refusal) return null
  return (
    <div className="shops-and-map">
      <ShopList
        tab={tab}
        shops={shops}
        month={month}
        hold={heldHere}
        sort={sort}
        saturday={saturday}
        zip={zip}
        now={now}
      />
      {center ? (
        <ShopMap
          center={center}
          pins={shops.map(pinOf)}
          label="Map of the shops in the list"
          note="Same shops as the list"
        />
      ) : null}
    </div>
  )
}
