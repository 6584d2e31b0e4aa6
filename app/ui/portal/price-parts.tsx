/** A price list as the page shows it. */
export type PriceListView = {
  title: string
  from: string | null
  made: string | null
  jobs: { name: string; bands: { rim: string; price: string; minutes: number }[] }[]
  besides: string | null
  services: { name: string; price: string; minutes: number }[]
  examples: { words: string; minutes: number; price: string }[]
}

/** One price list, with its days, prices and minutes by rim, and resulting durations. */
export function PriceList({ list: { title, made, jobs, besides, services, examples } }: { list: PriceListView }) {
  return (
    <div className="portal-plan">
      <h2>{title}</h2>
      {jobs.map(({ name, bands }) => (
        <section key={name}>
          <h3>{name}</h3>
          {bands.length === 0 ? (
            <p className="muted">Not taken</p>
          ) : (
            <dl>
              {bands.map(({ rim, price, minutes }) => (
                <div key={rim}>
                  <dt>{rim} in</dt>
                  <dd>
                    {price}, {minutes} min
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </section>
      ))}
      {besides ? <p>{besides}</p> : null}
      {services.length > 0 ? (
        <section>
          <h3>Services without new tires</h3>
          <dl>
            {services.map(({ name, price, minutes }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {price}, {minutes} min
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
      {examples.length > 0 ? (
        <table className="portal-examples">
          <caption>How long a job takes, and what its shopper pays</caption>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">Minutes</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {examples.map(({ words, minutes, price }) => (
              <tr key={words}>
                <th scope="row">{words}</th>
                <td>{minutes}</td>
                <td>{price}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {made ? <p className="muted">{made}</p> : null}
    </div>
  )
}
