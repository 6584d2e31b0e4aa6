import { z } from 'zod'
import { checkForm, readForm, refuseForm } from '#app/forms/form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { stateOptions } from '#app/ui/states.ts'
import { plateMessages } from '#content/messages/vehicles.ts'
import { paths } from '#content/paths.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { answerPlate } from './found-vehicle.server.ts'
import type { Route } from './+types/find-by-plate.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Find your vehicle by license plate',
    description: 'Enter your license plate and its state to find the tires that fit your vehicle.',
    path: paths.findByPlate(),
    isIndexed: false,
  })

/** The state is the one of the shopper's ZIP until they choose another. */
export async function loader({ context }: Route.LoaderArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  if (app.plateLookup === null) throw new Response(null, { status: 404 })
  const place = visitor.zip === undefined ? undefined : await findPlace(app.db, visitor.zip)
  return { state: place?.state ?? '', states: stateOptions }
}

const plateForm = z.object({
  plate: z.string(plateMessages['not-a-plate']).trim().min(1, plateMessages['not-a-plate']).max(60),
  state: z.string(plateMessages['not-a-state']).trim().min(1, plateMessages['not-a-state']).max(60),
})

/** The plate is posted, so that it is in no address, browser history or cache. */
export async function action({ request, context }: Route.ActionArgs) {
  const fields = await readForm(request)
  const checked = checkForm(plateForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const answer = await answerPlate(context, checked.value)
  if (answer instanceof Response) return answer
  return refuseForm({ values: checked.value, errors: { [answer.field]: answer.problem } }, answer.status)
}

export default function FindByPlate({ actionData, loaderData: { state, states } }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>Find your vehicle by license plate</h1>
      <p className="muted">We look up the vehicle that is registered with the plate. We don’t store the plate.</p>
      <form method="post" className="panel padded stack" noValidate>
        <ErrorSummary reply={actionData} labels={{ plate: 'License plate', state: 'State' }} />
        <Field
          name="plate"
          label="License plate"
          reply={actionData}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={12}
          required
        />
        <SelectField name="state" label="State" reply={actionData} value={state}>
          <option value="">Choose</option>
          {states.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <button className="btn primary" type="submit">
          Find my vehicle
        </button>
      </form>
      <p>
        <a href={paths.findByVin()}>Enter the VIN</a> or{' '}
        <a href={paths.find({ by: 'vehicle' })}>choose year, make and model</a>.
      </p>
    </div>
  )
}
