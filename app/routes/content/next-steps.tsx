import { paths } from '#content/paths.ts'

/** Where to go from a page that says we have what was sent. */
export function NextSteps() {
  return (
    <p className="row">
      <a className="btn primary" href={paths.home()}>
        Find tires
      </a>
      <a className="btn quiet" href={paths.help()}>
        Help center
      </a>
    </p>
  )
}
