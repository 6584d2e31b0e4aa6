import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { checkForm, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { readingsForm, rotationMiles, rotationMonths } from '#domain/customers/accounts/accounts.ts'
import { listGarage, noteReadings, removeVehicle, takeVehicle } from '#domain/customers/accounts/accounts.server.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { isId } from '#platform/ids.ts'
import { storeDay } from '#platform/store-zone.ts'
import { listInstalledSets } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { countOf } from '#platform/count-text.ts'
import { AccountPage } from './account-page.tsx'
import { GarageVehicle } from './garage-vehicle.tsx'
import { garageView, type VehicleView } from './garage-view.server.ts'
import { InstalledTires } from './installed-tires.tsx'
import { setView } from './tire-log-view.server.ts'
import type { Route } from './+types/my-garage.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your garage',
    description: 'Your vehicles, their tire sizes and when to rotate.',
    path: paths.myGarage(),
    isIndexed: false,
  })

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { accountId, isEmailVerified } = await requireSignedIn(context, paths.myGarage())
  const [vehicles, sets] = await Promise.all([listGarage(app, accountId), listInstalledSets(app.db, accountId)])
  return {
    isEmailVerified,
    hasPlates: app.plateLookup !== null,
    sets: sets.map(setView),
    opened: url.searchParams.get('vehicle'),
    vehicles: await Promise.all(vehicles.map((vehicle) => garageView(app, context.get(visitorContext), vehicle))),
  }
}

/** `use` selects the vehicle, `remove` deletes it, `note` logs mileage or a rotation. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, paths.myGarage())
  const fields = await readForm(request)
  const id = fields.get('vehicle') ?? ''
  if (!isId(id)) throw new Response(null, { status: 404 })
  switch (fields.get('intent')) {
    case 'use': {
      const taken = await takeVehicle(app, accountId, id)
      if (!taken.ok) throw new Response(null, { status: 404 })
      return seeOther(paths.myVehicle(), remember(context, { vehicle: encodeChosenVehicle(taken.value) }))
    }
    case 'remove': {
      const removed = await removeVehicle(app, accountId, id)
      const isInUse =
        removed.ok &&
        removed.value !== null &&
        encodeChosenVehicle(removed.value) === context.get(visitorContext).vehicle
      return seeOther(paths.myGarage(), isInUse ? remember(context, { vehicle: null }) : [])
    }
    default: {
      const today = storeDay(app.clock.now())
      const checked = checkForm(readingsForm(today), fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const noted = await noteReadings(app, { accountId, id, readings: checked.value, today })
      if (!noted.ok) throw new Response(null, { status: 404 })
      return seeOther(`${paths.myGarage()}#vehicle-${id}`)
    }
  }
}

export default function MyGarage({ loaderData, actionData }: Route.ComponentProps) {
  const { vehicles, sets, isEmailVerified, opened, hasPlates } = loaderData
  // One form at a time, so that field names are unique on the page.
  const open = actionData?.values['vehicle'] ?? opened
  return (
    <AccountPage title="Your garage" at="garage">
      {vehicles.length === 0 ? (
        <section className="panel padded stack">
          <h2>No vehicle yet</h2>
          <p className="muted">Choose your vehicle once, and every tire shows whether it fits.</p>
        </section>
      ) : (
        <ul className="account-list">
          {vehicles.map((vehicle) => (
            <li key={vehicle.id} className="panel padded stack" id={`vehicle-${vehicle.id}`}>
              <GarageVehicle vehicle={vehicle} canRemove />
              {vehicle.id === open ? (
                <Readings vehicle={vehicle} reply={actionData} isEmailVerified={isEmailVerified} />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <InstalledTires sets={sets} />
      <p className="row wrap-row">
        <a className="btn primary" href={paths.find()}>
          Add a vehicle
        </a>
        {hasPlates ? (
          <a className="btn" href={paths.findByPlate()}>
            Add by license plate
          </a>
        ) : null}
      </p>
      <p className="small muted">
        Rotate every {countOf(rotationMonths, 'month')} or {countOf(rotationMiles, 'mile')}, whichever comes first. Your
        car’s manual may ask for it sooner.
      </p>
    </AccountPage>
  )
}

type ReadingsProps = { vehicle: VehicleView; reply: FormReply | undefined; isEmailVerified: boolean }

function Readings({ vehicle: { id, name, readings, wantsReminder }, reply, isEmailVerified }: ReadingsProps) {
  return (
    <form method="post" className="stack account-form" noValidate aria-label={`Mileage and rotation of your ${name}`}>
      <ErrorSummary
        reply={reply}
        labels={{ mileage: 'Mileage now', rotatedOn: 'Last rotation', rotatedMileage: 'Mileage then' }}
      />
      <input type="hidden" name="vehicle" value={id} />
      <Field
        name="mileage"
        label="Mileage now"
        value={readings.mileage}
        reply={reply}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
      />
      <Field
        name="rotatedOn"
        label="Last rotation, or the day the tires were new"
        value={readings.rotatedOn}
        reply={reply}
        inputMode="numeric"
        placeholder="MM/DD/YYYY"
        autoComplete="off"
        maxLength={10}
      />
      <Field
        name="rotatedMileage"
        label="Mileage then"
        value={readings.rotatedMileage}
        reply={reply}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
      />
      <label className="check">
        <input type="checkbox" name="reminder" value="1" defaultChecked={wantsReminder} />
        <span>Remind me by email{isEmailVerified ? '' : ', once my email is verified'}</span>
      </label>
      <p>
        <button className="btn primary" name="intent" value="note">
          Save
        </button>
      </p>
    </form>
  )
}
