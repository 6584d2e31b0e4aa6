/** Endpoint management for company owners, partners with a widget, and the store (store-endpoints.server.ts). */
import { companyCan } from '#domain/customers/companies/companies.ts'
import { findMembership } from '#domain/customers/companies/companies.server.ts'
import { findOwnWidget } from '#domain/customers/programs/programs.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { inTransaction, violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { buryWaiting, countTests, insertTest, lockDelivery, selectDeliveries, wake } from './deliveries.sql.server.ts'
import {
  insertEndpoint,
  selectEndpoint,
  selectEndpoints,
  updateEndpoint,
  type Endpoint,
  type EndpointChange,
} from './endpoints.sql.server.ts'
import { secretOf } from './secrets.server.ts'
import { mostEndpoints, mostStoreEndpoints, storeTypeNames, type StoreType, type WebhookOwner } from './webhooks.ts'

type Deps = { db: Database; clock: Clock }
type Secrets = { config: { session: Pick<Config['session'], 'secret'> } }
export type WebhookPerson = { accountId: string; email: string | null; isEmailVerified: boolean }
/**
 * Staff or a program with a permission that was checked in the transaction. Only store-endpoints.server.ts creates it.
 */
export type StoreManager = { readonly manages: 'store' }
type Manager = WebhookPerson | StoreManager
export type NotAllowed = Refused<'not-allowed'>
export type NotKnown = Refused<'not-known'>
export type AddressRefusal = Refused<'bad-address'> | Refused<'not-https'> | Refused<'private-address'>

/**
 * Returns the owners that a person can manage endpoints for (their approved company and their widget, or the store).
 */
export async function webhookOwnersOf(
  { db, clock }: Deps,
  person: Manager,
): Promise<(WebhookOwner & { name: string })[]> {
  if ('manages' in person) return [{ kind: 'store', name: 'The store' }]
  const membership = await findMembership({ db }, person.accountId)
  const widget = await findOwnWidget({ db, clock }, person)
  const isOwner = membership?.company.state === 'approved' && companyCan(membership.role, 'manage')
  return [
    ...(membership && isOwner
      ? [{ kind: 'company' as const, companyId: membership.company.id, name: membership.company.name }]
      : []),
    ...(widget ? [{ kind: 'partner' as const, widgetId: widget.id, name: widget.name }] : []),
  ]
}

/** Lists all endpoints a person can manage; null if they can't have any. */
export async function listWebhookEndpoints({ db, clock }: Deps, person: Manager): Promise<Endpoint[] | null> {
  const owners = await webhookOwnersOf({ db, clock }, person)
  if (owners.length === 0) return null
  const found: Endpoint[] = []
  for (const owner of owners) found.push(...(await selectEndpoints(db, owner)))
  return found
}

/** An endpoint that a person may manage; undefined for any other. */
export async function findWebhookEndpoint(
  { db, clock }: Deps,
  person: Manager,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<Endpoint | undefined> {
  if (!isId(id)) return undefined
  const endpoint = await selectEndpoint(db, id, { isLocked })
  if (!endpoint) return undefined
  const owners = await webhookOwnersOf({ db, clock }, person)
  return owners.some((owner) => isSame(owner, endpoint.owner)) ? endpoint : undefined
}

function isSame(one: WebhookOwner, other: WebhookOwner): boolean {
  if (one.kind === 'store') return other.kind === 'store'
  return one.kind === 'company'
    ? other.kind === 'company' && one.companyId === other.companyId
    : other.kind === 'partner' && one.widgetId === other.widgetId
}

/** The address as it is kept; why it is refused otherwise. */
function readAddress(outgoing: Outgoing, typed: string): { ok: true; url: string } | AddressRefusal {
  const url = URL.parse(typed.trim())
  if (!url) return refused('bad-address')
  url.hash = ''
  const fault = url.href.length > 500 ? 'bad-address' : outgoing.refuse(url.href)
  return fault ? refused(fault) : { ok: true, url: url.href }
}

/** Adds an endpoint. The response excludes its secret, which `showWebhookSecret` reveals once. */
export async function addWebhookEndpoint(
  { db, clock, outgoing }: Deps & { outgoing: Outgoing },
  person: Manager,
  asked: { owner: WebhookOwner['kind']; url: string; types: readonly StoreType[] },
): Promise<Outcome<{ id: string }, NotAllowed | AddressRefusal | Refused<'known'> | Refused<'too-many'>>> {
  const address = readAddress(outgoing, asked.url)
  if (!address.ok) return address
  const id = newId()
  const at = clock.now()
  try {
    return await inTransaction(db, async (tx) => {
      const owner = (await webhookOwnersOf({ db: tx, clock }, person)).find(({ kind }) => kind === asked.owner)
      if (!owner) return refused('not-allowed')
      const present = await selectEndpoints(tx, owner)
      if (present.some(({ url }) => url === address.url)) return refused('known')
      if (present.length >= (owner.kind === 'store' ? mostStoreEndpoints : mostEndpoints)) return refused('too-many')
      await insertEndpoint(tx, { id, owner, url: address.url, types: typesOf(asked.types), at })
      return ok({ id })
    })
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('webhook_endpoint_of_') === true) return refused('known')
    throw error
  }
}

/** In the order of the list, each once. */
function typesOf(types: readonly StoreType[]): StoreType[] {
  return storeTypeNames.filter((name) => types.includes(name))
}

/** Changes an endpoint's URL, event types and paused state. Pausing turns pending deliveries into dead letters. */
export async function changeWebhookEndpoint(
  { db, clock, outgoing }: Deps & { outgoing: Outgoing },
  person: Manager,
  id: string,
  asked: { url?: string | undefined; types?: readonly StoreType[] | undefined; isPaused?: boolean | undefined },
): Promise<Outcome<Endpoint, NotKnown | AddressRefusal | Refused<'known'>>> {
  const address = asked.url === undefined ? null : readAddress(outgoing, asked.url)
  if (address && !address.ok) return address
  const at = clock.now()
  try {
    return await inTransaction(db, async (tx) => {
      const endpoint = await findWebhookEndpoint({ db: tx, clock }, person, id, { isLocked: true })
      if (!endpoint) return refused('not-known')
      const change: EndpointChange = {
        ...(address && { url: address.url }),
        ...(asked.types && { event_types: typesOf(asked.types) }),
        ...pauseChange(endpoint, asked.isPaused),
      }
      await updateEndpoint(tx, id, change, at)
      if (change.state === 'paused') await buryWaiting(tx, { endpointId: id, fault: 'paused', at })
      const after = await selectEndpoint(tx, id)
      return after ? ok(after) : refused('not-known')
    })
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('webhook_endpoint_of_') === true) return refused('known')
    throw error
  }
}

function pauseChange({ state }: Endpoint, isPaused: boolean | undefined): EndpointChange {
  if (isPaused === undefined || isPaused === (state === 'paused')) return {}
  return isPaused
    ? { state: 'paused', paused_because: 'owner' }
    : { state: 'active', paused_because: null, failing_since: null }
}

/** Removes an endpoint. Pending deliveries aren't sent. */
export function removeWebhookEndpoint(
  { db, clock }: Deps,
  person: Manager,
  id: string,
): Promise<Outcome<null, NotKnown>> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const endpoint = await findWebhookEndpoint({ db: tx, clock }, person, id, { isLocked: true })
    if (!endpoint) return refused('not-known')
    await updateEndpoint(tx, id, { state: 'removed', paused_because: null }, at)
    await buryWaiting(tx, { endpointId: id, fault: 'removed', at })
    return ok(null)
  })
}

/** Reveals an endpoint's secret, once. */
export function showWebhookSecret(
  { db, clock, config }: Deps & Secrets,
  person: Manager,
  id: string,
): Promise<Outcome<{ secret: string }, NotKnown | Refused<'shown-already'>>> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const endpoint = await findWebhookEndpoint({ db: tx, clock }, person, id, { isLocked: true })
    if (!endpoint) return refused('not-known')
    if (endpoint.secretShownAt !== null) return refused('shown-already')
    await updateEndpoint(tx, id, { secret_shown_at: at }, at)
    return ok({ secret: secretOf(config.session.secret, id, endpoint.secretNo) })
  })
}

/** Rotates an endpoint's secret, to be revealed once. The previous one also signs for a day. */
export function rotateWebhookSecret(
  { db, clock }: Deps,
  person: Manager,
  id: string,
): Promise<Outcome<null, NotKnown>> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const endpoint = await findWebhookEndpoint({ db: tx, clock }, person, id, { isLocked: true })
    if (!endpoint) return refused('not-known')
    // Repeated before it was revealed, so there is only one new secret.
    if (endpoint.secretShownAt === null) return ok(null)
    await updateEndpoint(tx, id, { secret_no: endpoint.secretNo + 1, rotated_at: at, secret_shown_at: null }, at)
    return ok(null)
  })
}

/** Test events per endpoint and hour. */
const testsPerHour = 30

/** Sends an event without an order to an endpoint. */
export function testWebhookEndpoint(
  { db, clock }: Deps,
  person: Manager,
  id: string,
): Promise<Outcome<null, NotKnown | Refused<'paused'> | Refused<'too-many-tests'>>> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const endpoint = await findWebhookEndpoint({ db: tx, clock }, person, id, { isLocked: true })
    if (!endpoint) return refused('not-known')
    if (endpoint.state === 'paused') return refused('paused')
    if ((await countTests(tx, id, at.subtract({ hours: 1 }))) >= testsPerHour) return refused('too-many-tests')
    await insertTest(tx, id, at)
    await wakeWorker(tx)
    return ok(null)
  })
}

/** Queues the job that sends pending deliveries. */
export function wakeWorker(tx: Tx): Promise<void> {
  return enqueue(tx, 'deliver-webhooks', {}, { key: 'deliver-webhooks' })
}

const deliveriesPerPage = 50

/** A page of an endpoint's deliveries, newest first; undefined for an endpoint of others. */
export async function listWebhookDeliveries(deps: Deps, person: Manager, id: string, before: number | null = null) {
  const endpoint = await findWebhookEndpoint(deps, person, id)
  if (!endpoint) return undefined
  const found = await selectDeliveries(deps.db, id, { before, limit: deliveriesPerPage + 1 })
  const deliveries = found.slice(0, deliveriesPerPage)
  return { endpoint, deliveries, next: found.length > deliveriesPerPage ? (deliveries.at(-1)?.id ?? null) : null }
}

/** Sends dead letters of an endpoint again: one, or all. */
export function replayWebhooks(
  { db, clock }: Deps,
  person: Manager,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: number | null },
): Promise<Outcome<{ count: number }, NotKnown | Refused<'paused'> | Refused<'not-dead'>>> {
  return inTransaction(db, async (tx) => {
    const endpoint = await findWebhookEndpoint({ db: tx, clock }, person, endpointId, { isLocked: true })
    if (!endpoint) return refused('not-known')
    if (endpoint.state === 'paused') return refused('paused')
    if (deliveryId !== null) {
      const delivery = await lockDelivery(tx, deliveryId)
      if (delivery?.endpointId !== endpointId) return refused('not-known')
      if (delivery.state !== 'dead') return refused('not-dead')
    }
    const count = await wake(tx, deliveryId === null ? { endpointId } : { deliveryId }, clock.now())
    await wakeWorker(tx)
    return ok({ count })
  })
}
