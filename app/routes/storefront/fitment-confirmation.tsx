import { redirect } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import {
  chosenVehicleSchema,
  decodeChosenVehicle,
  encodeChosenVehicle,
  type ChosenVehicle,
} from '#domain/catalog/vehicles/vehicles.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Route } from './+types/fitment-confirmation.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your door label',
    description: 'The sizes on the label at your driver’s door.',
    path: paths.confirmation(),
    isIndexed: false,
  })

/** Loads the vehicle from the URL or the browser, to enter its placard. Redirects to the finder without a vehicle. */
export function loader({ context, url }: Route.LoaderArgs) {
  const chosen = vehicleAsked(url.searchParams) ?? decodeChosenVehicle(context.get(visitorContext).vehicle ?? '')
  if (!chosen) throw redirect(paths.find())
  const { front, rear } = chosen.label ?? { front: '', rear: '' }
  return {
    action: paths.confirmation({ vehicle: encodeChosenVehicle(chosen), back: backAsked(url.searchParams) }),
    name: chosen.name,
    front,
    rear: rear === front ? '' : rear,
  }
}

/**
 * `yes`: the label matches the listed size. `label`: it shows the entered size. `all-wheel`, `two-wheel`: the
 * drivetrain. `forget`: clears the vehicle. The vehicle and the return address are in the form, or in the address if
 * the form may have to be shown again.
 */
export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const fields = await readForm(request)
  const back = backAsked(fields) || backAsked(url.searchParams)
  if (fields.get('answer') === 'forget') return seeOther(back || paths.home(), remember(context, { vehicle: null }))

  const chosen = vehicleAsked(fields) ?? vehicleAsked(url.searchParams)
  const found = chosen && (await findChosenVehicle(app, chosen))
  if (!chosen || !found?.ok)
    return refuseForm(formRefusal(fields, 'We no longer know this vehicle. Choose it again.'), 404)

  const read = readAnswer(chosen, fields)
  if (!read.ok) return refuseForm(read.reply)
  const settled = encodeChosenVehicle({ ...read.chosen, name: found.value.name })
  return seeOther(
    back || paths.vehicle(chosen.makeSlug, chosen.modelSlug, chosen.year),
    remember(context, { vehicle: settled }),
  )
}

export default function FitmentConfirmation({
  loaderData: { action: address, name, front, rear },
  actionData,
}: Route.ComponentProps) {
  const reply = actionData && 'errors' in actionData ? actionData : undefined
  return (
    <div className="wrap narrow-page">
      <h1>What does the door label say?</h1>
      <p className="muted">
        Open the driver’s door of your {name}. The label on the frame lists the tire size for front and rear. Type it as
        shown there, with the numbers after the size if there are any.
      </p>
      <form method="post" className="stack" action={address}>
        <ErrorSummary reply={reply} labels={{ front: 'Front', rear: 'Rear' }} />
        <input type="hidden" name="answer" value="label" />
        <Field
          name="front"
          label="Front"
          value={front}
          reply={reply}
          className="tabular"
          placeholder="235/60R18 103H"
          autoComplete="off"
          maxLength={40}
          required
        />
        <Field
          name="rear"
          label="Rear, if it differs"
          value={rear}
          reply={reply}
          className="tabular"
          autoComplete="off"
          maxLength={40}
        />
        <button className="btn primary large" type="submit">
          Use this size
        </button>
      </form>
    </div>
  )
}

/** The vehicle with the shopper's answers. */
function readAnswer(chosen: ChosenVehicle, fields: URLSearchParams): AnswerRead {
  switch (fields.get('answer')) {
    case 'label':
      return readLabel(chosen, fields)
    case 'all-wheel':
      return { ok: true, chosen: { ...chosen, allWheelDrive: true } }
    case 'two-wheel':
      return { ok: true, chosen: { ...chosen, allWheelDrive: false } }
    default:
      return { ok: true, chosen: { ...chosen, confirmed: true } }
  }
}

type AnswerRead = { ok: true; chosen: ChosenVehicle } | { ok: false; reply: FormReply }

function vehicleAsked(asked: URLSearchParams): ChosenVehicle | undefined {
  return decodeChosenVehicle(asked.get('vehicle') ?? '')
}

/** Where to go afterwards, or '' if not given. */
function backAsked(asked: URLSearchParams): string {
  return safePath(asked.get('back'), '')
}

/** The vehicle with the label's sizes, or the form again with a message for an unreadable field. */
function readLabel(chosen: ChosenVehicle, fields: URLSearchParams): AnswerRead {
  const front = fields.get('front')?.trim() ?? ''
  const rear = fields.get('rear')?.trim() || front
  const checked = chosenVehicleSchema.safeParse({ ...chosen, confirmed: true, label: { front, rear } })
  if (checked.success) return { ok: true, chosen: checked.data }
  const errors: Record<string, string> = {}
  for (const { path, message } of checked.error.issues) {
    // An empty rear field means the same size as the front, so an error appears once, at the edited field.
    const name = path[1] === 'rear' && fields.get('rear')?.trim() ? 'rear' : 'front'
    errors[name] ??= message
  }
  return { ok: false, reply: { values: Object.fromEntries(fields), errors } }
}
