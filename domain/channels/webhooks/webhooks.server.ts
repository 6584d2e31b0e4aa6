/** Outgoing webhooks, with endpoints of companies, partners and the store, and their deliveries. */
import { officePaths } from '#content/office-paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { listWidgets } from '#domain/customers/programs/programs.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { deleteOldEvents, lockDelivery, selectDeadLetters, wake, type DeadLetter } from './deliveries.sql.server.ts'
import { wakeWorker } from './endpoints.server.ts'
import { selectEndpoint } from './endpoints.sql.server.ts'
import { pauseWords } from './webhooks.ts'

export { deliverWebhooks, type RenderWebhook } from './deliver.server.ts'
export { countDeadDeliveries, type ClaimedDelivery, type Delivery } from './deliveries.sql.server.ts'
export {
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
  webhookOwnersOf,
} from './endpoints.server.ts'
export {
  addStoreWebhook,
  changeStoreWebhook,
  findStoreWebhook,
  listStoreDeliveries,
  listStoreWebhooks,
  removeStoreWebhook,
  replayStoreWebhooks,
  rotateStoreSecret,
  showStoreSecret,
  testStoreWebhook,
} from './store-endpoints.server.ts'
export type { Endpoint } from './endpoints.sql.server.ts'

type Deps = { db: Database; clock: Clock }

const lettersPerPage = 50

/** A page of dead letters for the office, newest first. */
export async function listDeadLetters(
  { db }: Pick<Deps, 'db'>,
  before: number | null,
): Promise<{ letters: (DeadLetter & { ownerName: string })[]; next: number | null }> {
  const found = await selectDeadLetters(db, { before, limit: lettersPerPage + 1 })
  const widgets = found.some(({ widgetId }) => widgetId !== null) ? await listWidgets({ db }) : []
  const names = new Map(widgets.map(({ id, name }) => [id, name]))
  const letters = found.slice(0, lettersPerPage).map((letter) => ({
    ...letter,
    ownerName:
      letter.companyName ??
      (letter.widgetId === null ? 'The store' : (names.get(letter.widgetId) ?? 'A closed widget')),
  }))
  return { letters, next: found.length > lettersPerPage ? (letters.at(-1)?.id ?? null) : null }
}

/** Sends a dead letter again, as staff. */
export function replayAsStaff(
  { db, clock }: Deps,
  { deliveryId, by }: { deliveryId: number; by: Actor },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-known'> | Refused<'not-dead'> | Refused<'paused'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'webhooks.replay', at)
    if (!permitted.ok) return permitted
    const delivery = await lockDelivery(tx, deliveryId)
    if (!delivery) return refused('not-known')
    if (delivery.state !== 'dead') return refused('not-dead')
    if ((await wake(tx, { deliveryId }, at)) === 0) return refused('paused')
    await recordAct(tx, { by, act: 'webhook.replayed', subject: String(deliveryId), at })
    await wakeWorker(tx)
    return ok(null)
  })
}

/** Deletes events, with their deliveries and bodies, that were over before an instant. */
export function forgetOldWebhooks(db: Database, before: Temporal.Instant): Promise<number> {
  return deleteOldEvents(db, before)
}

/** Returns the values of an email about a paused endpoint. */
export async function webhookMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const endpoint = isId(id) ? await selectEndpoint(db, id) : undefined
  return {
    endpoint: endpoint?.url ?? 'A webhook that was removed since',
    reason: (endpoint?.pausedBecause ? pauseWords[endpoint.pausedBecause] : 'Resumed since') + '.',
    webhooksUrl:
      config.web.origin +
      (endpoint?.owner.kind === 'store' ? officePaths.officeWebhook(id) : serverPaths.accountWebhooks()),
    phone: config.store.phone,
  }
}
