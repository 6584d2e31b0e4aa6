import {
  serverRenderedContext,
  applicationContext,
  structuredDataContext,
  visitorContext,
} from '#app/server/context.ts'
import { itemViewed, measure } from '#app/server/measure.ts'
import { paths, withQuery } from '#content/paths.ts'
import { CompareToggle, comparingBar } from '#app/ui/comparing.tsx'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { ServerRendered } from '#app/ui/server-rendered.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { Share } from '#app/ui/share.tsx'
import { NextTimes } from '#app/ui/shop-times.tsx'
import { TireCard } from '#app/ui/tire-card.tsx'
import { Rating } from '#app/ui/rating.tsx'
import { Score } from '#app/ui/tire-facts.tsx'
import { getProduct } from '#domain/catalog/catalog/catalog.server.ts'
import { movedTo, notFound } from './listing.server.ts'
import { OutTheDoor, ProductBuy, ProductDock } from './product-buy.tsx'
import { productParts } from './product-parts.server.tsx'
import { ProductFitment } from './product-fitment.tsx'
import { knowledgeView } from './product-knowledge.server.ts'
import { findStaggeredSet } from './product-set.server.ts'
import { productStructuredData } from './product-structured-data.server.ts'
import { productView } from './product-view.server.ts'
import { mostQuantity, usualQuantity, type ProductView } from './product-view.ts'
import { readMyVehicle } from './vehicle-panel.server.ts'
import type { Route } from './+types/product.ts'

export const handle = { bar: comparingBar }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData ? pageHead(matches, unpack(loaderData).head) : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/**
 * A product line, or one item of it. `?rear=` adds the rear item of a staggered set; `?quantity=` sets how many the
 * totals are for.
 */
export async function loader({ params, url, context }: Route.LoaderArgs): Promise<Packed<ProductView>> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const itemId = 'itemId' in params ? idOf(params.itemId) : undefined
  if (itemId === null) throw notFound()
  const mine = await readMyVehicle(app, visitor)
  const wanted = idOf(url.searchParams.get('quantity'))
  const quantity = wanted !== null && wanted <= mostQuantity ? wanted : usualQuantity
  const asked = {
    brandSlug: params.brand.toLowerCase(),
    lineSlug: params.productLine.toLowerCase(),
    requirement: mine?.requirement,
    vehicleName: mine?.model,
    units: quantity,
  }
  const found = await getProduct(app.catalog, { ...asked, itemId })
  if (!found.ok) throw notFound()

  const line = paths.line(asked.brandSlug, asked.lineSlug)
  const canonical = itemId === undefined ? line : paths.item(asked.brandSlug, asked.lineSlug, itemId)
  const path = itemId === undefined && url.pathname.endsWith('/p') ? `${line}/p` : canonical
  if (url.pathname !== path) throw movedTo(path, url)

  const rearId = idOf(url.searchParams.get('rear'))
  const set = await findStaggeredSet(app.catalog, found.value, { ...asked, rearId })
  const back = withQuery(path, {
    rear: rearId ?? undefined,
    quantity: quantity === usualQuantity ? undefined : quantity,
  })
  const isLine = itemId === undefined
  measure(context, () => itemViewed(found.value))
  context.get(structuredDataContext).push(...productStructuredData(app, found.value, isLine))
  const verdict = set ? set.verdict : found.value.fitment
  const knowledge = await knowledgeView(app, { product: found.value, verdict, mine, isSet: set !== null, back })
  const { view, drawn } = await productView(app, {
    product: found.value,
    set,
    mine,
    zip: visitor.zip,
    quantity,
    isLine,
    canonical,
    path,
    back,
  })
  Object.assign(context.get(serverRenderedContext), productParts(drawn, knowledge))
  return pack(view)
}

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  const view = unpack(loaderData)
  const { brand, line, score, rating, buy, near, similar, store } = view
  const name = `${brand} ${line}`
  // Tires that are out of stock or that we refuse to install have no price at a shop.
  const isSold = buy.form !== null && buy.refused === null
  return (
    <div className="wrap product">
      <Crumbs crumbs={view.crumbs} here={line} />
      <div className="product-columns">
        <ServerRendered name="pictures" />
        <div className="product-column">
          <h1 className="capitals">
            <small>{brand}</small> {line}
          </h1>
          <div className="row marks">
            {score ? (
              <a className="plain" href="#score-parts">
                <Score tenths={score.tenths} word={score.word} store={store} />
              </a>
            ) : (
              <span className="small muted">Not scored yet</span>
            )}
            {rating ? (
              <a className="plain" href="#reviews">
                <Rating hundredths={rating.hundredths} count={rating.count} />
              </a>
            ) : null}
          </div>
          <div className="row product-tools">
            <CompareToggle itemKey={view.compareKey} name={name} />
            <Share path={view.back} title={`${name} ${view.tire}`} />
          </div>
          <ServerRendered name="sizes" />
          <ProductFitment fitment={view.fitment} />
          {/* The key resets the quantity when the item changes. */}
          <ProductBuy key={view.tire} buy={buy} name={`${name} ${view.tire}`} />
          {isSold ? <OutTheDoor near={near} set={buy.set} back={view.back} /> : null}
          {isSold && near && near.shops.length > 0 ? (
            <NextTimes
              zip={near.zip}
              shops={near.shops}
              arrivesOn={near.arrivesOn}
              action={paths.cart()}
              fields={view.timesFields}
            />
          ) : null}
          <ServerRendered name="promises" />
        </div>
        <ServerRendered name="numbers" />
        <ServerRendered name="questions" />
        <ServerRendered name="onVehicle" />
      </div>
      <ServerRendered name="otherSizes" />
      <ServerRendered name="reviews" />
      {similar.cards.length > 0 ? (
        <section className="product-section" id="similar" aria-labelledby="similar-title">
          <h2 id="similar-title">Similar tires in this size</h2>
          <div className="card-grid">
            {similar.cards.map((card) => (
              <TireCard key={card.key} card={card} isFirst={false} isEager={false} store={store} />
            ))}
          </div>
          <a className="btn quiet" href={similar.all.path}>
            {similar.all.label}
          </a>
        </section>
      ) : null}
      <ProductDock buy={buy} near={near} />
    </div>
  )
}

/** Returns a positive number in canonical form; null for anything else. */
function idOf(text: string | null | undefined): number | null {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}
