/**
 * Branded stores: a shop's owner makes one, the office switches it on, and visits, carts and orders that name it get
 * it. What was sold there stays sold there.
 */
import { randomBytes } from 'node:crypto'
import { requireShopMember, type PortalActor } from '#domain/portal/portal.server.ts'
import { keepLogo } from '#domain/settings/settings.server.ts'
import { longestRefusal } from '#domain/staff/staff.ts'
import { recordAct, requirePermission, type Actor } from '#domain/staff/staff.server.ts'
import { readPicture, type FileRefusal } from '#domain/files/files.server.ts'
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

/** The store of a shop as its owner sees it; undefined if it has none. */
export function readOwnStore({ db }: Pick<Deps, 'db'>, shopId: number): Promise<KeptStore | undefined> {
  return selectStore(db, shopId)
}

/** Where a store stands. */
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
 * Saves what a shop makes of its store. Another name, line, logo or dealer code waits for the office again: what it
 * looked at is what shoppers see. Refuses `stale` when the store was saved meanwhile, and `code-taken`.
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
): Promise<Outcome<{ waits: boolean }, Refused<'stale'>>> {
  const { seen, removeLogo, ...content } = input
  const now = await lockStore(tx, shopId)
  if (seen !== (now ? now.version : 0)) return refused('stale')
  const kept = now && removeLogo !== 'yes' ? now.logo : null
  const logo = newLogo ?? kept
  const isOtherHost = content.hostName !== (now?.hostName ?? null)
  const hostKey = isOtherHost ? (content.hostName === null ? null : newHostKey()) : (now?.hostKey ?? null)
  const wanted = { ...content, shopId, logo, hostKey, savedBy, at }
  if (!now) return (await insertStore(tx, wanted)) ? ok({ waits: true }) : refused('stale')
  const isNews = (['name', 'tagline', 'logo', 'dealerCode'] as const).some((part) => wanted[part] !== now[part])
  await updateStore(tx, { ...wanted, isNews, isOtherHost })
  return ok({ waits: isNews || storeStateOf(now) === 'waiting' })
}

/** What the shop's domain has to say, so that nobody points at a store with a name of others. */
function newHostKey(): string {
  return randomBytes(16).toString('base64url')
}

const storesPerPage = 50

/** Lists a page of stores in a state; `next` is the shop that the page after it lies below. */
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
 * Switches a store on, or off with a reason that its shop reads. `seen` is the version that was looked at: a store that
 * its shop changed meanwhile is looked at again. Asked again, nothing changes.
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
