import { paths } from '#content/paths.ts'
import type { VehicleView } from './garage-view.server.ts'

type GarageVehicleProps = {
  vehicle: VehicleView
  /** 'h3' when the vehicle is under another heading. */
  heading?: 'h2' | 'h3'
  /** Vehicles can be removed only in the garage itself. */
  canRemove?: boolean
}

/** Renders an account's vehicle with its sizes, rotation schedule, and actions. */
export function GarageVehicle({
  vehicle: { id, name, sizes, rotation, isInUse },
  heading: Heading = 'h2',
  canRemove = false,
}: GarageVehicleProps) {
  return (
    <>
      <div className="order-line-head">
        <Heading>{name}</Heading>
        {isInUse ? <span className="tag">In use</span> : null}
      </div>
      <p className="tabular">{sizes}</p>
      <p className={rotation.isDue ? 'strong' : undefined}>{rotation.text}</p>
      <form method="post" action={paths.myGarage()} className="row wrap-row">
        <input type="hidden" name="vehicle" value={id} />
        <button className="btn" name="intent" value="use" aria-label={`See tires for your ${name}`}>
          See tires
        </button>
        <a
          className="btn"
          href={`${paths.myGarage(id)}#vehicle-${id}`}
          aria-label={`Mileage and rotation of your ${name}`}
        >
          Mileage and rotation
        </a>
        {canRemove ? (
          <button className="btn quiet" name="intent" value="remove" aria-label={`Remove your ${name}`}>
            Remove
          </button>
        ) : null}
      </form>
    </>
  )
}
