/** The license plate lookup within the portal's forms. */
import { data, type RouterContextProvider } from 'react-router'
import { refuseForm, sayWait, type FormReply } from '#app/forms/form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import type { PlateStates } from '#app/ui/portal/plate-lookup.tsx'
import { stateOptions } from '#app/ui/states.ts'
import { shopPlateMessages } from '#content/messages/vehicles.ts'
import { namePlateVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Application } from '#application'

/** The states for the form; null if the store has no provider. */
export function plateStatesOf({ plateLookup }: Pick<Application, 'plateLookup'>): PlateStates | null {
  return plateLookup === null ? null : stateOptions
}

/** A plate's vehicle, such as "2019 Honda CR-V EX", and the last eight characters of its VIN. */
type PlateVehicle = { name: string; vinEnd: string }

/**
 * Looks up the form's plate and returns the form with the values that `fill` changes and its message, or with the
 * problem at the plate. The form isn't saved, and the plate of a vehicle that was found isn't returned.
 */
export async function answerShopPlate(
  context: Readonly<RouterContextProvider>,
  fields: URLSearchParams,
  fill: (vehicle: PlateVehicle) => { values: Record<string, string>; message: string } | { problem: string },
) {
  const [app, { networkKey }] = [context.get(applicationContext), context.get(visitorContext)]
  const [typed, state] = [fields.get('lookupPlate') ?? '', fields.get('lookupState') ?? '']
  const found = await namePlateVehicle(app, { typed, state, from: networkKey })
  if (!found.ok) {
    if (found.reason === 'too-many') sayWait(context, found.detail.retryAfterSeconds)
    const field = found.reason === 'not-a-state' ? 'lookupState' : 'lookupPlate'
    return refuse(fields, { [field]: shopPlateMessages[found.reason] }, found.reason === 'too-many' ? 429 : 422)
  }
  const filled = fill(found.value)
  if ('problem' in filled) return refuse(fields, { lookupPlate: filled.problem }, 422)
  const values = { ...Object.fromEntries(fields), ...filled.values, lookupPlate: '', lookupState: '' }
  return data<FormReply>({ values, errors: {}, shown: filled.message })
}

function refuse(fields: URLSearchParams, errors: Record<string, string>, status: 422 | 429) {
  return refuseForm({ values: Object.fromEntries(fields), errors }, status)
}
