/** Shop owners edit their profile. A new name or address takes effect after staff approval. */
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import {
  deleteProfileRequest,
  insertShopEvent,
  lockShopRecord,
  putProfileRequest,
  selectProfileRequests,
  staffMemberId,
  updateShopProfile,
  type ProfileRequest,
} from '#domain/scheduling/installers/installers.server.ts'
import { requireShopMember, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import { changeText, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  differences,
  newPlace,
  profileOf,
  seenRequest,
  type PlaceRefusal,
  type ProfileRefusal,
} from './profiles.server.ts'
import type { ProfileDraft } from './profile-form.ts'

type Deps = { db: Database; clock: Clock }

/** Lists the names and addresses that wait for staff, oldest first. */
export function listProfileRequests({ db }: Pick<Deps, 'db'>, limit: number): Promise<ProfileRequest[]> {
  return selectProfileRequests(db, { limit })
}

/** Returns the owner's requested name and address; undefined without a pending request. */
export async function readProfileRequest(
  { db }: Pick<Deps, 'db'>,
  shopId: number,
): Promise<ProfileRequest | undefined> {
  return (await selectProfileRequests(db, { shopId, limit: 1 }))[0]
}

/**
 * Saves the profile as entered by the shop's owner. Everything except name and address takes effect immediately. These
 * are queued for staff, replacing an earlier request. Returns whether a request is pending. Refuses as `changeShop`
 * does.
 */
export function saveProfileAsOwner(
  { db, clock }: Deps,
  by: PortalActor,
  draft: ProfileDraft,
): Promise<Outcome<{ isWaiting: boolean }, ProfileRefusal | Refused<'not-allowed'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const member = await requireShopMember(tx, by, 'profile.edit', at)
    if (!member.ok) return member
    const before = await lockShopRecord(tx, { id: by.shopId })
    if (!before) return refused('gone')
    if (before.version !== draft.version) return refused('changed-meanwhile')
    if (before.kind !== draft.kind) return refused('kind-fixed')
    const { memberId } = member.value
    const { shopId } = by
    const asked = profileOf(draft)
    const { name, street, city, zip } = before
    const isWaiting = seenRequest(asked) !== seenRequest(before)
    if (isWaiting) {
      const place = await newPlace(tx, { clock, before, zip: asked.zip })
      if (!place.ok) return place
      await putProfileRequest(tx, { ...asked, shopId, at, memberId })
      const note = `${asked.name}, ${asked.street}, ${asked.city} ${asked.zip}`.slice(0, 200)
      await insertShopEvent(tx, { shopId, memberId, at, act: 'profile-requested', note })
    } else await deleteProfileRequest(tx, shopId)
    const profile = { ...asked, name, street, city, zip }
    const { was, is } = differences(before, profile)
    if (Object.keys(is).length > 0) {
      await updateShopProfile(tx, shopId, profile, null)
      await insertShopEvent(tx, {
        shopId,
        memberId,
        at,
        act: 'profile',
        note: changeText({ before: was, after: is }).slice(0, 200),
      })
      await announceCatalogChange(tx)
    }
    return ok({ isWaiting })
  })
}

/**
 * Approves or declines a shop's new name and address. `seen` identifies the reviewed request. Refuses with `gone`
 * without a pending request, `changed-meanwhile` for a newer request, `no-reason` for declining without a reason, and
 * `not-allowed`.
 */
export function decideProfileRequest(
  { db, clock }: Deps,
  by: Actor,
  { code, isApproved, seen, reason }: { code: string; isApproved: boolean; seen: string; reason: string },
): Promise<
  Outcome<
    null,
    Refused<'not-allowed'> | Refused<'gone'> | Refused<'changed-meanwhile'> | Refused<'no-reason'> | PlaceRefusal
  >
> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'shops.edit', at)
    if (!permitted.ok) return permitted
    if (!isApproved && reason === '') return refused('no-reason')
    const before = await lockShopRecord(tx, { code })
    const [request] = before ? await selectProfileRequests(tx, { shopId: before.id, limit: 1 }) : []
    if (!before || !request) return refused('gone')
    if (seenRequest(request) !== seen) return refused('changed-meanwhile')
    const { name, street, city, zip } = request
    if (isApproved) {
      const place = await newPlace(tx, { clock, before, zip })
      if (!place.ok) return place
      await updateShopProfile(tx, before.id, { ...before, name, street, city, zip }, place.value)
    }
    await deleteProfileRequest(tx, before.id)
    const shopId = before.id
    const memberId = await staffMemberId(tx, { shopId, by, at })
    const act = isApproved ? 'profile-approved' : 'profile-declined'
    const note = (isApproved ? `${name}, ${street}, ${city} ${zip}` : reason).slice(0, 200)
    await insertShopEvent(tx, { shopId, memberId, at, act, note })
    await recordAct(tx, {
      by,
      act: `shop.${act}`,
      subject: code,
      before: { name: before.name, street: before.street, city: before.city, zip: before.zip },
      after: { name, street, city, zip },
      ...(reason !== '' && { reason }),
      at,
    })
    if (isApproved) await announceCatalogChange(tx)
    return ok(null)
  })
}
