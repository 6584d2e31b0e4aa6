import { sellsProgram, storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { redirect } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { readShopAreas, type ShopState } from '#app/views/shop-areas.server.ts'
import { paths } from '#content/paths.ts'
import { areaPins } from '#app/routes/shops/area-pins.ts'
import { areasNear, mainAreasOfState } from '#app/routes/shops/main-areas.ts'
import { ShopsAndMap, Vans } from '#app/routes/shops/shop-cards.tsx'
import { readShopList } from '#app/routes/shops/shop-views.server.ts'
import { ZipForm } from '#app/routes/shops/zip-form.tsx'
import { countOf } from '#platform/count-text.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { DirectoryGrid } from '#app/ui/directory-grid.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Share } from '#app/ui/share.tsx'
import { ShopMap } from '#app/ui/shop-map.tsx'
import { listShopsInArea, listVansServing } from '#domain/scheduling/installers/installers.server.ts'
import type { UrbanArea } from '#domain/scheduling/installers/installers.ts'
import type { Application } from '#application'
import type { Route } from './+types/urban-area.ts'

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Tire shops in ${loaderData.name}`,
        description: descriptionOf(loaderData),
        path: paths.tireShopsIn(loaderData.slug),
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** Lists a city's shops at "chicago-il", or a state's cities at "illinois". */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const slug = params.urbanArea.toLowerCase()
  const { areas, bySlug, states } = await readShopAreas(app)
  const area = bySlug.get(slug)
  const state = states.find((each) => (area ? each.code === area.state : each.slug === slug))
  if (!state) throw new Response(null, { status: 404 })
  if (params.urbanArea !== slug) throw redirect(`${paths.tireShopsIn(slug)}${url.search}`, 301)
  return area
    ? { ...(await readCity(app, area, state, areas)), known: context.get(visitorContext).zip ?? null }
    : {
        kind: 'state' as const,
        ...state,
        areas: state.areas.map(({ city, slug: of, shopCount }) => ({ city, slug: of, shopCount })),
        pins: areaPins(mainAreasOfState(state.areas)),
      }
}

const vansShown = 6

/** Three queries, however many shops there are. */
async function readCity(app: Application, area: UrbanArea, state: ShopState, areas: readonly UrbanArea[]) {
  const shops = await listShopsInArea(app, area)
  const zips = [...new Set(shops.map(({ zip }) => zip))]
  const vans = sellsProgram(storeKindOf(app.brandedStore), 'mobileInstallation') ? await listVansServing(app, zips) : []
  return {
    kind: 'city' as const,
    slug: area.slug,
    city: area.city,
    name: `${area.city}, ${area.state}`,
    state: { name: state.name, slug: state.slug },
    list: await readShopList(app, { shops, vans: vans.slice(0, vansShown), zip: zips[0] ?? '', vansComeTo: null }),
    near: areasNear(areas, area).map(({ city, state: code, slug, shopCount, miles }) => ({
      name: `${city}, ${code}`,
      slug,
      shopCount,
      miles: Math.round(miles),
    })),
  }
}

type Loaded = Route.ComponentProps['loaderData']

export default function UrbanAreaPage({ loaderData }: Route.ComponentProps) {
  return loaderData.kind === 'state' ? <State state={loaderData} /> : <City area={loaderData} />
}

function State({ state: { name, slug, areas, pins, shopCount } }: { state: Extract<Loaded, { kind: 'state' }> }) {
  return (
    <div className="wrap directory tire-shops">
      <div className="directory-head">
        <Crumbs crumbs={[{ label: 'Tire shops', path: paths.tireShops() }]} here={name} />
        <h1>Tire shops in {name}</h1>
        <p className="muted">
          {countOf(shopCount, 'shop')} in {countOf(areas.length, 'city', 'cities and towns')}. Choose yours, or{' '}
          <a href={paths.tireShops()}>search by ZIP</a>.
        </p>
        <div className="row shop-ways">
          <Share path={paths.tireShopsIn(slug)} title={`Tire shops in ${name}`} />
        </div>
      </div>
      <ShopMap
        center={null}
        pins={pins}
        label={`Map of cities with shops in ${name}`}
        note={pins.length < areas.length ? 'Some cities of the list' : 'Same cities as the list'}
      />
      <DirectoryGrid
        places={areas.map(({ slug, city, shopCount }) => ({
          path: paths.tireShopsIn(slug),
          name: city,
          note: countOf(shopCount, 'shop'),
        }))}
      />
    </div>
  )
}

function City({ area: { slug, city, name, state, list, near, known } }: { area: Extract<Loaded, { kind: 'city' }> }) {
  return (
    <div className="wrap directory tire-shops">
      <div className="directory-head">
        <Crumbs
          crumbs={[
            { label: 'Tire shops', path: paths.tireShops() },
            { label: state.name, path: paths.tireShopsIn(state.slug) },
          ]}
          here={city}
        />
        <h1>Tire shops in {name}</h1>
        <p className="muted">
          They install tires that you buy here. Choose tires first, then a shop and time. The total for both is shown
          before you pay.
        </p>
        <div className="row shop-ways">
          <a className="btn primary" href={paths.find()}>
            Find tires
          </a>
          <Share path={paths.tireShopsIn(slug)} title={`Tire shops in ${name}`} />
        </div>
      </div>
      <ShopsAndMap
        list={list}
        center={null}
        title={
          list.shops.length === 0 ? `No shops in ${city}` : `${countOf(list.shops.length, 'shop')}, best rated first`
        }
      />
      {list.vans.length > 0 ? (
        <Vans vans={list.vans} title={`Mobile installers that come to ${city}`}>
          <p className="muted">Each comes to some ZIPs of {city}. Which come to yours?</p>
          <ZipForm action={paths.tireShops()} button="Find yours" value={known} />
        </Vans>
      ) : null}
      {near.length > 0 ? (
        <section aria-labelledby="near">
          <h2 id="near">Near {city}</h2>
          <DirectoryGrid
            places={near.map((other) => ({
              path: paths.tireShopsIn(other.slug),
              name: other.name,
              note: `${countOf(other.shopCount, 'shop')}, ${other.miles} mi`,
            }))}
          />
        </section>
      ) : null}
    </div>
  )
}

function descriptionOf(page: Loaded): string {
  if (page.kind === 'state') {
    return `${countOf(page.shopCount, 'shop installs', 'shops install')} the tires you buy from us in ${page.name}. Choose a city to see prices, hours, and available times.`
  }
  const first = page.list.shops[0]
  if (!first) return `Mobile installers that come to ${page.name} and install the tires you buy from us.`
  return `${countOf(page.list.shops.length, 'shop installs', 'shops install')} the tires you buy from us in ${page.name}${first.perTire ? `, ${first.name} from ${first.perTire} a tire` : ''}. Hours, prices and first free times.`
}
