import { data, redirect } from 'react-router'
import { applicationContext, structuredDataContext, visitorContext } from '#app/server/context.ts'
import { readShopAreas } from '#app/views/shop-areas.server.ts'
import { paths } from '#content/paths.ts'
import { ComesTo } from '#app/routes/shops/comes-to.tsx'
import { directions } from '#app/routes/shops/directions.ts'
import { readShopPage } from '#app/routes/shops/shop-page.server.ts'
import { shopStructuredData } from '#app/routes/shops/shop-structured-data.server.ts'
import { readVanArea } from '#app/routes/shops/van-area.server.ts'
import { CertifiedMark } from '#app/ui/certified-mark.tsx'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { DirectoryGrid } from '#app/ui/directory-grid.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Share } from '#app/ui/share.tsx'
import { ShopMap } from '#app/ui/shop-map.tsx'
import { ShopRating } from '#app/ui/shop-rating.tsx'
import type { Application as Store } from '#application'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { areaOfShop } from '#domain/scheduling/installers/installers.ts'
import { findShopRecord } from '#domain/installer-portal/shops/shops.server.ts'
import type { Route } from './+types/tire-shop.ts'

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `${loaderData.shop.name}, ${loaderData.shop.city}, ${loaderData.shop.state}`,
        description: descriptionOf(loaderData.shop),
        path: paths.tireShop(loaderData.shop.slug, loaderData.shop.code),
        // A van's result for one ZIP code isn't indexed as a separate page.
        isIndexed: typeof loaderData.van?.asked !== 'string',
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** The code identifies the shop; the name in its address has one canonical spelling. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const store = context.get(applicationContext)
  const shop = await findShop(store, { code: params.shopCode.toUpperCase() })
  if (!shop) throw await wayFromClosed(store, params.shopCode.toUpperCase())
  const path = paths.tireShop(shop.slug, shop.code)
  if (url.pathname !== path) throw redirect(`${path}${url.search}`, 301)
  const zip = { asked: url.searchParams.get('zip'), known: context.get(visitorContext).zip }
  const [shown, { areas, states }, van] = await Promise.all([
    readShopPage(store, shop),
    readShopAreas(store),
    shop.kind === 'van' ? readVanArea(store, shop, zip) : null,
  ])
  context.get(structuredDataContext).push(shopStructuredData(store.config, shop, van?.towns ?? []))
  const area = areaOfShop(areas, shop)
  const state = states.find(({ code }) => code === shop.state)
  const page = {
    shop: shown,
    van,
    way: [
      { label: 'Tire shops', path: paths.tireShops() },
      ...(state ? [{ label: state.name, path: paths.tireShopsIn(state.slug) }] : []),
      ...(area ? [{ label: area.city, path: paths.tireShopsIn(area.slug) }] : []),
    ],
  }
  return data(page, { status: van?.reply ? 422 : 200 })
}

/** Redirects a permanently closed shop to its city's shops. Responds with 404 for other unlisted shops. */
async function wayFromClosed(store: Store, code: string): Promise<Response> {
  const closed = await findShopRecord(store, code)
  const isClosed = closed && (closed.status === 'closed' || (closed.closing !== null && !closed.isActive))
  if (!isClosed) return new Response(null, { status: 404 })
  const { areas } = await readShopAreas(store)
  const area = areaOfShop(areas, closed)
  return redirect(area ? paths.tireShopsIn(area.slug) : paths.tireShops(), 302)
}

type ShopPage = Route.ComponentProps['loaderData']['shop']
type ShopPlace = NonNullable<ShopPage['place']>

export default function TireShop({ loaderData: { shop, van, way } }: Route.ComponentProps) {
  const path = paths.tireShop(shop.slug, shop.code)
  return (
    <div className="wrap directory tire-shop">
      <div className="directory-head">
        <Crumbs crumbs={way} here={shop.name} />
        <h1>{shop.name}</h1>
        <p className="shop-facts tabular">
          <span>
            {shop.place
              ? addressOf(shop, shop.place)
              : `Mobile installer that comes to you in and around ${shop.city}, ${shop.state}`}
          </span>
          <ShopRating shop={shop} />
          {shop.isCertified ? <CertifiedMark /> : null}
        </p>
        <p className={shop.open.isOpen ? 'shop-open is-open' : 'shop-open'}>
          <Icon name="clock" size="s" /> {shop.open.text}
        </p>
        {shop.paused ? <p>{`No new appointments ${shop.paused}.`}</p> : null}
        {shop.about ? <p className="shop-about">{shop.about}</p> : null}
        <div className="row shop-ways">
          <form method="post" action={paths.zip(paths.find())}>
            <input type="hidden" name="zip" value={van?.answer?.comes ? van.answer.zip : shop.zip} />
            <input type="hidden" name="back" value={paths.find()} />
            <button className="btn primary" type="submit">
              {van ? 'Shop tires for mobile installation' : 'Shop tires for installation here'}
            </button>
          </form>
          <Share path={path} title={`${shop.name}, ${shop.city}`} />
        </div>
      </div>
      <div className="tire-shop-columns">
        <div className="tire-shop-main">
          {van ? <ComesTo path={path} area={van} /> : null}
          <FirstTimes shop={shop} />
          <Prices shop={shop} />
          <Services shop={shop} />
          <Takes shop={shop} />
        </div>
        <aside className="tire-shop-side" aria-label="Place and hours">
          {shop.place ? <Place shop={shop} place={shop.place} /> : null}
          <Hours shop={shop} />
        </aside>
      </div>
      {shop.near.length > 0 ? (
        <section aria-labelledby="near">
          <h2 id="near">Other shops nearby</h2>
          <DirectoryGrid
            places={shop.near.map(({ path, name, city, miles }) => ({ path, name, note: `${city}, ${miles} mi` }))}
          />
        </section>
      ) : null}
    </div>
  )
}

function FirstTimes({ shop: { times, arrivesOn, zone } }: { shop: ShopPage }) {
  return (
    <section className="panel padded" aria-labelledby="times">
      <h2 id="times">
        First free times <span className="small muted">in {zone}</span>
      </h2>
      {times.length > 0 ? (
        <ul className="first-times tabular">
          {times.map((time) => (
            <li key={time}>{time}</li>
          ))}
        </ul>
      ) : (
        <p>No free times yet.</p>
      )}
      {arrivesOn ? (
        <p className="small muted">
          For four 17-inch tires ordered now, which our nearest warehouse brings by {arrivesOn}. Choose your tires and
          you see every time for them.
        </p>
      ) : null}
    </section>
  )
}

function Prices({ shop: { prices, extras } }: { shop: ShopPage }) {
  return (
    <section className="panel padded" aria-labelledby="prices">
      <h2 id="prices">Installation per tire</h2>
      <div className="shop-prices-box" role="region" aria-label="Prices by wheel" tabIndex={0}>
        <table className="shop-prices tabular">
          <thead>
            <tr>
              <th scope="col">Wheel</th>
              {prices.bands.map((band) => (
                <th key={band} scope="col">
                  {band}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {prices.rows.map((row) => (
              <tr key={row.job}>
                <th scope="row">
                  {row.job} <small className="muted">{row.note}</small>
                </th>
                {row.cells.map((cell, index) => (
                  <td key={prices.bands[index]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="small muted">
        {[
          extras.kit && `Pressure sensor service kit ${extras.kit} a tire`,
          extras.disposal && `disposal of the old tire ${extras.disposal}`,
        ]
          .filter(Boolean)
          .join(', ')}
        . You choose both in the cart, and pay everything with your order.
      </p>
    </section>
  )
}

/** Services without new tires, which shoppers book here, or with a van by phone. */
function Services({ shop: { priced, phone } }: { shop: ShopPage }) {
  const isOnline = priced.some(({ book }) => book !== null)
  return priced.length === 0 ? null : (
    <section className="panel padded" aria-labelledby="services">
      <h2 id="services">Services without new tires</h2>
      <div className="shop-prices-box" role="region" aria-label="Service prices" tabIndex={0}>
        <table className="shop-prices tabular">
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col">Time</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {priced.map(({ name, note, minutes, price, book }) => (
              <tr key={name}>
                <th scope="row">
                  {book === null ? name : <a href={book}>{name}</a>} <small className="muted">{note}</small>
                </th>
                <td>{minutes}</td>
                <td>{price}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="small muted">
        {isOnline ? (
          'Choose a service to book its time. You pay online, and nothing at the shop.'
        ) : (
          <>
            Call <a href={`tel:${phone.replace(/\D/g, '')}`}>{phone}</a> for a time.
          </>
        )}
      </p>
    </section>
  )
}

function Takes({ shop: { takes, amenities, services } }: { shop: ShopPage }) {
  return (
    <section className="panel padded" aria-labelledby="takes">
      <h2 id="takes">What it takes</h2>
      <ul className="shop-takes">
        {takes.map(({ takes: isTaken, text }) => (
          <li key={text} className="row top">
            <Icon name={isTaken ? 'check' : 'cross'} size="s" />
            <span>{isTaken ? text : `No ${text.charAt(0).toLowerCase()}${text.slice(1)}`}</span>
          </li>
        ))}
      </ul>
      {services.length > 0 ? (
        <>
          <h3>Services</h3>
          <p>{services.join(', ')}</p>
        </>
      ) : null}
      {amenities.length > 0 ? (
        <>
          <h3>While you wait</h3>
          <p>{amenities.join(', ')}</p>
        </>
      ) : null}
    </section>
  )
}

function Place({ shop, place: { street, latitude, longitude } }: { shop: ShopPage; place: ShopPlace }) {
  const { name, city, state, zip, phone } = shop
  return (
    <section aria-labelledby="place">
      <h2 id="place">Getting there</h2>
      <ShopMap
        center={null}
        pins={[
          {
            href: '#place',
            letter: name.charAt(0),
            text: name,
            label: `in ${city}`,
            count: 1,
            latitude,
            longitude,
            isChosen: true,
          },
        ]}
        label={`Map of ${name}`}
        note={street}
      />
      <address>
        {street}
        <br />
        {city}, {state} {zip}
        <br />
        <a href={`tel:${phone.replace(/\D/g, '')}`}>{phone}</a>
        {shop.website ? (
          <>
            <br />
            <a href={shop.website} rel="noreferrer noopener nofollow" target="_blank">
              Website
            </a>
          </>
        ) : null}
      </address>
      <p className="row shop-directions">
        Directions:
        {directions(addressOf(shop, { street })).map(({ label, href }) => (
          <a key={label} href={href} rel="noreferrer" target="_blank">
            {label}
          </a>
        ))}
      </p>
    </section>
  )
}

function Hours({ shop }: { shop: ShopPage }) {
  return (
    <section aria-labelledby="hours">
      <h2 id="hours">
        Hours <span className="small muted">{shop.zone}</span>
      </h2>
      <table className="shop-hours tabular">
        <tbody>
          {shop.week.map(({ day, hours, isToday }) => (
            <tr key={day} className={isToday ? 'is-today' : undefined}>
              <th scope="row">
                {day}
                {isToday ? <span className="visually-hidden">, today</span> : null}
              </th>
              <td>{hours}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shop.place ? null : (
        <p className="shop-call">
          Call <a href={`tel:${shop.phone.replace(/\D/g, '')}`}>{shop.phone}</a>
        </p>
      )}
      {shop.closures.length > 0 ? (
        <>
          <h3>Closed on</h3>
          <ul className="shop-closures">
            {shop.closures.map(({ day, reason }) => (
              <li key={day}>
                {day}: {reason}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  )
}

function addressOf(
  { city, state, zip }: Pick<ShopPage, 'city' | 'state' | 'zip'>,
  { street }: Pick<ShopPlace, 'street'>,
): string {
  return `${street}, ${city}, ${state} ${zip}`
}

function descriptionOf(shop: ShopPage): string {
  const where = shop.place
    ? `at ${addressOf(shop, shop.place)}`
    : `comes to you in and around ${shop.city}, ${shop.state}`
  const price = shop.prices.rows[0]?.cells[0]
  return `${shop.name} ${where}: installs the tires you buy from us${price ? `, from ${price} a tire` : ''}. Hours, prices, rating and first free times.`
}
