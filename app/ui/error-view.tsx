import { paths } from '#app/paths.ts'

/** The pages for what went wrong; the first lines are the specification's. Without a `status` it broke on our side. */
export function ErrorView({ status, phone }: { status: number | undefined; phone: string | undefined }) {
  const missing = status === 404 || status === 410
  return (
    <div className="wrap error-page">
      <title>{missing ? 'Page not found · Sidewall' : 'One moment · Sidewall'}</title>
      {status === undefined ? null : <p className="muted tabular">{status}</p>}
      <h1>
        {missing
          ? 'The page you are looking for is missing.'
          : status === undefined || status >= 500
            ? "We're experiencing a technical problem. Please try again."
            : 'Oops, something went wrong! Please try again.'}
      </h1>
      <p className="muted">
        {missing
          ? 'It may have moved, or the address has a slip in it. Start again from one of these:'
          : `Please call ${phone ?? 'us'} for sales or try to refresh this page.`}
      </p>
      <p className="row error-links">
        <a className="btn primary" href={paths.home()}>
          Find tires
        </a>
        <a className="btn quiet" href={paths.sizes()}>
          All sizes
        </a>
        <a className="btn quiet" href={paths.trackOrder()}>
          Track an order
        </a>
      </p>
    </div>
  )
}
