import { sellsProgram, storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { data } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import type { FormReply } from '#app/forms/form.ts'
import { readShopAreas } from '#app/views/shop-areas.server.ts'
import { paths } from '#content/paths.ts'
import { areaPins } from '#app/routes/shops/area-pins.ts'
import { checkAskedZip, zipRefused } from '#app/routes/shops/asked-zip.server.ts'
import { mainAreas } from '#app/routes/shops/main-areas.ts'
import { ShopsAndMap, Vans } from '#app/routes/shops/shop-cards.tsx'
import { readShopList } from '#app/routes/shops/shop-views.server.ts'
import { ZipForm } from '#app/routes/shops/zip-form.tsx'
import { countOf } from '#platform/count-text.ts'
import { DirectoryGrid } from '#app/ui/directory-grid.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { ShopMap } from '#app/ui/shop-map.tsx'
import { findShopsNear, findVans } from '#domain/scheduling/installers/installers.server.ts'
import { findServedPlace } from '#domain/kernel/places/places.server.ts'
import type { Application } from '#application'
import type { Route } from './+types/tire-shops.ts'

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageHead(matches, {
    title: loaderData?.near ? `Tire shops near ${loaderData.near.zip}` : 'Tire shops',
    description:
      'Shops that install the tires you buy from us, by state, city and ZIP, with prices per tire, hours and first free times.',
    path: paths.tireShops(),
    // Shops near a ZIP are search results; city pages are the ones to index.
    isIndexed: loaderData?.zip === null,
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** All areas with shops or, with a ZIP, the shops near it. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const { areas, states } = await readShopAreas(app)
  const main = mainAreas(areas)
  const asked = url.searchParams.get('zip')
  const found = asked === null ? undefined : await readNear(app, asked)
  const page = {
    zip: asked,
    known: visitor.zip ?? null,
    near: found?.near ?? null,
    reply: found?.reply ?? null,
    shopCount: areas.reduce((sum, { shopCount }) => sum + shopCount, 0),
    cityCount: areas.length,
    states: states.map(({ name, slug, shopCount }) => ({ name, slug, shopCount })),
    main: main.map(({ city, state, slug }) => ({ name: `${city}, ${state}`, slug })),
    pins: areaPins(main),
  }
  return data(page, { status: page.reply ? 422 : 200 })
}

type Near = {
  zip: string
  place: string
  /** Whether the visited store sells mobile installation. */
  hasVans: boolean
  center: { latitude: number; longitude: number }
  list: Awaited<ReturnType<typeof readShopList>>
}

async function readNear(app: Application, asked: string): Promise<{ near?: Near; reply?: FormReply }> {
  const checked = checkAskedZip(asked)
  if (!checked.ok) return { reply: checked.reply }
  const { zip } = checked.value
  const [place, shops, vans] = await Promise.all([
    findServedPlace(app.db, zip),
    findShopsNear(app, { near: { zip }, limit: 20 }),
    sellsProgram(storeKindOf(app.brandedStore), 'mobileInstallation') ? findVans(app, { zip }) : [],
  ])
  if (!place.ok) return { reply: zipRefused(zip, place) }
  if (!shops.ok) return { reply: zipRefused(zip, shops) }
  const { city, state, latitude, longitude } = place.value
  const list = await readShopList(app, { shops: shops.value, vans, zip, vansComeTo: zip })
  const hasVans = sellsProgram(storeKindOf(app.brandedStore), 'mobileInstallation')
  return { near: { zip, hasVans, place: `${city}, ${state}`, center: { latitude, longitude }, list } }
}

export default function TireShops({
  loaderData: { known, near, reply, shopCount, cityCount, states, main, pins },
}: Route.ComponentProps) {
  return (
    <div className="wrap directory tire-shops">
      <div className="directory-head">
        <h1>{near ? `Tire shops near ${near.place} ${near.zip}` : 'Tire shops'}</h1>
        <p className="muted">
          We ship your tires to the shop and you come at a time you picked. {placesText(shopCount, cityCount)}
        </p>
        <ZipForm action={paths.tireShops()} button="Find shops" value={near?.zip ?? known} reply={reply} isMain />
      </div>
      {near ? (
        <NearResults near={near} />
      ) : main.length === 0 ? null : (
        <ShopMap center={null} pins={pins} label="Map of cities with many shops" note="Cities with many shops" />
      )}
      {main.length === 0 ? null : <CitiesAndStates main={main} states={states} />}
    </div>
  )
}

function CitiesAndStates({ main, states }: Pick<Route.ComponentProps['loaderData'], 'main' | 'states'>) {
  return (
    <>
      <section aria-labelledby="cities">
        <h2 id="cities">Cities with many shops</h2>
        <ul className="size-list names">
          {main.map(({ slug, name }) => (
            <li key={slug}>
              <a href={paths.tireShopsIn(slug)}>{name}</a>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="states">
        <h2 id="states">By state</h2>
        <DirectoryGrid
          places={states.map(({ slug, name, shopCount }) => ({
            path: paths.tireShopsIn(slug),
            name,
            note: countOf(shopCount, 'shop'),
          }))}
        />
      </section>
    </>
  )
}

function NearResults({ near: { zip, hasVans, center, list } }: { near: Near }) {
  return (
    <>
      {hasVans ? (
        <p className="vans-come">
          <Icon name="van" size="s" />
          {list.vans.length > 0 ? (
            <a href="#vans">{vansText(list.vans.length, zip)}</a>
          ) : (
            `No mobile installer comes to ${zip} yet.`
          )}
        </p>
      ) : null}
      {list.shops.length > 0 ? (
        <ShopsAndMap
          list={list}
          center={center}
          title={`${countOf(list.shops.length, 'shop')} within 50 miles, nearest first`}
        />
      ) : (
        <section className="panel padded stack" aria-labelledby="none">
          <h2 id="none">No shop within 50 miles of {zip}</h2>
          <p className="muted">Choose your tires and have them shipped to your door, or try another ZIP.</p>
        </section>
      )}
      {list.vans.length > 0 ? <Vans vans={list.vans} title={`Mobile installers that come to ${zip}`} /> : null}
    </>
  )
}

/** "1,200 shops in 310 cities and towns." */
function placesText(shops: number, cities: number): string {
  if (shops === 0) return 'No shops yet.'
  return `${countOf(shops, 'shop')} in ${countOf(cities, 'city', 'cities and towns')}.`
}

function vansText(count: number, zip: string): string {
  return `${countOf(count, 'mobile installer comes', 'mobile installers come')} to ${zip}`
}
