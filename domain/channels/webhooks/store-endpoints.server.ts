/**
 * Endpoints of the store, managed by staff in the back office and by programs through the admin API. Each change checks
 * the permission and is recorded in its transaction. Staff need a recent sign-in to change event types or URLs.
 */
import { recordAct, requireFreshPermission, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { inTransaction, type Database } from '#platform/db.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  replayWebhooks,
  rotateWebhookSecret,
  showWebhookSecret,
  testWebhookEndpoint,
  type AddressRefusal,
  type NotKnown,
  type StoreManager,
} from './endpoints.server.ts'
import type { Endpoint } from './endpoints.sql.server.ts'
import type { StoreType } from './webhooks.ts'

type Deps = { db: Database; clock: Clock }
type Reaching = Deps & { outgoing: Outgoing }
type Denied = Refused<'not-allowed'> | Refused<'not-fresh'>

const store: StoreManager = { manages: 'store' }

/** The store's endpoints that were not removed, oldest first. */
export async function listStoreWebhooks(deps: Deps): Promise<Endpoint[]> {
  return (await listWebhookEndpoints(deps, store)) ?? []
}

/** An endpoint of the store; undefined for any other id. */
export function findStoreWebhook(deps: Deps, id: string): Promise<Endpoint | undefined> {
  return findWebhookEndpoint(deps, store, id)
}

/** A page of deliveries of an endpoint of the store, those before `before`, newest first; undefined for any other id. */
export function listStoreDeliveries(deps: Deps, id: string, before: number | null = null) {
  return listWebhookDeliveries(deps, store, id, before)
}

/**
 * Adds an endpoint of the store and returns its id. Its secret is revealed once by `showStoreSecret`. Refuses addresses
 * that may not be called, `known` for the address of another one, and `too-many`.
 */
export function addStoreWebhook(
  deps: Reaching,
  by: Actor,
  asked: { url: string; types: readonly StoreType[] },
): Promise<Outcome<{ id: string }, Denied | AddressRefusal | Refused<'known'> | Refused<'too-many'>>> {
  return manage(deps, by, { act: 'webhook.added', idOf: ({ id }) => id, isSensitive: true }, (within) =>
    addWebhookEndpoint(within, store, { owner: 'store', ...asked }),
  )
}

/** Changes the URL, the event types and whether an endpoint of the store is paused. Refuses `not-known`. */
export function changeStoreWebhook(
  deps: Reaching,
  by: Actor,
  id: string,
  asked: { url?: string | undefined; types?: readonly StoreType[] | undefined; isPaused?: boolean | undefined },
): Promise<Outcome<Endpoint, Denied | NotKnown | AddressRefusal | Refused<'known'>>> {
  const isSensitive = asked.url !== undefined || asked.types !== undefined
  return manage(deps, by, { act: 'webhook.changed', id, isSensitive }, (within) =>
    changeWebhookEndpoint(within, store, id, asked),
  )
}

/** Removes an endpoint of the store. Pending deliveries aren't sent. */
export function removeStoreWebhook(deps: Deps, by: Actor, id: string): Promise<Outcome<null, Denied | NotKnown>> {
  return manage(deps, by, { act: 'webhook.removed', id, isSensitive: true }, (within) =>
    removeWebhookEndpoint(within, store, id),
  )
}

/** Reveals a store endpoint's secret, once. */
export function showStoreSecret(
  deps: Deps & { config: { session: Pick<Config['session'], 'secret'> } },
  by: Actor,
  id: string,
): Promise<Outcome<{ secret: string }, Denied | NotKnown | Refused<'shown-already'>>> {
  return manage(deps, by, { act: 'webhook.secret-shown', id, isSensitive: true }, (within) =>
    showWebhookSecret(within, store, id),
  )
}

/** Rotates a store endpoint's secret. The previous secret also signs for a day. */
export function rotateStoreSecret(deps: Deps, by: Actor, id: string): Promise<Outcome<null, Denied | NotKnown>> {
  return manage(deps, by, { act: 'webhook.secret-rotated', id, isSensitive: true }, (within) =>
    rotateWebhookSecret(within, store, id),
  )
}

/** Sends a test event to an endpoint of the store. Refuses `paused` and `too-many-tests`. */
export function testStoreWebhook(
  deps: Deps,
  by: Actor,
  id: string,
): Promise<Outcome<null, Denied | NotKnown | Refused<'paused'> | Refused<'too-many-tests'>>> {
  return manage(deps, by, { act: 'webhook.tested', id }, (within) => testWebhookEndpoint(within, store, id))
}

/** Resends one dead letter of a store endpoint, or all with null. Returns how many. */
export function replayStoreWebhooks(
  deps: Deps,
  by: Actor,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: number | null },
): Promise<Outcome<{ count: number }, Denied | NotKnown | Refused<'paused'> | Refused<'not-dead'>>> {
  return manage(deps, by, { act: 'webhook.replayed', id: endpointId }, (within) =>
    replayWebhooks(within, store, { endpointId, deliveryId }),
  )
}

type Managed<Value> = {
  act: StoreWebhookAct
  /** Whether staff need a recent sign-in. */
  isSensitive?: boolean
} & ({ id: string } | { idOf: (value: Value) => string })

type StoreWebhookAct =
  | 'webhook.added'
  | 'webhook.changed'
  | 'webhook.removed'
  | 'webhook.secret-shown'
  | 'webhook.secret-rotated'
  | 'webhook.tested'
  | 'webhook.replayed'

/** Checks the permission, does the work, and records it, in one transaction. */
function manage<Of extends Deps, Value, Refusal extends Refused<string>>(
  deps: Of,
  by: Actor,
  { act, isSensitive = false, ...subject }: Managed<Value>,
  work: (within: Of) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal | Denied>> {
  return inTransaction(deps.db, async (tx): Promise<Outcome<Value, Refusal | Denied>> => {
    const at = deps.clock.now()
    const permitted = await (isSensitive && by.via === 'office' ? requireFreshPermission : requirePermission)(
      tx,
      by,
      'webhooks.manage',
      at,
    )
    if (!permitted.ok) return permitted
    const within = { ...deps, db: tx }
    const before =
      'id' in subject ? await findWebhookEndpoint(within, store, subject.id, { isLocked: true }) : undefined
    const outcome = await work(within)
    if (!outcome.ok) return outcome
    const id = 'id' in subject ? subject.id : subject.idOf(outcome.value)
    const after = await findWebhookEndpoint(within, store, id)
    await recordAct(tx, {
      by,
      act,
      subject: ((after ?? before)?.url ?? id).slice(0, 254),
      before: before && recorded(before),
      after: after && recorded(after),
      at,
    })
    return outcome
  })
}

function recorded({ url, types, state, secretNo }: Endpoint) {
  return { url, types: types.join(' '), state, secretNo }
}
