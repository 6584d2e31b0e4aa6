import type { ReactNode } from 'react'
import type { ShopCard, ShopList } from '#app/routes/shops/shop-views.server.ts'
import { ShopMap } from '#app/ui/shop-map.tsx'
import { CertifiedMark } from '#app/ui/certified-mark.tsx'
import { ShopRating } from '#app/ui/shop-rating.tsx'

type Props = {
  list: ShopList
  /** The shopper's location, if known. */
  center: { latitude: number; longitude: number } | null
  title: string
}

/** Shops next to their map; the list has everything the map shows. */
export function ShopsAndMap({ list: { shops, arrivesOn, pins }, center, title }: Props) {
  return (
    <section className="shops-and-map" aria-labelledby="shops">
      <div>
        <div className="shop-list-head">
          <h2 id="shops">{title}</h2>
        </div>
        {arrivesOn ? <p className="small muted shop-list-note">{timesNote(arrivesOn)}</p> : null}
        <Cards cards={shops} />
      </div>
      <ShopMap center={center} pins={pins} label="Map of the shops in the list" note="Same shops as the list" />
    </section>
  )
}

/** Mobile installers. Vans have no public address, so there is no map. */
export function Vans({ vans, title, children }: { vans: ShopCard[]; title: string; children?: ReactNode }) {
  return (
    <section aria-labelledby="vans">
      <h2 id="vans">{title}</h2>
      {children}
      <div className="van-cards">
        <Cards cards={vans} />
      </div>
    </section>
  )
}

/** Explains the sample tires used for the first times. No tires are selected yet. */
export function timesNote(arrivesOn: string): string {
  return `Price a tire and first time for four 17-inch tires from our nearest warehouse, there by ${arrivesOn}. Yours are shown once you choose tires.`
}

function Cards({ cards }: { cards: ShopCard[] }) {
  return cards.map((shop) => (
    <article key={shop.id} className="panel shop-card" id={`shop-${shop.id}`}>
      <div className="row between top">
        <h3>
          {shop.letter ? (
            <span className="map-letter" aria-hidden="true">
              {shop.letter}
            </span>
          ) : null}
          <a href={shop.path}>{shop.name}</a>
        </h3>
        {shop.perTire ? (
          <p className="small tabular shop-price">
            <b>{shop.perTire}</b> <span className="muted">a tire</span>
          </p>
        ) : null}
      </div>
      <p className="shop-facts tabular">
        <span>
          {shop.miles ? `${shop.miles} mi · ` : ''}
          {shop.address}
        </span>
        <ShopRating shop={shop} />
        {shop.isCertified ? <CertifiedMark /> : null}
      </p>
      <p className="row between small shop-first">
        <span className="nowrap">
          {shop.firstTime ? (
            <>
              First free <b>{shop.firstTime}</b>
            </>
          ) : (
            'No free times yet'
          )}
        </span>
        <span className="muted">{shop.amenities}</span>
      </p>
    </article>
  ))
}
