import { badZipMessage } from '#content/messages/places.ts'
import { applicationContext } from '#app/server/context.ts'
import { checkForm, readForm } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { findNearestPlace, findPlace } from '#domain/kernel/places/places.server.ts'
import { zipForm, type Place } from '#domain/kernel/places/places.ts'
import type { Application } from '#application'
import type { Route } from './+types/zip-choice.ts'

type Found = Place | { message: string }

/**
 * Saves the entered ZIP code (`zip`) or the one closest to the browser's location (`latitude`, `longitude`), for the
 * ZIP dialog. Returns the ZIP code or a problem. Doesn't store the location.
 */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const fields = await readForm(request)
  const found = fields.has('zip') ? await typedPlace(app, fields) : await nearestPlace(app, fields)
  if ('message' in found) return Response.json(found, { status: 422 })
  return Response.json({ zip: found.zip, city: found.city }, { headers: remember(context, { zip: found.zip }) })
}

/** No page links here. */
export function loader(): Response {
  return new Response(null, { status: 404 })
}

async function typedPlace(app: Application, fields: URLSearchParams): Promise<Found> {
  const checked = checkForm(zipForm, fields)
  return (checked.ok ? await findPlace(app.db, checked.value.zip) : undefined) ?? { message: badZipMessage }
}

async function nearestPlace(app: Application, fields: URLSearchParams): Promise<Found> {
  const [latitude, longitude] = [coordinate(fields.get('latitude'), 90), coordinate(fields.get('longitude'), 180)]
  if (latitude === undefined || longitude === undefined) return geocoderFailed('INVALID_REQUEST')
  return (await findNearestPlace(app.db, { latitude, longitude })) ?? geocoderFailed('ZERO_RESULTS')
}

function coordinate(text: string | null, most: number): number | undefined {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Math.abs(value) <= most ? value : undefined
}

/** In the specification's words, with a geocoder's status. */
function geocoderFailed(status: string): { message: string } {
  return { message: `Geocoder failed due to: ${status}` }
}
