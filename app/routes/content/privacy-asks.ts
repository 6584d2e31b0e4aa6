import { applicationContext, visitorContext } from '#app/server/context.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { Route } from './+types/privacy-asks.ts'

/**
 * Returns whether this visitor must consent to analytics. The store can require it everywhere or by state. Visitors in
 * an unknown state must consent.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const { config, db } = context.get(applicationContext)
  const ask = config.analytics?.ask ?? 'everywhere'
  if (typeof ask === 'string') return Response.json({ asks: ask === 'everywhere' })
  const { zip } = context.get(visitorContext)
  const place = zip === undefined ? undefined : await findPlace(db, zip)
  return Response.json({ asks: place === undefined || ask.includes(place.state) })
}
