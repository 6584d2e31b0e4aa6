import { Icon } from '#app/ui/icon.tsx'
import { SlotLabel } from '#app/ui/slot-label.tsx'

export type ShopTimes = {
  id: number
  name: string
  miles: string
  total: string
  /** "CST", where the shop's clock differs from the one at the ZIP. */
  zone: string | null
  /** The first available times: "Tue, Dec 1, 9:30 AM", "Wed, Dec 2, morning drop-off". */
  times: { label: string; value: string }[]
}

type Props = {
  zip: string
  shops: readonly ShopTimes[]
  arrivesOn: string | null
  /** Where the forms are submitted, and their fields other than shop and time. */
  action: string
  fields: readonly (readonly [name: string, value: string])[]
}

/**
 * The nearest shops with what the set costs there and when it can be installed. Each time is a button that also adds
 * the tires.
 */
export function NextTimes({ zip, shops, arrivesOn, action, fields }: Props) {
  return (
    <section className="next-times" aria-labelledby="next-times-title">
      <h2 id="next-times-title">Next times near {zip}</h2>
      {arrivesOn ? (
        <p className="row top small muted">
          <Icon name="truck" size="s" />
          <span>Tires reach these shops by {arrivesOn}</span>
        </p>
      ) : null}
      <ul className="tabular">
        {shops.map((shop, index) => (
          <li key={shop.id}>
            <div className="row between">
              <h3>
                {shop.name}{' '}
                <span className="small muted">
                  {shop.miles} mi{shop.zone ? `, times in ${shop.zone}` : ''}
                </span>
              </h3>
              <p className="small nowrap">
                <b>{shop.total}</b> total
              </p>
            </div>
            <form className="slots" method="post" action={action} aria-label={`First free times at ${shop.name}`}>
              {fields.map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              <input type="hidden" name="then" value="shipping" />
              <input type="hidden" name="shop" value={shop.id} />
              {shop.times.map(({ label, value }, at) => (
                <button
                  key={value}
                  className={index === 0 && at === 0 ? 'slot is-first' : 'slot'}
                  type="submit"
                  name="slot"
                  value={value}
                >
                  <SlotLabel label={label} />
                </button>
              ))}
              {shop.times.length === 0 ? <span className="small muted">No free times yet.</span> : null}
              <button className="link small" type="submit" aria-label={`More times at ${shop.name}`}>
                More
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
