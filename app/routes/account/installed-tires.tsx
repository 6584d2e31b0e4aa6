import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'

/** A set of tires as the garage lists it. */
export type SetView = { orderId: number; tires: string; fitted: string; recall: string | null }

/** The tires that shops installed, with the way to their log. */
export function InstalledTires({ sets }: { sets: readonly SetView[] }) {
  if (sets.length === 0) return null
  return (
    <section className="stack" aria-labelledby="installed">
      <h2 id="installed">Installed tires</h2>
      <ul className="account-list">
        {sets.map(({ orderId, tires, fitted, recall }) => (
          <li key={orderId} className="panel padded stack">
            <h3>{tires}</h3>
            <p className="tabular">{fitted}</p>
            {recall ? (
              <p className="notice">
                Safety recall {recall}. <a href={serverPaths.orderRecall(orderId)}>See what to do</a>
              </p>
            ) : null}
            <p className="row wrap-row">
              <a
                className="btn"
                href={serverPaths.tireLog(orderId)}
                aria-label={`Rotation log and warranty of ${tires}`}
              >
                Rotation log and warranty
              </a>
              <a className="btn quiet" href={paths.trackResult(orderId)}>
                Order
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
