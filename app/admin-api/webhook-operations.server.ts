/** The admin API's operations for the store's webhooks. */
import { z } from 'zod'
import { answer } from '#api/operation.ts'
import { cursor, cursorAt, numberOf } from '#api/paging.ts'
import { problem, type Problem } from '#api/problem.ts'
import { id } from '#api/schemas.ts'
import {
  deliveryFields,
  deliveryKeys,
  deliveryView,
  endpointFields,
  endpointView,
  typeList,
  webhookRefusal,
  webhookUrl,
} from '#api/webhook-views.ts'
import {
  mostAttempts,
  mostStoreEndpoints,
  secretOverlapHours,
  storeTypeNames,
  testType,
} from '#domain/channels/webhooks/webhooks.ts'
import {
  addStoreWebhook,
  changeStoreWebhook,
  findStoreWebhook,
  listStoreDeliveries,
  removeStoreWebhook,
  replayStoreWebhooks,
  rotateStoreSecret,
  showStoreSecret,
  testStoreWebhook,
  type Endpoint,
} from '#domain/channels/webhooks/webhooks.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'
import { operation, type AdminOperation } from './operation.ts'

const params = z.strictObject({ webhookId: id })
const permission = 'webhooks.manage'
const endpoint = z.strictObject({ id: z.string(), ...endpointFields(storeTypeNames) }).meta({ id: 'StoreWebhook' })
const delivery = z
  .strictObject({ ...deliveryKeys, type: z.enum([...storeTypeNames, testType]), ...deliveryFields })
  .meta({ id: 'StoreWebhookDelivery' })
const types = typeList(storeTypeNames)

const view = (shop: Shop, found: Endpoint): z.input<typeof endpoint> => endpointView(shop, found)

export const webhookOperations: readonly AdminOperation[] = [
  operation({
    id: 'createWebhook',
    method: 'post',
    path: '/webhooks',
    permission,
    summary: 'Add a webhook',
    description: `Up to ${countOf(mostStoreEndpoints, 'webhook')}. Get its secret once with the operation below.`,
    status: 201,
    body: z.strictObject({ url: webhookUrl, types }),
    result: endpoint,
    async handle({ shop, by, body }) {
      const added = await addStoreWebhook(shop, by, body)
      const made = added.ok ? await findStoreWebhook(shop, added.value.id) : undefined
      if (made) return answer(view(shop, made))
      return refusal(added.ok ? 'not-known' : added.reason)
    },
  }),
  operation({
    id: 'readWebhook',
    method: 'get',
    path: '/webhooks/{webhookId}',
    permission,
    summary: 'Read a webhook',
    params,
    result: endpoint,
    async handle({ shop, params: { webhookId } }) {
      const found = await findStoreWebhook(shop, webhookId)
      return found ? answer(view(shop, found)) : refusal('not-known')
    },
  }),
  operation({
    id: 'changeWebhook',
    method: 'patch',
    path: '/webhooks/{webhookId}',
    permission,
    summary: 'Change, pause or resume a webhook',
    description: 'While it is paused, pending and new events become dead letters.',
    params,
    body: z.strictObject({ url: webhookUrl.optional(), types: types.optional(), isPaused: z.boolean().optional() }),
    result: endpoint,
    async handle({ shop, by, params: { webhookId }, body }) {
      const changed = await changeStoreWebhook(shop, by, webhookId, body)
      return changed.ok ? answer(view(shop, changed.value)) : refusal(changed.reason)
    },
  }),
  operation({
    id: 'deleteWebhook',
    method: 'delete',
    path: '/webhooks/{webhookId}',
    permission,
    summary: 'Remove a webhook',
    description: 'Pending events aren’t sent.',
    status: 204,
    params,
    async handle({ shop, by, params: { webhookId } }) {
      const removed = await removeStoreWebhook(shop, by, webhookId)
      return removed.ok ? answer(null) : refusal(removed.reason)
    },
  }),
  operation({
    id: 'showWebhookSecret',
    method: 'post',
    path: '/webhooks/{webhookId}/secret',
    permission,
    summary: 'Get the secret, once',
    params,
    result: z.strictObject({ secret: z.string().meta({ description: 'Begins with `whsec_`' }) }),
    async handle({ shop, by, params: { webhookId } }) {
      const shown = await showStoreSecret(shop, by, webhookId)
      return shown.ok ? answer(shown.value) : refusal(shown.reason)
    },
  }),
  operation({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/webhooks/{webhookId}/secret/rotation',
    permission,
    summary: 'Rotate the secret',
    description: `Messages carry two signatures for ${countOf(secretOverlapHours, 'hour')}. A new secret that hasn’t been read yet isn’t replaced.`,
    status: 204,
    params,
    async handle({ shop, by, params: { webhookId } }) {
      const rotated = await rotateStoreSecret(shop, by, webhookId)
      return rotated.ok ? answer(null) : refusal(rotated.reason)
    },
  }),
  operation({
    id: 'testWebhook',
    method: 'post',
    path: '/webhooks/{webhookId}/test',
    permission,
    summary: 'Send a test event',
    description: `Of the type \`${testType}\`, with empty data. At most 30 an hour.`,
    status: 202,
    params,
    async handle({ shop, by, params: { webhookId } }) {
      const sent = await testStoreWebhook(shop, by, webhookId)
      return sent.ok ? answer(null) : refusal(sent.reason)
    },
  }),
  operation({
    id: 'listWebhookDeliveries',
    method: 'get',
    path: '/webhooks/{webhookId}/deliveries',
    permission,
    summary: 'List deliveries of a webhook',
    description: `Newest first. Each event is tried up to ${countOf(mostAttempts, 'time')} in a little over four hours.`,
    params,
    query: z.strictObject({ cursor: cursor.optional() }),
    result: z.strictObject({ deliveries: z.array(delivery), next: z.string().nullable() }),
    async handle({ shop, params: { webhookId }, query }) {
      const asked = { storeDeliveriesOf: webhookId }
      const before = numberOf(query.cursor, asked)
      if (!before.ok) return before
      const page = await listStoreDeliveries(shop, webhookId, before.value ?? null)
      if (!page) return refusal('not-known')
      return answer({
        deliveries: page.deliveries.map(deliveryView),
        next: page.next === null ? null : cursorAt(String(page.next), asked),
      })
    },
  }),
  operation({
    id: 'replayWebhook',
    method: 'post',
    path: '/webhooks/{webhookId}/replays',
    permission,
    summary: 'Send dead letters again',
    status: 202,
    params,
    body: z.strictObject({
      deliveryId: z.int().min(1).max(999_999_999_999_999).nullable().meta({ description: 'Null for all of them' }),
    }),
    result: z.strictObject({ count: z.int() }),
    async handle({ shop, by, params: { webhookId: endpointId }, body: { deliveryId } }) {
      const replayed = await replayStoreWebhooks(shop, by, { endpointId, deliveryId })
      return replayed.ok ? answer(replayed.value) : refusal(replayed.reason)
    },
  }),
]

/** Why an operation on a webhook of the store is refused. */
function refusal(reason: Parameters<typeof webhookRefusal>[0] | 'not-fresh'): Problem {
  if (reason === 'not-known') return problem('NotFound', 'Webhook not found.')
  if (reason === 'not-allowed' || reason === 'not-fresh')
    return problem('Forbidden', 'This program may no longer manage webhooks.')
  if (reason === 'too-many')
    return problem('TooMany', `The store has ${countOf(mostStoreEndpoints, 'webhook')}, the maximum. Remove one first.`)
  return webhookRefusal(reason)
}
