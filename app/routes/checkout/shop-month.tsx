import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import type { HoldView, MonthView, ShopView } from '#app/routes/checkout/shipping-view.server.ts'
import { SlotButton, SlotForm } from '#app/routes/checkout/slot-form.tsx'
import { countOf } from '#platform/count-text.ts'

/** The days of the chosen shop with the times of one of them; `address` is the page with another day. */
export function ShopMonth({
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
      <h4>Next {countOf(month.days.length - 1, 'day')}</h4>
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
              {month.length}
              {month.zone ? `, times in ${month.zone}` : ''}
            </span>
          </h4>
          <SlotForm tab={tab} shopId={shop.id} day={day} label={`Times on ${month.title}`} className="slots in-columns">
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

/** The chosen day may be to the right of the visible strip; the strip scrolls, not the page. */
function showChosenDay(strip: HTMLDivElement | null): void {
  const day = strip?.querySelector<HTMLElement>('.is-chosen')
  if (strip && day) strip.scrollLeft = day.offsetLeft - strip.clientWidth / 2 + day.offsetWidth / 2
}
