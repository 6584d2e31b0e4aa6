/** The answer to a VIN that a shopper typed into the search box or the finder. */
import type { RouterContextProvider } from 'react-router'
import { sayWait } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { vinMessages, vinNotListed } from '#content/messages/vehicles.ts'
import { paths } from '#content/paths.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { findByVin } from '#domain/catalog/vehicles/vehicles.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { withRecent } from '#http/visitor.ts'
import { findVehicleAnswer } from './finder.server.ts'

export type VinProblem = { problem: string; status: 422 | 429 }

/**
 * Redirects to the vehicle's tires, or to the finder if there are several trims. Neither URL contains the VIN. Recent
 * searches store the vehicle's name. Returns the problem with a VIN that doesn't match a vehicle.
 */
export async function answerVin(
  context: Readonly<RouterContextProvider>,
  typed: string,
): Promise<Response | VinProblem> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const found = await findByVin(app, { typed, from: visitor.networkKey })
  if (!found.ok) {
    if (found.reason === 'not-listed') return { problem: vinNotListed(found.detail.name), status: 422 }
    if (found.reason === 'too-many') sayWait(context, found.detail.retryAfterSeconds)
    return { problem: vinMessages[found.reason], status: found.reason === 'too-many' ? 429 : 422 }
  }
  const { year, makeSlug: make, modelSlug: model, trimSlug } = found.value
  const answer = await findVehicleAnswer(app, { year: String(year), make, model, trim: trimSlug ?? '' })
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
