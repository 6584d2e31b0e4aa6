/** A mobile installer's service area as plain text. */
import { outsideAreaMessage } from '#content/messages/booking.ts'
import type { FormReply } from '#app/forms/form.ts'
import { checkAskedZip, zipRefused } from '#app/routes/shops/asked-zip.server.ts'
import { countOf } from '#platform/count-text.ts'
import { listVanTowns, vanServes } from '#domain/scheduling/installers/installers.server.ts'
import { type Shop, type VanTown } from '#domain/scheduling/installers/installers.ts'
import { findServedPlace } from '#domain/kernel/places/places.server.ts'
import type { Application as Store } from '#application'

export type VanArea = {
  /** The ZIP in the address; `reply` has the error if it is invalid. */
  asked: string | null
  reply: FormReply | null
  answer: VanAnswer | null
  /** Those with the most ZIPs of the area. */
  towns: VanTown[]
  comesTo: string
}
export type VanAnswer = { zip: string; comes: boolean; text: string }
type Van = Pick<Shop, 'id' | 'name'>

const townsNamed = 12

/**
 * Returns a van's towns, and whether it serves the ZIP in the address or else the shopper's `known` one. One query,
 * three with a ZIP.
 */
export async function readVanArea(
  store: Store,
  van: Van,
  { asked, known }: { asked: string | null; known: string | undefined },
): Promise<VanArea> {
  const [towns, { answer = null, reply = null }] = await Promise.all([
    listVanTowns(store, van.id),
    answerFor(store, van, asked ?? known),
  ])
  // A saved ZIP was not typed here, so it gets no error message.
  return {
    asked,
    reply: asked === null ? null : reply,
    answer,
    towns: towns.slice(0, townsNamed),
    comesTo: comesToText(towns),
  }
}

async function answerFor(
  store: Store,
  { id, name }: Van,
  typed: string | undefined,
): Promise<{ answer?: VanAnswer; reply?: FormReply }> {
  if (typed === undefined) return {}
  const checked = checkAskedZip(typed)
  if (!checked.ok) return { reply: checked.reply }
  const { zip } = checked.value
  const [place, comes] = await Promise.all([findServedPlace(store.db, zip), vanServes(store, { shopId: id, zip })])
  if (!place.ok) return { reply: zipRefused(zip, place) }
  const where = `${place.value.city}, ${place.value.state} ${zip}`
  return { answer: { zip, comes, text: comes ? `Yes, ${name} comes to ${where}.` : outsideAreaMessage } }
}

/** "It comes to 41 ZIPs: in Chicago, IL; Evanston, IL; and 5 more towns. …" */
function comesToText(towns: readonly VanTown[]): string {
  const zips = towns.reduce((sum, { zipCount }) => sum + zipCount, 0)
  if (zips === 0) return 'It currently comes to no ZIP.'
  const named = towns.slice(0, townsNamed).map(({ city, state }) => `${city}, ${state}`)
  const more = towns.length - named.length
  const all = more > 0 ? [...named, `and ${countOf(more, 'more town')}`] : named
  return `It serves ${countOf(zips, 'ZIP')} in ${all.join('; ')}. It may not cover the whole town, so check your ZIP.`
}
