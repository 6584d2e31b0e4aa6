import { shopContext } from '#app/http/context.ts'
import { readForm } from '#app/http/form.ts'
import { remember } from '#app/http/visitor.ts'
import { findNearestPlace } from '#domain/places/places.server.ts'
import type { Route } from './+types/zip-nearest.ts'

/** The ZIP nearest to where the browser is, which is kept; or the status of a geocoder that found none. The place itself is kept nowhere. */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const fields = await readForm(request)
  const [latitude, longitude] = [coordinate(fields.get('latitude'), 90), coordinate(fields.get('longitude'), 180)]
  if (latitude === undefined || longitude === undefined) return Response.json({ status: 'INVALID_REQUEST' }, { status: 422 })
  const nearest = await findNearestPlace(shop.db, { latitude, longitude })
  if (!nearest) return Response.json({ status: 'ZERO_RESULTS' }, { status: 422 })
  const keep = remember(shop.config.web.origin.startsWith('https:'), shop.config.session.secret)
  return Response.json({ zip: nearest.zip, city: nearest.city, status: 'OK' }, { headers: { 'Set-Cookie': keep.zip(nearest.zip) } })
}

/** Nobody links here. */
export function loader(): Response {
  return new Response(null, { status: 404 })
}

function coordinate(text: string | null, most: number): number | undefined {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Math.abs(value) <= most ? value : undefined
}
