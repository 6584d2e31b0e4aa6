/** Shop and van profiles, which staff create and change, with coordinates and audit entries. */
import { createHash } from 'node:crypto'
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import {
  addNewShop,
  listMembers,
  lockShopRecord,
  selectShopRecord,
  updateShopProfile,
  type ProfileRequest,
  type ShopPlace,
  type ShopProfile,
  type ShopRecord,
} from '#domain/scheduling/installers/installers.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { listOfficeAppointments } from '#domain/ordering/orders/orders.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { recordAct, requirePermission, type Actor, type Recorded } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { NewShopDraft, ProfileDraft } from './profile-form.ts'
import { servicesText } from './shops.ts'

type Deps = { db: Database; clock: Clock }
/** `zone-moves`: appointments ahead were agreed on the clock of the old address. */
export type PlaceRefusal = Refused<'zip-unknown'> | Refused<'zone-moves'>
export type ProfileRefusal = PlaceRefusal | Refused<'gone'> | Refused<'changed-meanwhile'> | Refused<'kind-fixed'>

/** Returns a shop or van in any state by code; undefined if it doesn't exist. */
export function findShopRecord({ db }: Pick<Deps, 'db'>, code: string): Promise<ShopRecord | undefined> {
  return selectShopRecord(db, { code })
}

/** Names a request as a page showed it. */
export function seenRequest({
  name,
  street,
  city,
  zip,
}: Pick<ProfileRequest, 'name' | 'street' | 'city' | 'zip'>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, street, city, zip]))
    .digest('base64url')
    .slice(0, 22)
}

/**
 * Adds a shop or van in set-up, as approving an application does, and invites its owner by email. Returns its code.
 * Refuses `not-allowed`, and `zip-unknown` for a ZIP without a place on the map.
 */
export function addShop(
  { db, clock }: Deps,
  by: Actor,
  draft: NewShopDraft,
): Promise<Outcome<{ code: string }, Refused<'not-allowed'> | Refused<'zip-unknown'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'shops.edit', at)
    return permitted.ok ? addWithin(tx, by, draft, at) : permitted
  })
}

/** Does the same in the transaction of a permitted actor. */
export async function addWithin(
  tx: Tx,
  by: Actor,
  draft: NewShopDraft,
  at: Temporal.Instant,
): Promise<Outcome<{ code: string }, Refused<'zip-unknown'>>> {
  const place = await placeOfZip(tx, draft.zip)
  if (!place) return refused('zip-unknown')
  const { ownerName, ownerEmail, kind, name, street, city, zip, phone, website } = draft
  const shopId = await addNewShop(tx, {
    name,
    kind,
    street,
    city,
    zip,
    phone,
    website,
    ...place,
    services: kind === 'van' ? ['mobile-van'] : [],
    takesRunFlat: false,
    takesLightTruck: false,
    hours: [],
    members: [{ email: ownerEmail, name: ownerName, role: 'owner' }],
    by: by.name,
    at,
  })
  for (const { id, email: to } of await listMembers(tx, shopId))
    await queueMessage(tx, { kind: 'shop-invitation', key: `shop-invitation:${id}`, to, orderId: null, at })
  const made = await selectShopRecord(tx, { id: shopId })
  if (!made) throw new Error('A shop was not made.')
  await recordAct(tx, {
    by,
    act: 'shop.added',
    subject: made.code,
    after: { name, kind, street, city, zip, owner: ownerEmail },
    at,
  })
  return ok({ code: made.code })
}

/**
 * Changes a shop or van profile; pages update within a second. Refuses with `not-allowed`, `gone`, `changed-meanwhile`
 * for an outdated form, `kind-fixed` for a change between shop and van, and the address errors in `PlaceRefusal`.
 */
export function changeShop(
  { db, clock }: Deps,
  by: Actor,
  code: string,
  draft: ProfileDraft,
): Promise<Outcome<null, ProfileRefusal | Refused<'not-allowed'>>> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'shops.edit', clock.now())
    return permitted.ok ? changeWithin(tx, { by, clock }, code, draft) : permitted
  })
}

/** Does the same in the transaction of a permitted actor. */
export async function changeWithin(
  tx: Tx,
  { by, clock }: { by: Actor; clock: Clock },
  code: string,
  draft: ProfileDraft,
): Promise<Outcome<null, ProfileRefusal>> {
  const at = clock.now()
  const before = await lockShopRecord(tx, { code })
  if (!before) return refused('gone')
  if (before.version !== draft.version) return refused('changed-meanwhile')
  if (before.kind !== draft.kind) return refused('kind-fixed')
  const place = await newPlace(tx, { clock, before, zip: draft.zip })
  if (!place.ok) return place
  const profile = profileOf(draft)
  await updateShopProfile(tx, before.id, profile, place.value)
  const { was, is } = differences(before, profile)
  if (Object.keys(is).length > 0)
    await recordAct(tx, { by, act: 'shop.changed', subject: code, before: was, after: is, at })
  await announceCatalogChange(tx)
  return ok(null)
}

/** The profile in a form. */
export function profileOf({ kind: _kind, version: _version, ...profile }: ProfileDraft): ShopProfile {
  return profile
}

/**
 * Returns a locked shop's new location for a new ZIP code; null if the ZIP code is unchanged, so that its coordinates
 * stay.
 */
export async function newPlace(
  tx: Tx,
  { clock, before, zip }: { clock: Clock; before: ShopRecord; zip: string },
): Promise<Outcome<ShopPlace | null, PlaceRefusal>> {
  if (zip === before.zip) return ok(null)
  const place = await placeOfZip(tx, zip)
  if (!place) return refused('zip-unknown')
  if (place.timeZone !== before.timeZone) {
    const query = { view: 'ahead', from: clock.now(), until: null, shopIds: [before.id] } as const
    const { appointments } = await listOfficeAppointments({ db: tx }, query, { after: null, limit: 1 })
    if (appointments.length > 0) return refused('zone-moves')
  }
  return ok(place)
}

async function placeOfZip(tx: Tx, zip: string): Promise<ShopPlace | undefined> {
  const place = await findPlace(tx, zip)
  if (!place?.timeZone || place.latitude === null || place.longitude === null) return undefined
  const { state, timeZone, latitude, longitude } = place
  return { state, timeZone, latitude, longitude }
}

/** The fields that differ, as the audit log has them. */
export function differences(before: ShopProfile, after: ShopProfile): { was: Recorded; is: Recorded } {
  const [old, now] = [recorded(before), recorded(after)]
  const isOther = (name: string) => old[name as keyof typeof old] !== now[name as keyof typeof now]
  const only = (from: Recorded): Recorded => Object.fromEntries(Object.entries(from).filter(([name]) => isOther(name)))
  return { was: only(old), is: only(now) }
}

function recorded(profile: ShopProfile) {
  const { name, street, city, zip, phone, email, website, about } = profile
  const { rimMinIn, rimMaxIn, aspectMin, receivingMinutes } = profile
  return {
    name,
    street,
    city,
    zip,
    phone: phone.replaceAll(/\D/g, ''),
    email,
    website,
    about: about === null ? null : about.slice(0, 300),
    services: servicesText(profile.services),
    amenities: profile.amenities.join(', '),
    rimMinIn,
    rimMaxIn,
    aspectMin,
    receivingMinutes,
  }
}
