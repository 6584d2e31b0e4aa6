import { data, Form } from 'react-router'
import {
  bookingMessages,
  noPickupPointMessage,
  noShopMessage,
  noTimeMessage,
  outsideAreaMessage,
} from '#content/messages/booking.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { cartSentence } from '#content/messages/cart.ts'
import { readMoney, requireCart } from '#app/views/checkout.server.ts'
import { visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { cartSeen, measure } from '#app/server/measure.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { holdSlotFromForm } from '#app/forms/hold-slot.server.ts'
import { paths, withQuery } from '#content/paths.ts'
import { CounterList } from '#app/routes/checkout/counter-list.tsx'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { ShopList } from '#app/routes/checkout/shop-list.tsx'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView, monthView, shopViews, type ShopView } from '#app/routes/checkout/shipping-view.server.ts'
import type { Pin } from '#app/ui/draw-map.client.ts'
import { Icon, type IconName } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Stepper } from '#app/ui/stepper.tsx'
import { ShopMap } from '#app/ui/shop-map.tsx'
import { sendAndKeep } from '#app/ui/send-and-keep.ts'
import { isInstallation } from '#domain/delivery/delivery.ts'
import { extendHold, findChosenTime, releaseHold } from '#domain/booking/booking.server.ts'
import { chooseFulfillment, judgeCart, listShopChoices, readShopMonth } from '#domain/checkout/checkout.server.ts'
import { findCarrierLocationsNear } from '#domain/installers/installers.server.ts'
import { findPlace } from '#domain/places/places.server.ts'
import { ok } from '#platform/outcome.ts'
import { clockOf } from '#platform/time-text.ts'
import type { Route } from './+types/shipping.ts'
import { isInstallationRefused } from '#domain/fitment/fitment.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Shop and time',
    description: 'Where your tires go, and when they are installed.',
    path: paths.checkoutShipping(),
    isIndexed: false,
  })

type Tab = 'shop' | 'mobile' | 'home' | 'carrier-pickup'
const tabs: { tab: Tab; label: string; icon: IconName }[] = [
  { tab: 'shop', label: 'Ship to a shop', icon: 'wrench' },
  { tab: 'mobile', label: 'Mobile install', icon: 'van' },
  { tab: 'home', label: 'Ship to me', icon: 'home' },
  { tab: 'carrier-pickup', label: 'Carrier pickup', icon: 'parcel' },
]

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, cart } = await requireCart(context)
  measure(context, () => cartSeen('begin_checkout', cart))
  const query = url.searchParams
  const tab = tabs.find((entry) => entry.tab === query.get('tab'))?.tab ?? cart.fulfillment ?? 'shop'
  const sort = (['soonest', 'nearest', 'price'] as const).find((value) => value === query.get('sort')) ?? 'soonest'
  const saturday = query.get('saturday') === '1'
  const isInstalled = isInstallation(tab)

  const chosen = await findChosenTime(shop, cart.id)
  const hold = chosen?.status === 'held' ? chosen.booking : undefined
  const chosenId = query.has('shop') ? Number(query.get('shop')) || null : (chosen?.booking.shopId ?? null)
  const [place, choices, verdict, counters] = await Promise.all([
    cart.zip ? findPlace(shop.db, cart.zip) : undefined,
    cart.zip && isInstalled
      ? listShopChoices(shop, cart, { zip: cart.zip, kind: tab === 'mobile' ? 'van' : 'shop' })
      : undefined,
    judgeCart(shop, cart),
    cart.zip && tab === 'carrier-pickup' ? findCarrierLocationsNear(shop, { zip: cart.zip }) : undefined,
  ])
  const shops = choices?.ok ? shopViews(choices.value, { sort, saturday, chosenId, hold, now: shop.clock.now() }) : []
  const shownId = shops.find((view) => view.isChosen)?.id ?? null
  const priced =
    shownId && isInstalled
      ? { ...cart, fulfillment: tab, shopId: shownId }
      : { ...cart, fulfillment: tab, shopId: null }
  const [month, { money }] = await Promise.all([
    shownId ? readShopMonth(shop, cart, shownId) : undefined,
    readMoney(shop, priced),
  ])

  return {
    tab,
    ways: tabs.map(({ tab: way, label, icon }) => ({
      label,
      icon,
      href: paths.checkoutShipping(way),
      isHere: way === tab,
    })),
    sort,
    saturday,
    sentence: cartSentence(cart, verdict?.vehicleName ?? null),
    refusal:
      verdict && isInstallationRefused(verdict)
        ? { vehicle: verdict.vehicleName, headline: verdict.sets.find(isInstallationRefused)?.headline ?? '' }
        : null,
    zip: cart.zip,
    center: place?.latitude && place.longitude ? { latitude: place.latitude, longitude: place.longitude } : null,
    shops,
    month: month?.ok ? monthView(month.value, { day: query.get('day'), hold }) : null,
    shownId,
    hold: chosen ? holdView(chosen, shop.clock.now()) : null,
    counters: counters?.ok
      ? counters.value.map(({ id, name, street, city, state, zip, hours, timeZone, miles }) => ({
          id,
          name,
          address: `${street}, ${city}, ${state} ${zip}`,
          hours: timeZone
            ? `${hours}, ${clockOf(timeZone, shop.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()).zone}`
            : hours,
          miles: miles.toFixed(1),
        }))
      : [],
    counterId: cart.carrierLocationId,
    money,
    now: shop.clock.now().toString(),
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { shop, cart } = await requireCart(context)
  const fields = await readForm(request)
  const tab = tabs.find((entry) => entry.tab === fields.get('tab'))?.tab ?? 'shop'
  const back = (shopId: number | null, extra: Record<string, string | undefined> = {}) =>
    withQuery('/checkout/shipping', { tab: tab === 'shop' ? undefined : tab, shop: shopId ?? undefined, ...extra })

  switch (fields.get('intent')) {
    case 'hold': {
      const held = await holdSlotFromForm(
        shop,
        context.get(visitorContext),
        cart,
        fields,
        tab === 'mobile' ? 'mobile' : 'shop',
      )
      if (!held.ok) return refuse(held.words, held.status)
      return seeOther(
        back(held.shopId, { sort: url.searchParams.get('sort') ?? undefined, day: fields.get('day') ?? undefined }),
      )
    }
    case 'extend': {
      const extended = await extendHold(shop, { cartId: cart.id })
      return extended.ok
        ? seeOther(safePath(fields.get('back'), back(extended.value.shopId)))
        : refuse(bookingMessages[extended.reason], 409)
    }
    case 'release':
      await releaseHold(shop, { cartId: cart.id })
      return seeOther(back(null))
    case 'continue': {
      const time = await findChosenTime(shop, cart.id)
      if (!time) return refuse(fields.get('shop') ? noTimeMessage : noShopMessage)
      const kept = time.status === 'held' ? ok(time.booking) : await extendHold(shop, { cartId: cart.id })
      if (!kept.ok) return refuse(bookingMessages[kept.reason], 409)
      const chosen = await chooseFulfillment(shop, cart, {
        fulfillment: tab === 'mobile' ? 'mobile' : 'shop',
        shopId: kept.value.shopId,
      })
      return chosen.ok
        ? seeOther('/checkout/shipping-confirmation')
        : refuse(chosen.reason === 'outside-area' ? outsideAreaMessage : 'Your cart is empty.')
    }
    case 'no-install':
      await releaseHold(shop, { cartId: cart.id })
      return seeOther(paths.checkoutShipping('home'))
    case 'ship-home':
      await releaseHold(shop, { cartId: cart.id })
      await chooseFulfillment(shop, cart, { fulfillment: 'home' })
      return seeOther('/checkout/shipping-confirmation')
    case 'choose-counter': {
      const counterId = Number(fields.get('counter'))
      if (!Number.isSafeInteger(counterId) || counterId <= 0) return refuse(noPickupPointMessage)
      const near = cart.zip ? await findCarrierLocationsNear(shop, { zip: cart.zip }) : undefined
      if (!near?.ok || !near.value.some((counter) => counter.id === counterId)) return refuse(noPickupPointMessage)
      await releaseHold(shop, { cartId: cart.id })
      await chooseFulfillment(shop, cart, { fulfillment: 'carrier-pickup', carrierLocationId: counterId })
      return seeOther('/checkout/shipping-confirmation')
    }
    default:
      return refuse(technicalMessages.tryAgain, 400)
  }
}

/** The shop in the list, with its first free time. */
function pinOf({ id, letter, name, latitude, longitude, openings, isChosen }: ShopView): Pin {
  return {
    href: `#shop-${id}`,
    letter,
    text: openings[0]?.label ?? '',
    label: `at ${name}`,
    latitude,
    longitude,
    isChosen,
  }
}

function refuse(problem: string, status = 422) {
  return data({ problem }, { status })
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

export default function Shipping({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, shops, hold, money, month } = loaderData
  const isInstalled = isInstallation(tab)
  const heldHere = hold?.status === 'held' && shops.some((shop) => shop.id === hold.shopId) ? hold : null
  return (
    <div className="wrap">
      <Stepper at={1} />
      <div className="checkout-head">
        <h1>
          {isInstalled
            ? 'Where should we install your tires?'
            : tab === 'home'
              ? 'Shipped to your address'
              : 'Pick up at a carrier'}
        </h1>
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
      {actionData ? (
        <p className="error-summary" role="alert">
          {actionData.problem}
        </p>
      ) : null}
      {loaderData.refusal && isInstalled ? (
        <p className="error-summary" role="alert">
          <b>We won&apos;t install this on your {loaderData.refusal.vehicle}.</b> {loaderData.refusal.headline}{' '}
          <a href={paths.cart()}>Change your cart</a>
        </p>
      ) : null}
      {hold && hold.status !== 'held' && isInstalled ? (
        <HoldBar hold={hold} now={loaderData.now} tab={tab} form="page" />
      ) : null}
      <div className="checkout-columns">
        <div>
          {!loaderData.zip ? <AskZip /> : null}
          {isInstalled && loaderData.zip ? (
            <div className="shops-and-map">
              <ShopList
                tab={tab}
                shops={shops}
                month={month}
                hold={heldHere}
                sort={loaderData.sort}
                saturday={loaderData.saturday}
                zip={loaderData.zip}
                now={loaderData.now}
              />
              {loaderData.center ? (
                <ShopMap
                  center={loaderData.center}
                  pins={shops.map(pinOf)}
                  label="Map of the shops in the list"
                  note="Same shops as the list"
                />
              ) : null}
            </div>
          ) : null}
          {tab === 'home' && loaderData.zip ? <HomeDelivery arrivesBy={money.arrivesBy} zip={loaderData.zip} /> : null}
          {tab === 'carrier-pickup' && loaderData.zip ? (
            <CounterList counters={loaderData.counters} chosenId={loaderData.counterId} zip={loaderData.zip} />
          ) : null}
        </div>
        <SideSummary money={money}>
          {isInstalled ? (
            <Form method="post" id="keep">
              <input type="hidden" name="intent" value="continue" />
              <input type="hidden" name="tab" value={tab} />
              {loaderData.shownId ? <input type="hidden" name="shop" value={loaderData.shownId} /> : null}
              <button className="btn primary wide large" type="submit">
                {heldHere ? `Keep ${heldHere.label}` : 'Continue'}
              </button>
            </Form>
          ) : null}
        </SideSummary>
      </div>
      {heldHere && isInstalled ? (
        <div className="dock tabular">
          <div>
            <b>{money.total}</b>
            <HoldBar hold={heldHere} now={loaderData.now} tab={tab} form="dock" />
          </div>
          <button className="btn primary" type="submit" form="keep">
            Keep {heldHere.label}
          </button>
        </div>
      ) : null}
    </div>
  )
}

function AskZip() {
  return (
    <div className="panel padded stack">
      <h2>First, your ZIP</h2>
      <p className="muted">It decides which shops are near and when your tires can be there.</p>
      <form method="post" action="/zip" className="row zip-form">
        <input type="hidden" name="back" value="/checkout/shipping" />
        <label className="visually-hidden" htmlFor="ask-zip">
          ZIP code
        </label>
        <input
          className="input"
          id="ask-zip"
          name="zip"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
        />
        <button className="btn primary" type="submit">
          Show shops
        </button>
      </form>
    </div>
  )
}

function HomeDelivery({ arrivesBy, zip }: { arrivesBy: string | null; zip: string }) {
  return (
    <div className="panel padded stack">
      <h2>Delivered to your door</h2>
      <p>
        {arrivesBy ? (
          <>
            Your tires can be at <b>{zip}</b> by <b>{arrivesBy}</b>.
          </>
        ) : (
          'Enter your address on the next page and we say when they arrive.'
        )}
      </p>
      <p className="muted small">
        Free in the contiguous US. No PO boxes, no military post offices. Installation is not included: a shop of your
        choice can mount them.
      </p>
      <Form method="post">
        <input type="hidden" name="intent" value="ship-home" />
        <input type="hidden" name="tab" value="home" />
        <button className="btn primary large" type="submit">
          Ship to my address
        </button>
      </Form>
    </div>
  )
}
