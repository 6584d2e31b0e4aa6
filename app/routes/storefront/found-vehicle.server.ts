/** The answer to a VIN or license plate that a shopper typed. */
import type { RouterContextProvider } from 'react-router'
import { sayWait } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { plateRefusalText, vinRefusalText } from '#content/messages/vehicles.ts'
import { paths } from '#content/paths.ts'
import { encodeChosenVehicle, type PlateRefusal, type VinRefusal } from '#domain/catalog/vehicles/vehicles.ts'
import { findByPlate, findByVin, type VinVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { withRecent } from '#http/visitor.ts'
import { findVehicleAnswer } from './finder.server.ts'

type Context = Readonly<RouterContextProvider>
export type VehicleProblem = { problem: string; status: 422 | 429 }

/**
 * Redirects to the vehicle's tires, or to the finder if there are several trims. Neither URL contains the VIN. Recent
 * searches store the vehicle's name. Returns the problem with a VIN that doesn't match a vehicle.
 */
export async function answerVin(context: Context, typed: string): Promise<Response | VehicleProblem> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const found = await findByVin(app, { typed, from: visitor.networkKey })
  return found.ok ? openVehicle(context, found.value) : problemOf(context, found, vinRefusalText(found))
}

/** The same for a license plate; the problem has the field that it is about. */
export async function answerPlate(
  context: Context,
  { plate, state }: { plate: string; state: string },
): Promise<Response | (VehicleProblem & { field: 'plate' | 'state' })> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const found = await findByPlate(app, { typed: plate, state, from: visitor.networkKey })
  if (found.ok) return openVehicle(context, found.value)
  const field = found.reason === 'not-a-state' ? 'state' : 'plate'
  return { ...problemOf(context, found, plateRefusalText(found)), field }
}

function problemOf(context: Context, refusal: VinRefusal | PlateRefusal, problem: string): VehicleProblem {
  if (refusal.reason !== 'too-many') return { problem, status: 422 }
  sayWait(context, refusal.detail.retryAfterSeconds)
  return { problem, status: 429 }
}

async function openVehicle(context: Context, found: VinVehicle): Promise<Response> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const { year, makeSlug: make, modelSlug: model, trimSlug } = found
  const answer = await findVehicleAnswer(app, visitor, { year: String(year), make, model, trim: trimSlug ?? '' })
  if (!answer) return seeOther(paths.find({ by: 'vehicle', year, make, model }))
  const { path, label, vehicle } = answer
  return seeOther(
    path,
    remember(context, {
      recent: withRecent(visitor.recent, { label, path }),
      ...(vehicle && { vehicle: encodeChosenVehicle(vehicle) }),
    }),
  )
}
