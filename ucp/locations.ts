/** Shops and vans that install tires, as locations. */
import { envelope, error, type Message, type UcpAnswer } from '#ucp/answers.ts'
import type { UcpContext } from '#ucp/context.ts'
import { extensionVersions } from '#ucp/extensions.ts'
import { locationLookupInput, locationSearchInput, read } from '#ucp/input.ts'
import { paths } from '#content/paths.ts'
import { findShop, findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import type { Shop as Installer } from '#domain/scheduling/installers/installers.ts'
import { zipMessages } from '#content/messages/places.ts'

const [usualLimit, mostListed] = [10, 25]
const metersPerMile = 1_609.344

/** Returns a shop's ID as a destination. It is the code in its URL. */
export const locationId = ({ code }: Pick<Installer, 'code'>): string => code

/** Returns the shop with this ID. */
export async function findLocation({ app }: UcpContext, id: string): Promise<Installer | undefined> {
  return /^[A-Za-z0-9-]{1,20}$/.test(id) ? findShop(app, { code: id.toUpperCase() }) : undefined
}

export async function searchLocations(context: UcpContext, input: unknown): Promise<UcpAnswer> {
  const asked = read(locationSearchInput, input)
  const zip = /\b\d{5}\b/.exec(asked.context?.postal_code ?? asked.query ?? '')?.[0]
  if (zip === undefined)
    return answered(
      context,
      [],
      [error('postal_code_required', 'Send context.postal_code: five digits.', 'recoverable', '$.context.postal_code')],
    )
  const limit = Math.min(asked.pagination?.limit ?? usualLimit, mostListed)
  const near = await findShopsNear(context.app, { near: { zip }, limit })
  if (!near.ok) return answered(context, [], [error('postal_code_unknown', zipMessages[near.reason], 'recoverable')])
  const locations = near.value.map((found) => ({
    ...locationView(context, found),
    distance: { value: Math.round(found.miles * metersPerMile), unit: 'm' },
  }))
  return answered(context, locations, [])
}

export async function lookupLocations(context: UcpContext, input: unknown): Promise<UcpAnswer> {
  const { ids } = read(locationLookupInput, input)
  const found = await Promise.all([...new Set(ids)].map((id) => findLocation(context, id)))
  const locations = found.flatMap((each) => (each ? [locationView(context, each)] : []))
  const known = new Set(locations.map(({ id }) => id))
  const missing = ids
    .filter((id) => !known.has(id.toUpperCase()))
    .map((id): Message => ({ type: 'info', code: 'not_found', content: `${id} isn’t one of our shops.` }))
  return answered(context, locations, missing)
}

function answered(context: UcpContext, locations: readonly object[], messages: readonly Message[]): UcpAnswer {
  return {
    status: 200,
    body: {
      ucp: envelope(context, extensionVersions(context)),
      locations,
      pagination: { has_next_page: false },
      messages,
    },
  }
}

/** A van's base is private, so only its town is shown. */
export function addressOf({ kind, street, city, state, zip }: Installer): Record<string, string> {
  return {
    ...(kind === 'van' ? {} : { street_address: street }),
    address_locality: city,
    address_region: state,
    postal_code: zip,
    address_country: 'US',
  }
}

function locationView({ app }: UcpContext, found: Installer) {
  const days = ['', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  return {
    id: locationId(found),
    name: found.name,
    address: addressOf(found),
    url: app.config.web.origin + paths.tireShop(found.slug, found.code),
    phone_number: found.phone,
    timezone: found.timeZone,
    hours: found.hours.map(({ weekday, opens, closes }) => ({
      day: days[weekday],
      opens: clock(opens),
      closes: clock(closes),
    })),
  }
}

function clock(minutes: number): string {
  return `${String(Math.trunc(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
