import { withQuery } from '#content/paths.ts'
import { ShopMonth } from '#app/routes/checkout/shop-month.tsx'
import type { HoldView, MonthView, ShopView, Sort } from '#app/routes/checkout/shipping-view.server.ts'
import { SlotButton, SlotForm } from '#app/routes/checkout/slot-form.tsx'
import { ShopRating } from '#app/ui/shop-rating.tsx'
import { countOf } from '#platform/count-text.ts'

type Props = {
  tab: 'shop' | 'mobile'
  shops: ShopView[]
  month: MonthView | null
  hold: HoldView | null
  sort: Sort
  saturday: boolean
  zip: string
  now: string
}

/** The page's address with another sort order, filter, shop or day; omitted parameters stay, except shop and day. */
type Address = (change: { sort?: Sort; saturday?: boolean; shop?: number; day?: string }) => string

/** Renders the shop list next to the map. Shoppers can choose a shop without the map. */
export function ShopList({ tab, shops, month, hold, sort, saturday, zip, now }: Props) {
  const address: Address = (change) =>
    withQuery('/checkout/shipping', {
      tab: tab === 'shop' ? undefined : tab,
      sort: (change.sort ?? sort) === 'soonest' ? undefined : (change.sort ?? sort),
      saturday: (change.saturday ?? saturday) ? '1' : undefined,
      shop: change.shop,
      day: change.day,
    })
  if (shops.length === 0) return <NoShops tab={tab} zip={zip} />
  return (
    <div>
      <ListHead tab={tab} shops={shops} sort={sort} saturday={saturday} address={address} />
      {shops.map((shop) => (
        <ShopCard key={shop.id} tab={tab} shop={shop} address={address}>
          {shop.isChosen && month ? (
            <ShopMonth tab={tab} shop={shop} month={month} hold={hold} now={now} address={address} />
          ) : null}
        </ShopCard>
      ))}
    </div>
  )
}

function NoShops({ tab, zip }: Pick<Props, 'tab' | 'zip'>) {
  return (
    <div className="panel padded stack">
      <h2>{tab === 'mobile' ? `No van comes to ${zip}` : `No shop near ${zip} installs these tires`}</h2>
      <p className="muted">
        {tab === 'mobile'
          ? 'Pick a shop, or have the tires shipped to you.'
          : 'Have the tires shipped to you, or try another ZIP.'}
      </p>
      <p className="row">
        <a className="btn" href="/checkout/shipping?tab=home">
          Ship to me
        </a>
        <a className="btn quiet" href="/zip?back=/checkout/shipping">
          Change ZIP
        </a>
      </p>
    </div>
  )
}

const orders: [sort: Sort, label: string][] = [
  ['soonest', 'Soonest'],
  ['nearest', 'Nearest'],
  ['price', 'Lowest total'],
]

/** How many there are and how far away, with sorting and filter. */
function ListHead({
  tab,
  shops,
  sort,
  saturday,
  address,
}: Pick<Props, 'tab' | 'shops' | 'sort' | 'saturday'> & { address: Address }) {
  const furthest = Math.ceil(Math.max(...shops.map((shop) => Number(shop.miles))))
  return (
    <div className="shop-list-head">
      <h2>
        {countOf(shops.length, tab === 'mobile' ? 'van' : 'shop')} within {furthest} mi
      </h2>
      {orders.map(([value, label]) => (
        <a
          key={value}
          className={sort === value ? 'chip is-on' : 'chip'}
          aria-current={sort === value ? 'true' : undefined}
          href={address({ sort: value })}
        >
          {label}
        </a>
      ))}
      <a
        className={saturday ? 'chip is-on' : 'chip'}
        aria-current={saturday ? 'true' : undefined}
        href={address({ saturday: !saturday })}
      >
        Open Saturday
      </a>
    </div>
  )
}

/** Renders a shop or van with its out-the-door price, rating, and first open times. */
function ShopCard({
  tab,
  shop,
  address,
  children,
}: {
  tab: Props['tab']
  shop: ShopView
  address: Address
  children: React.ReactNode
}) {
  return (
    <article className={shop.isChosen ? 'panel shop-card is-chosen' : 'panel shop-card'} id={`shop-${shop.id}`}>
      <div className="row between top">
        <h3>
          <span className="map-letter" aria-hidden="true">
            {shop.letter}
          </span>
          {shop.name}
        </h3>
        <p className="small tabular shop-price">
          <b>{shop.perTire}</b> <span className="muted">a tire</span>
          <br />
          <b>{shop.total}</b> <span className="muted">total</span>
        </p>
      </div>
      <p className="shop-facts tabular">
        <span>
          {shop.miles} mi · {shop.street}
        </span>
        <ShopRating shop={shop} />
      </p>
      {shop.openings.length > 0 ? (
        <SlotForm tab={tab} shopId={shop.id} label={`First free times at ${shop.name}`}>
          {shop.openings.map((slot) => (
            <SlotButton key={slot.value} slot={slot} />
          ))}
          {shop.zone ? <span className="small muted">Times in {shop.zone}</span> : null}
        </SlotForm>
      ) : (
        <p className="small muted">No free times for these tires yet.</p>
      )}
      <div className="row between small">
        <span className="muted">{shop.amenities}</span>
        <span className="row">
          {shop.isChosen ? null : (
            <a className="nowrap" href={`${address({ shop: shop.id })}#shop-${shop.id}`}>
              All times
            </a>
          )}
          <a className="nowrap" href={shop.directions} rel="noreferrer" target="_blank">
            Directions
          </a>
        </span>
      </div>
      {children}
    </article>
  )
}
