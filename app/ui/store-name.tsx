/** The branded store's display of its shop. Rendered only on the server, and only there. */
import type { DealerView, StoreFront } from '#app/views/shell.server.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'

/** The shop's name with its logo or initials, instead of the store's. */
export function StoreName({ dealer, logo }: { dealer: DealerView; logo: string | null }) {
  return (
    <a className="logo store-name" href={paths.home()}>
      {logo === null ? (
        <span className="letters" aria-hidden="true">
          {dealer.letters}
        </span>
      ) : (
        <img src={logo} alt="" height={44} />
      )}
      <span>
        <b>{dealer.name}</b>
        {dealer.tagline === null ? null : <small>{dealer.tagline}</small>}
      </span>
    </a>
  )
}

function Front({ front: { prices, times, zone }, shopPath }: { front: StoreFront; shopPath: string }) {
  return (
    <div className="store-front">
      <div className="wrap">
        <div>
          <h2>What our work costs</h2>
          <dl>
            {prices.map(({ what, price }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{price}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div>
          <h2>First free times{zone ? <span className="small muted"> in {zone}</span> : null}</h2>
          {times.length === 0 ? <p>No free times in the next weeks. Call us.</p> : null}
          <ul>
            {times.map((time) => (
              <li key={time}>{time}</li>
            ))}
          </ul>
          <p>
            <a href={shopPath}>Hours, prices by rim and all times</a>
          </p>
        </div>
      </div>
    </div>
  )
}

/** The shop's plan, where it is, and the way back to our own store. */
export function StoreBand({ dealer }: { dealer: DealerView }) {
  return (
    <section className="store-band" aria-label={dealer.name}>
      {dealer.front ? <Front front={dealer.front} shopPath={dealer.shopPath} /> : null}
      <div className="wrap">
        <div>
          <h2>Installed by {dealer.name}</h2>
          <p>
            {dealer.address}
            <br />
            <a href={`tel:${dealer.phone.replace(/\D/g, '')}`}>{dealer.phone}</a>
          </p>
          <p>
            <a href={dealer.shopPath}>Hours, prices and free times</a>
          </p>
        </div>
        <div>
          <h2>Road hazard plan</h2>
          <dl>
            {dealer.plan.map(({ when, what }) => (
              <div key={when}>
                <dt>{when}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div>
          <h2>Looking for other shops?</h2>
          <p>
            This is the store of {dealer.name}. {dealer.poweredBy} has all shops.
          </p>
          <form method="post" action={serverPaths.leaveStore()}>
            <button className="link">Leave for {dealer.poweredBy}</button>
          </form>
        </div>
      </div>
    </section>
  )
}
