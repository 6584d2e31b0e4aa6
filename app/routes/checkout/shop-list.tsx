import { Form } from 'react-router'
import { withQuery } from '#content/paths.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import type { HoldView, MonthView, ShopView, SlotView } from '#app/routes/checkout/shipping-view.server.ts'
import { Rating } from '#app/ui/rating.tsx'
import { bookableDaysAhead } from '#domain/booking/booking.ts'

type Props = {
  tab: 'shop' | 'mobile'
  shops: ShopView[]
  month: MonthView | null
  hold: HoldView | null
  sort: string
  saturday: boolean
  zip: string
  now: string
}

/** The shops beside the map; every one can be used without it. */
export function ShopList({ tab, shops, month, hold, sort, saturday, zip, now }: Props) {
  const address = (change: { sort?: string; saturday?: boolean; shop?: number; day?: string }) =>
    withQuery('/checkout/shipping', {
      tab: tab === 'shop' ? undefined : tab,
      sort: (change.sort ?? sort) === 'soonest' ? undefined : (change.sort ?? sort),
      saturday: (change.saturday ?? saturday) ? '1' : undefined,
      shop: change.shop,
      day: change.day,
    })
  if (shops.length === 0) {
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
  const furthest = Math.ceil(Math.max(...shops.map((shop) => Number(shop.miles))))
  return (
    <div>
      <div className="shop-list-head">
        <h2>
          {shops.length}{' '}
          {tab === 'mobile' ? (shops.length === 1 ? 'van' : 'vans') : shops.length === 1 ? 'shop' : 'shops'} within{' '}
          {furthest} mi
        </h2>
        {[
          ['soonest', 'Soonest'],
          ['nearest', 'Nearest'],
          ['price', 'Lowest total'],
        ].map(([value, label]) => (
          <a
            key={value}
            className={sort === value ? 'chip is-on' : 'chip'}
            aria-current={sort === value ? 'true' : undefined}
            href={address({ sort: value ?? 'soonest' })}
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
      {shops.map((shop) => (
        <article
          key={shop.id}
          className={shop.isChosen ? 'panel shop-card is-chosen' : 'panel shop-card'}
          id={`shop-${shop.id}`}
        >
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
            <Rating hundredths={shop.rating} count={shop.ratingCount} />
            <span>On time {shop.onTime}%</span>
          </p>
          {shop.openings.length > 0 ? (
            <SlotForm tab={tab} shopId={shop.id} label={`First free times at ${shop.name}`}>
              {shop.openings.map((slot) => (
                <SlotButton key={slot.value} slot={slot} />
              ))}
            </SlotForm>
          ) : (
            <p className="small muted">No free time in the next {bookableDaysAhead} days for these tires.</p>
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
          {shop.isChosen && month ? (
            <Month tab={tab} shop={shop} month={month} hold={hold} now={now} address={address} />
          ) : null}
        </article>
      ))}
    </div>
  )
}

function Month({
  tab,
  shop,
  month,
  hold,
  now,
  address,
}: {
  tab: 'shop' | 'mobile'
  shop: ShopView
  month: MonthView
  hold: HoldView | null
  now: string
  address: (change: { shop: number; day: string }) => string
}) {
  const day = month.days.find((entry) => entry.isChosen)?.date
  return (
    <section className="shop-month" aria-label={`Times at ${shop.name}`}>
      <h4>Next {bookableDaysAhead} days</h4>
      <div className="days tabular" role="group" aria-label="Days" ref={showChosenDay}>
        {month.days.map((entry) =>
          entry.isOpen ? (
            <a
              key={entry.date}
              className={entry.isChosen ? 'day is-chosen' : 'day'}
              aria-current={entry.isChosen ? 'date' : undefined}
              href={`${address({ shop: shop.id, day: entry.date })}#shop-${shop.id}`}
            >
              <span>{entry.weekday}</span>
              <b>{entry.day}</b>
              <i>{entry.note}</i>
            </a>
          ) : (
            <span key={entry.date} className="day is-shut">
              <span>{entry.weekday}</span>
              <b>{entry.day}</b>
              <i>{entry.note}</i>
            </span>
          ),
        )}
      </div>
      {month.times.length > 0 ? (
        <div className="day-part">
          <h4>
            {month.title}: {tab === 'mobile' ? 'the van comes' : 'wait with the car'}{' '}
            <span className="muted">
              {month.length}, times in {month.zone}
            </span>
          </h4>
          <SlotForm tab={tab} shopId={shop.id} day={day} label={`Times on ${month.title}`} className="slots in-threes">
            {month.times.map((slot) => (
              <SlotButton key={slot.value} slot={slot} />
            ))}
          </SlotForm>
        </div>
      ) : null}
      {tab === 'shop' && month.dropOffs.length > 0 ? (
        <div className="day-part">
          <h4>Or leave the car</h4>
          <SlotForm
            tab={tab}
            shopId={shop.id}
            day={day}
            label={`Drop off on ${month.title}`}
            className="slots drop-offs"
          >
            {month.dropOffs.map((slot) => (
              <SlotButton key={slot.value} slot={slot} text={slot.text} />
            ))}
          </SlotForm>
        </div>
      ) : null}
      {hold && hold.shopId === shop.id ? <HoldBar hold={hold} now={now} tab={tab} form="list" /> : null}
    </section>
  )
}

/** The chosen day may lie to the right of what the strip shows; the strip moves, the page does not. */
function showChosenDay(strip: HTMLDivElement | null): void {
  const day = strip?.querySelector<HTMLElement>('.is-chosen')
  if (strip && day) strip.scrollLeft = day.offsetLeft - strip.clientWidth / 2 + day.offsetWidth / 2
}

function SlotForm({
  tab,
  shopId,
  day,
  label,
  className = 'slots',
  children,
}: {
  tab: string
  shopId: number
  day?: string | undefined
  label: string
  className?: string
  children: React.ReactNode
}) {
  return (
    <Form method="post" className={`${className} tabular`} aria-label={label} preventScrollReset>
      <input type="hidden" name="intent" value="hold" />
      <input type="hidden" name="tab" value={tab} />
      <input type="hidden" name="shop" value={shopId} />
      {day ? <input type="hidden" name="day" value={day} /> : null}
      {children}
    </Form>
  )
}

function SlotButton({ slot, text }: { slot: SlotView; text?: string }) {
  return (
    <button
      className={`slot${slot.isHeld ? ' is-held' : ''}${slot.isFree || slot.isHeld ? '' : ' is-full'}${text ? ' drop-off' : ''}`}
      type="submit"
      name="slot"
      value={slot.value}
      disabled={!slot.isFree && !slot.isHeld}
      aria-pressed={slot.isHeld}
    >
      {slot.isFree || slot.isHeld ? slot.label : `${slot.label}, full`}
      {text ? <small>{text}</small> : null}
    </button>
  )
}
