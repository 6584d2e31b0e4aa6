import { paths } from '#content/paths.ts'

/** Renders the next links after a successful submission. */
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
