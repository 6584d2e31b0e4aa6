/** What a store under a shop's own name shows of it. Only the server draws these, and only there. */
import type { DealerView } from '#app/views/shell.server.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'

/** The shop's name, with its logo or first letters, in place of ours. */
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

/** The shop's plan, where it is, and the way back to our own store. */
export function StoreBand({ dealer }: { dealer: DealerView }) {
  return (
    <section className="store-band" aria-label={dealer.name}>
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
            This is the store of {dealer.name}. {dealer.poweredBy} has all shops, with replacement coverage.
          </p>
          <form method="post" action={serverPaths.leaveStore()}>
            <button className="link">Leave for {dealer.poweredBy}</button>
          </form>
        </div>
      </div>
    </section>
  )
}
