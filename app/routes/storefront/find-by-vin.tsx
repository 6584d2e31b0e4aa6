import { z } from 'zod'
import { checkForm, readForm, refuseForm } from '#app/forms/form.ts'
import { applicationContext } from '#app/server/context.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { vinMessages } from '#content/messages/vehicles.ts'
import { paths } from '#content/paths.ts'
import photoField from '#app/ui/photo-field.js?url'
import photoStyles from '#app/ui/styles/photo-field.css?url'
import vinReader from '#app/ui/vin-reader.ts?worker&url'
import { readingEngineFolder } from '#app/server/reading-engine.ts'
import { answerVin } from './found-vehicle.server.ts'
import type { Route } from './+types/find-by-vin.ts'

export const handle = { script: false }
export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: photoStyles }]
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Find your vehicle by VIN',
    description: 'Enter the 17-character VIN to find the tires that fit your vehicle.',
    path: paths.findByVin(),
    isIndexed: false,
  })

const vinForm = z.object({ vin: z.string(vinMessages['not-a-vin']).trim().min(1, vinMessages['not-a-vin']).max(60) })

/** The VIN is posted, so that it is in no address, browser history or cache. */
export async function action({ request, context }: Route.ActionArgs) {
  const fields = await readForm(request)
  const checked = checkForm(vinForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const answer = await answerVin(context, checked.value.vin)
  if (answer instanceof Response) return answer
  return refuseForm({ values: { vin: checked.value.vin }, errors: { vin: answer.problem } }, answer.status)
}

export function loader({ context }: Route.LoaderArgs) {
  return { hasPlates: context.get(applicationContext).plateLookup !== null, engine: readingEngineFolder() }
}

export default function FindByVin({ actionData, loaderData: { hasPlates, engine } }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>Find your vehicle by VIN</h1>
      <p className="muted">
        The VIN is on the driver’s side of the dashboard, on the door label, and on your registration and insurance
        card. We don’t store it. A photo of it is read on your device and never sent.
      </p>
      <form method="post" className="panel padded stack" noValidate>
        <ErrorSummary reply={actionData} />
        <Field
          name="vin"
          label="VIN (17 characters)"
          reply={actionData}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          required
          data-photo="Photo of the VIN, to read it"
          data-photo-none="No VIN was found. Hold the phone close and level to the door label, or type the VIN."
          data-photo-check="Compare it with your vehicle."
        />
        <button className="btn primary" type="submit">
          Find my vehicle
        </button>
      </form>
      <script type="module" src={photoField} data-photo-reader={vinReader} data-engine={engine} />
      <p>
        <a href={paths.find({ by: 'vehicle' })}>Choose year, make and model</a>
        {hasPlates ? (
          <>
            , <a href={paths.findByPlate()}>enter your license plate</a>,
          </>
        ) : null}{' '}
        or <a href={paths.find({ by: 'size' })}>find tires by size</a>.
      </p>
    </div>
  )
}
