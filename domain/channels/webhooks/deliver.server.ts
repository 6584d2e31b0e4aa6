/** Sends pending deliveries, each signed, in order per order, and retried until accepted or dead. */
import { listMembers } from '#domain/customers/companies/companies.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { widgetOwnerEmail } from '#domain/customers/programs/programs.server.ts'
import { listStaffEmails } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { Log } from '#platform/log.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { beginTrace } from '#platform/tracing.ts'
import {
  buryWaiting,
  claimDeliveries,
  closeStockEvent,
  noteHealth,
  settleTry,
  updateBody,
  type ClaimedDelivery,
  type TryResult,
} from './deliveries.sql.server.ts'
import { selectEndpoint, updateEndpoint } from './endpoints.sql.server.ts'
import { signedHeaders, signingSecrets } from './secrets.server.ts'
import { failingMinutes, nextTryAt, type PauseReason, type WebhookOwner } from './webhooks.ts'

type Deps = {
  db: Database
  clock: Clock
  config: { session: Pick<Config['session'], 'secret'> }
  outgoing: Outgoing
  log?: Log
}

/** Renders an event as the API shows it to the endpoint's owner; undefined when its data no longer exists. */
export type RenderWebhook = (delivery: ClaimedDelivery) => Promise<Record<string, unknown> | undefined>

const together = 20
const mostRounds = 500

/** Sends all that is due now; returns how many attempts that took. */
export async function deliverWebhooks(deps: Deps, render: RenderWebhook): Promise<number> {
  await buryWaiting(deps.db, { endpointId: null, fault: 'paused', at: deps.clock.now() })
  let attempts = 0
  for (let round = 0; round < mostRounds; round++) {
    const claimed = await claimDeliveries(deps.db, deps.clock.now(), together)
    if (claimed.length === 0) break
    await Promise.all(claimed.map((delivery) => deliverTraced(deps, delivery, render)))
    attempts += claimed.length
  }
  return attempts
}

/** Continues the event's trace, since one job sends many events. */
function deliverTraced(deps: Deps, delivery: ClaimedDelivery, render: RenderWebhook): Promise<void> {
  const { traceparent, type, attempts } = delivery
  if (traceparent === null) return deliverOne(deps, delivery, render)
  return beginTrace({ name: `webhook ${type}`, attributes: { attempt: attempts }, traceparent, from: 'ours' }, () =>
    deliverOne(deps, delivery, render),
  )
}

async function deliverOne(deps: Deps, delivery: ClaimedDelivery, render: RenderWebhook): Promise<void> {
  const body = await bodyOf(deps, delivery, render)
  if (body === undefined) return settle(deps, delivery, { status: null, fault: 'nothing' })
  const at = deps.clock.now()
  const secrets = signingSecrets(
    deps.config.session.secret,
    { id: delivery.endpointId, secretNo: delivery.secretNo, rotatedAt: delivery.rotatedAt },
    at,
  )
  const answer = await deps.outgoing.post({
    url: delivery.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Sidewall-Webhooks/1',
      ...signedHeaders(secrets, { id: messageId(delivery), body, at }),
    },
    body,
    maxBytes: 1_024,
  })
  return settle(
    deps,
    delivery,
    answer.ok ? { status: answer.status, fault: null } : { status: null, fault: answer.fault },
  )
}

function messageId({ publicId }: Pick<ClaimedDelivery, 'publicId'>): string {
  return `evt_${publicId}`
}

/** Returns the body. It is the same in every attempt because the first one is stored. */
async function bodyOf({ db }: Deps, delivery: ClaimedDelivery, render: RenderWebhook): Promise<string | undefined> {
  if (delivery.body !== null) return delivery.body
  if (delivery.type === 'stock.changed') await closeStockEvent(db, delivery.publicId)
  const data = await render(delivery)
  if (!data) return undefined
  const { type, at } = delivery
  const body = JSON.stringify({ id: messageId(delivery), type, timestamp: at.toString(), data })
  await updateBody(db, delivery.id, body)
  return body
}

async function settle(deps: Deps, delivery: ClaimedDelivery, result: TryResult): Promise<void> {
  const at = deps.clock.now()
  const isGood = result.status !== null && result.status >= 200 && result.status < 300
  await deps.db.transaction().execute(async (tx) => {
    const endpoint = await selectEndpoint(tx, delivery.endpointId, { isLocked: true })
    const nextAt = result.fault === 'nothing' || result.status === 410 ? undefined : nextTryAt(delivery.attempts, at)
    const next = isGood
      ? ({ state: 'delivered', at } as const)
      : nextAt
        ? ({ state: 'waiting', nextAt } as const)
        : ({ state: 'dead', at } as const)
    if (!(await settleTry(tx, delivery, result, next))) return
    if (result.fault === 'nothing') return
    const failingSince = await noteHealth(tx, delivery.endpointId, { isGood, at })
    const reason = pauseReason(result, { isDead: next.state === 'dead', failingSince, at })
    if (reason && endpoint?.state === 'active') await pause(tx, { delivery, reason, at })
  })
  deps.log?.info(
    { endpoint: delivery.endpointId, event: delivery.publicId, attempts: delivery.attempts, ...result },
    isGood ? 'webhook delivered' : 'webhook not delivered',
  )
}

function pauseReason(
  { status }: TryResult,
  { isDead, failingSince, at }: { isDead: boolean; failingSince: Temporal.Instant | null; at: Temporal.Instant },
): PauseReason | undefined {
  if (status === 410) return 'gone'
  const isLong =
    failingSince !== null && Temporal.Instant.compare(failingSince.add({ minutes: failingMinutes }), at) <= 0
  return isDead && isLong ? 'failing' : undefined
}

/**
 * Pauses an endpoint and emails its owners. Pending deliveries become dead letters, which can be redelivered on
 * request.
 */
async function pause(
  tx: Tx,
  { delivery, reason, at }: { delivery: ClaimedDelivery; reason: PauseReason; at: Temporal.Instant },
): Promise<void> {
  const { endpointId, owner } = delivery
  await updateEndpoint(tx, endpointId, { state: 'paused', paused_because: reason }, at)
  await buryWaiting(tx, { endpointId, fault: 'paused', at })
  for (const [index, to] of (await emailsOf(tx, owner, at)).entries())
    await queueMessage(tx, {
      kind: 'webhook-paused',
      key: `webhook-paused:${endpointId}:${at.epochMilliseconds}:${index}`,
      orderId: null,
      to,
      at,
    })
}

async function emailsOf(tx: Tx, owner: WebhookOwner, at: Temporal.Instant): Promise<string[]> {
  if (owner.kind === 'store') return listStaffEmails(tx, 'webhooks.manage', at)
  if (owner.kind === 'partner') {
    const email = await widgetOwnerEmail(tx, owner.widgetId)
    return email === undefined ? [] : [email]
  }
  const { members } = await listMembers({ db: tx, clock: { now: () => at } }, owner.companyId)
  return members.flatMap(({ role, email }) => (role === 'owner' && email !== null ? [email] : []))
}
