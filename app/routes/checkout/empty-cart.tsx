import { paths } from '#content/paths.ts'
import { Icon } from '#app/ui/icon.tsx'

/** An empty cart, with two ways to find tires. `problem`: why the requested tires were not added. */
export function EmptyCart({ problem }: { problem?: string | undefined }) {
  return (
    <div className="wrap narrow-page empty-cart">
      <Icon name="cart" />
      <h1>Your cart is empty</h1>
      {problem ? (
        <p className="error-summary" role="alert">
          {problem}
        </p>
      ) : null}
      <p className="muted">
        Start with your vehicle or tire size, and we’ll show tires that fit with installed prices.
      </p>
      <p className="row">
        <a className="btn primary" href={paths.vehicles()}>
          Find by vehicle
        </a>
        <a className="btn quiet" href={paths.sizes()}>
          Find by size
        </a>
      </p>
    </div>
  )
}
