/**
 * Branded stores. A shop's owner creates one, the office enables it, and it applies to visits, carts and orders that
 * refer to it. Sales in a branded store remain attributed to it.
 */
import { randomBytes } from 'node:crypto'
import { requireShopMember, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import { keepLogo } from '#domain/kernel/settings/settings.server.ts'
import { longestRefusal } from '#domain/kernel/staff/staff.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { readPicture, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  insertStore,
  lockStore,
  selectShopOfCode,
  selectStore,
  selectStores,
  updateStore,
  updateSwitch,
  type KeptStore,
  type ListedStore,
} from './branded-stores.sql.server.ts'
import type { StoreState } from './branded-stores.ts'
import type { BrandedStoreInput } from './store-form.ts'

export { selectVisitedStore as findBrandedStore, type KeptStore } from './branded-stores.sql.server.ts'

export { hostRecordOf, proveHost, type ProveHostRefusal } from './own-host.server.ts'
export { mailBrandOf } from './mail-brand.server.ts'

type Deps = { db: Database; clock: Clock }

/** Returns a shop's store as its owner sees it; undefined if it doesn't exist. */
export function readOwnStore({ db }: Pick<Deps, 'db'>, shopId: number): Promise<KeptStore | undefined> {
  return selectStore(db, shopId)
}

/** Returns a store's status. */
export function storeStateOf({ switchedOn, decidedAt }: Pick<KeptStore, 'switchedOn' | 'decidedAt'>): StoreState {
  return switchedOn ? 'on' : decidedAt === null ? 'waiting' : 'off'
}

export type SaveStoreRefusal =
  | Refused<'not-allowed'>
  | Refused<'stale'>
  | Refused<'code-taken'>
  | Refused<'not-a-picture'>
  | FileRefusal

/**
 * Saves a shop's store settings. A new name, tagline, logo or dealer code requires another office review, so that
 * shoppers only see reviewed content. Refuses with `stale` if the store was saved since, and with `code-taken`.
 */
export async function saveStore(
  { db, clock }: Deps,
  by: PortalActor,
  { input, file }: { input: BrandedStoreInput; file: { name: string; bytes: Uint8Array } | null },
  signal?: AbortSignal,
): Promise<Outcome<{ waits: boolean }, SaveStoreRefusal>> {
  const logo = file && (await readPicture(file, signal))
  if (logo && !logo.ok) return logo
  try {
    return await db.transaction().execute(async (tx) => {
      const at = clock.now()
      const member = await requireShopMember(tx, by, 'store.edit', at)
      if (!member.ok) return member
      if (logo) await keepLogo(tx, { ...logo.value, at })
      return save(tx, by.shopId, { input, newLogo: logo?.value.key, savedBy: member.value.memberId, at })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'branded_store_dealer_code_key') return refused('code-taken')
    throw error
  }
}

async function save(
  tx: Tx,
  shopId: number,
  {
    input,
    newLogo,
    savedBy,
    at,
  }: { input: BrandedStoreInput; newLogo: string | undefined; savedBy: string; at: Temporal.Instant },
): Promise<Outcome<{ waits: boolean }, Refused<'stale'> | Refused<'code-taken'>>> {
  const { seen, removeLogo, ...content } = input
  const now = await lockStore(tx, shopId)
  if (seen !== (now ? now.version : 0)) return refused('stale')
  const kept = now && removeLogo !== 'yes' ? now.logo : null
  const logo = newLogo ?? kept
  const isOtherHost = content.hostName !== (now?.hostName ?? null)
  const hostKey = isOtherHost ? (content.hostName === null ? null : newHostKey()) : (now?.hostKey ?? null)
  const wanted = { ...content, shopId, logo, hostKey, savedBy, at }
  if (!now) return (await insertStore(tx, wanted)) ? ok({ waits: true }) : whyNotAdded(tx, shopId)
  const isNews = (['name', 'tagline', 'logo', 'dealerCode'] as const).some((part) => wanted[part] !== now[part])
  await updateStore(tx, { ...wanted, isNews, isOtherHost })
  return ok({ waits: isNews || storeStateOf(now) === 'waiting' })
}

/** Returns the reason a new store wasn't added. */
async function whyNotAdded(tx: Tx, shopId: number): Promise<Refused<'stale'> | Refused<'code-taken'>> {
  return refused((await lockStore(tx, shopId)) ? 'stale' : 'code-taken')
}

/** Generates the verification value for the shop's domain, so that a domain can't be claimed by others. */
function newHostKey(): string {
  return randomBytes(16).toString('base64url')
}

const storesPerPage = 50

/** Lists a page of stores by status. `next` is the cursor of the following page. */
export async function listStores(
  { db }: Pick<Deps, 'db'>,
  { state, before }: { state: StoreState; before: number | null },
): Promise<{ stores: ListedStore[]; next: number | null }> {
  const found = await selectStores(db, { state, before, count: storesPerPage + 1 })
  const stores = found.slice(0, storesPerPage)
  return { stores, next: found.length > stores.length ? (stores.at(-1)?.shopId ?? null) : null }
}

export type SwitchRefusal =
  | Refused<'not-allowed'>
  | Refused<'no-store'>
  | Refused<'changed-meanwhile'>
  | Refused<'shop-not-offered'>
  | Refused<'no-reason'>

/**
 * Enables a store, or disables it with a reason for its shop. `seen` is the reviewed version; a store that changed
 * since must be reviewed again. Idempotent.
 */
export async function switchStore(
  { db, clock }: Deps,
  { shopCode, seen, offReason, by }: { shopCode: string; seen: number; offReason: string | null; by: Actor },
): Promise<Outcome<void, SwitchRefusal>> {
  const reason = offReason?.trim() ?? null
  if (reason !== null && (reason.length === 0 || reason.length > longestRefusal)) return refused('no-reason')
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'branded-stores.decide', at)
    if (!permitted.ok) return permitted
    const found = await selectShopOfCode(tx, shopCode)
    const store = found && (await lockStore(tx, found.shopId))
    if (!found || !store) return refused('no-store')
    if (store.version !== seen) return refused('changed-meanwhile')
    if (reason === null && !found.isOffered) return refused('shop-not-offered')
    if (store.switchedOn === (reason === null) && store.decidedAt !== null) return ok(undefined)
    await updateSwitch(tx, store.shopId, { offReason: reason, by: by.name, at })
    await recordAct(tx, {
      by,
      act: reason === null ? 'branded-store.switched-on' : 'branded-store.switched-off',
      subject: shopCode,
      after: { name: store.name, dealerCode: store.dealerCode },
      ...(reason !== null && { reason }),
      at,
    })
    return ok(undefined)
  })
}
