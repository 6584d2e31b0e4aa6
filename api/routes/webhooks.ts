/** Webhooks: endpoints of the account's company and widget, their secrets and deliveries. */
import { z } from 'zod'
import { signedInOf } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { cursor, cursorAt, numberOf } from '#api/paging.ts'
import { bodyOf, id } from '#api/schemas.ts'
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
  mostEndpoints,
  mostAttempts,
  ownerKinds,
  secretOverlapHours,
  testType,
  webhookTypeNames,
  type WebhookType,
} from '#domain/channels/webhooks/webhooks.ts'
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
  type Delivery,
  type Endpoint,
} from '#domain/channels/webhooks/webhooks.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

const params = z.strictObject({ webhookId: id })
const types = typeList(webhookTypeNames)
const endpoint = z
  .strictObject({ id: z.string(), owner: z.enum(ownerKinds), ...endpointFields(webhookTypeNames) })
  .meta({ id: 'Webhook' })
const delivery = z
  .strictObject({ ...deliveryKeys, type: z.enum([...webhookTypeNames, testType]), ...deliveryFields })
  .meta({ id: 'WebhookDelivery' })

export const webhookOperations = [
  operation({
    id: 'listWebhooks',
    method: 'get',
    path: '/webhooks',
    area: 'Webhooks',
    summary: 'List webhooks',
    description: 'Of the approved company that the account owns, and of its partner widget.',
    audience: 'account',
    result: z.array(endpoint),
    async handle({ app, caller }) {
      const endpoints = await listWebhookEndpoints(app, await signedInOf(caller))
      return endpoints ? answer(endpoints.map((each) => ownEndpoint(app, each))) : webhookRefusal('not-allowed')
    },
  }),
  operation({
    id: 'createWebhook',
    method: 'post',
    path: '/webhooks',
    area: 'Webhooks',
    summary: 'Add a webhook',
    description: `Up to ${mostEndpoints} each for company and partner. Get its secret once with the next operation.`,
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf({ owner: z.enum(ownerKinds).meta({ examples: ['company'] }), url: webhookUrl, types }),
    result: endpoint,
    refuses: ['AddressRefused', 'AlreadyThere', 'TooMany', 'NotYours'],
    async handle({ app, caller, body }) {
      const person = await signedInOf(caller)
      const added = await addWebhookEndpoint(app, person, body)
      if (!added.ok) return webhookRefusal(added.reason)
      const made = await findWebhookEndpoint(app, person, added.value.id)
      return made ? answer(ownEndpoint(app, made)) : webhookRefusal('not-known')
    },
  }),
  operation({
    id: 'showWebhookSecret',
    method: 'post',
    path: '/webhooks/{webhookId}/secret',
    area: 'Webhooks',
    summary: 'Get the secret, once',
    description: 'Verifies Standard Webhooks signatures. It’s shown only once. Rotate the secret if you lose it.',
    audience: 'account',
    params,
    result: z.strictObject({ secret: z.string().meta({ description: 'Begins with `whsec_`' }) }),
    refuses: ['NotYours', 'Gone'],
    async handle({ app, caller, params: { webhookId } }) {
      const shown = await showWebhookSecret(app, await signedInOf(caller), webhookId)
      return shown.ok ? answer(shown.value) : webhookRefusal(shown.reason)
    },
  }),
  operation({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/webhooks/{webhookId}/secret/rotation',
    area: 'Webhooks',
    summary: 'Rotate the secret',
    description: `Messages carry two signatures for ${countOf(secretOverlapHours, 'hour')}, with the new and the previous secret. A new secret that hasn’t been read yet isn’t replaced.`,
    audience: 'account',
    once: { isRequired: false, by: 'again' },
    params,
    result: endpoint,
    refuses: ['NotYours'],
    async handle({ app, caller, params: { webhookId } }) {
      const person = await signedInOf(caller)
      const rotated = await rotateWebhookSecret(app, person, webhookId)
      const after = rotated.ok ? await findWebhookEndpoint(app, person, webhookId) : undefined
      return after ? answer(ownEndpoint(app, after)) : webhookRefusal('not-known')
    },
  }),
  operation({
    id: 'testWebhook',
    method: 'post',
    path: '/webhooks/{webhookId}/test',
    area: 'Webhooks',
    summary: 'Send a test event',
    description: `Of the type \`${testType}\`, with empty data. At most 30 an hour.`,
    audience: 'account',
    status: 202,
    once: { isRequired: false, by: 'again' },
    params,
    refuses: ['NotYours', 'WebhookPaused', 'TooManyAttempts'],
    async handle({ app, caller, params: { webhookId } }) {
      const sent = await testWebhookEndpoint(app, await signedInOf(caller), webhookId)
      return sent.ok ? answer(null) : webhookRefusal(sent.reason)
    },
  }),
  operation({
    id: 'listWebhookDeliveries',
    method: 'get',
    path: '/webhooks/{webhookId}/deliveries',
    area: 'Webhooks',
    summary: 'List deliveries of a webhook',
    description: `Newest first. Each event is tried up to ${countOf(mostAttempts, 'time')} in a little over four hours.`,
    audience: 'account',
    params,
    query: z.strictObject({ cursor: cursor.optional() }),
    result: z.strictObject({ deliveries: z.array(delivery), next: z.string().nullable() }),
    refuses: ['NotYours'],
    async handle({ app, caller, params: { webhookId }, query }) {
      const asked = { deliveriesOf: webhookId }
      const before = numberOf(query.cursor, asked)
      if (!before.ok) return before
      const found = await listWebhookDeliveries(app, await signedInOf(caller), webhookId, before.value ?? null)
      if (!found) return webhookRefusal('not-known')
      return answer({
        deliveries: found.deliveries.map(ownDelivery),
        next: found.next === null ? null : cursorAt(String(found.next), asked),
      })
    },
  }),
  operation({
    id: 'replayWebhook',
    method: 'post',
    path: '/webhooks/{webhookId}/replays',
    area: 'Webhooks',
    summary: 'Send dead letters again',
    description: 'Redelivers one or all undelivered events. Events for the same order are sent in sequence.',
    audience: 'account',
    status: 202,
    once: { isRequired: false, by: 'again' },
    params,
    body: bodyOf({
      deliveryId: z
        .int()
        .min(1)
        .max(999_999_999_999_999)
        .nullable()
        .meta({ description: 'Null for all of them', examples: [null] }),
    }),
    result: z.strictObject({ count: z.int() }),
    refuses: ['NotYours', 'WebhookPaused', 'NotPossible'],
    async handle({ app, caller, params: { webhookId: endpointId }, body: { deliveryId } }) {
      const replayed = await replayWebhooks(app, await signedInOf(caller), { endpointId, deliveryId })
      return replayed.ok ? answer(replayed.value) : webhookRefusal(replayed.reason)
    },
  }),
  operation({
    id: 'changeWebhook',
    method: 'patch',
    path: '/webhooks/{webhookId}',
    area: 'Webhooks',
    summary: 'Change, pause or resume a webhook',
    description:
      'While paused, pending and new events become dead letters that you can redeliver after you resume the webhook.',
    audience: 'account',
    params,
    body: bodyOf({
      url: webhookUrl.optional(),
      types: types.optional(),
      isPaused: z
        .boolean()
        .optional()
        .meta({ examples: [false] }),
    }),
    result: endpoint,
    refuses: ['NotYours', 'AddressRefused', 'AlreadyThere'],
    async handle({ app, caller, params: { webhookId }, body }) {
      const changed = await changeWebhookEndpoint(app, await signedInOf(caller), webhookId, body)
      return changed.ok ? answer(ownEndpoint(app, changed.value)) : webhookRefusal(changed.reason)
    },
  }),
  operation({
    id: 'deleteWebhook',
    method: 'delete',
    path: '/webhooks/{webhookId}',
    area: 'Webhooks',
    summary: 'Remove a webhook',
    description: 'Pending events aren’t sent.',
    audience: 'account',
    status: 204,
    params,
    refuses: ['NotYours'],
    async handle({ app, caller, params: { webhookId } }) {
      const removed = await removeWebhookEndpoint(app, await signedInOf(caller), webhookId)
      return removed.ok ? answer(null) : webhookRefusal(removed.reason)
    },
  }),
]

function ownEndpoint(app: Application, found: Endpoint): z.input<typeof endpoint> {
  const owner = found.owner.kind === 'partner' ? 'partner' : 'company'
  return { ...endpointView(app, found), owner, types: found.types as WebhookType[] }
}

function ownDelivery(found: Delivery): z.input<typeof delivery> {
  return { ...deliveryView(found), type: found.type as WebhookType | typeof testType }
}
