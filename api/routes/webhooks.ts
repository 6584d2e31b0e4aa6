/** Webhooks: endpoints of the account's company and widget, their secrets and deliveries. */
import { z } from 'zod'
import { signedInOf } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { cursor, cursorAt, numberOf } from '#api/paging.ts'
import { problem, type Problem } from '#api/problem.ts'
import { bodyOf, id, instant } from '#api/schemas.ts'
import {
  deliveryStates,
  mostEndpoints,
  mostAttempts,
  ownerKinds,
  resultWords,
  secretOverlapHours,
  testType,
  webhookRefusals,
  webhookTypeNames,
} from '#domain/webhooks/webhooks.ts'
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
} from '#domain/webhooks/webhooks.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'

const params = z.strictObject({ webhookId: id })
const url = z
  .string()
  .min(10)
  .max(500)
  .meta({ description: 'Public, and https', examples: ['https://hooks.example.com/tires'] })
const types = z
  .array(z.enum(webhookTypeNames))
  .min(1)
  .max(webhookTypeNames.length)
  .meta({ description: 'Event types sent to this endpoint', examples: [['order.placed', 'shipment.delivered']] })

const endpoint = z
  .strictObject({
    id: z.string(),
    owner: z.enum(ownerKinds),
    url,
    types,
    isPaused: z.boolean(),
    pausedBecause: z
      .enum(['owner', 'failing', 'gone'])
      .nullable()
      .meta({ description: '`failing`: no try succeeded for over four hours. `gone`: it answered 410' }),
    createdAt: instant,
    isSecretShown: z.boolean(),
    bothSecretsUntil: instant
      .nullable()
      .meta({ description: 'When messages stop being signed with the previous secret as well' }),
  })
  .meta({ id: 'Webhook' })

const delivery = z
  .strictObject({
    id: z.int(),
    eventId: z.string().meta({ description: 'The header `webhook-id`' }),
    type: z.enum([...webhookTypeNames, testType]),
    at: instant.meta({ description: 'When it happened' }),
    state: z.enum(deliveryStates).meta({ description: '`dead`: not tried again, until it is replayed' }),
    attempts: z.int(),
    status: z.int().nullable().meta({ description: 'What the endpoint answered last' }),
    result: z.string(),
    triedAt: instant.nullable(),
    nextAt: instant.nullable(),
  })
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
    async handle({ shop, caller }) {
      const endpoints = await listWebhookEndpoints(shop, await signedInOf(caller))
      return endpoints ? answer(endpoints.map((each) => endpointView(shop, each))) : refusal('not-allowed')
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
    body: bodyOf({ owner: z.enum(ownerKinds).meta({ examples: ['company'] }), url, types }),
    result: endpoint,
    refuses: ['AddressRefused', 'AlreadyThere', 'TooMany', 'NotYours'],
    async handle({ shop, caller, body }) {
      const person = await signedInOf(caller)
      const added = await addWebhookEndpoint(shop, person, body)
      if (!added.ok) return refusal(added.reason)
      const made = await findWebhookEndpoint(shop, person, added.value.id)
      return made ? answer(endpointView(shop, made)) : refusal('not-known')
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
    async handle({ shop, caller, params: { webhookId } }) {
      const shown = await showWebhookSecret(shop, await signedInOf(caller), webhookId)
      return shown.ok ? answer(shown.value) : refusal(shown.reason)
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
    async handle({ shop, caller, params: { webhookId } }) {
      const person = await signedInOf(caller)
      const rotated = await rotateWebhookSecret(shop, person, webhookId)
      const after = rotated.ok ? await findWebhookEndpoint(shop, person, webhookId) : undefined
      return after ? answer(endpointView(shop, after)) : refusal('not-known')
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
    async handle({ shop, caller, params: { webhookId } }) {
      const sent = await testWebhookEndpoint(shop, await signedInOf(caller), webhookId)
      return sent.ok ? answer(null) : refusal(sent.reason)
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
    async handle({ shop, caller, params: { webhookId }, query }) {
      const asked = { deliveriesOf: webhookId }
      const before = numberOf(query.cursor, asked)
      if (!before.ok) return before
      const found = await listWebhookDeliveries(shop, await signedInOf(caller), webhookId, before.value ?? null)
      if (!found) return refusal('not-known')
      return answer({
        deliveries: found.deliveries.map(deliveryView),
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
    async handle({ shop, caller, params: { webhookId: endpointId }, body: { deliveryId } }) {
      const replayed = await replayWebhooks(shop, await signedInOf(caller), { endpointId, deliveryId })
      return replayed.ok ? answer(replayed.value) : refusal(replayed.reason)
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
      url: url.optional(),
      types: types.optional(),
      isPaused: z
        .boolean()
        .optional()
        .meta({ examples: [false] }),
    }),
    result: endpoint,
    refuses: ['NotYours', 'AddressRefused', 'AlreadyThere'],
    async handle({ shop, caller, params: { webhookId }, body }) {
      const changed = await changeWebhookEndpoint(shop, await signedInOf(caller), webhookId, body)
      return changed.ok ? answer(endpointView(shop, changed.value)) : refusal(changed.reason)
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
    async handle({ shop, caller, params: { webhookId } }) {
      const removed = await removeWebhookEndpoint(shop, await signedInOf(caller), webhookId)
      return removed.ok ? answer(null) : refusal(removed.reason)
    },
  }),
]

const codes = {
  'not-allowed': 'Forbidden',
  'not-known': 'NotYours',
  'bad-address': 'AddressRefused',
  'not-https': 'AddressRefused',
  'private-address': 'AddressRefused',
  known: 'AlreadyThere',
  'too-many': 'TooMany',
  'too-many-tests': 'TooManyAttempts',
  paused: 'WebhookPaused',
  'shown-already': 'Gone',
  'not-dead': 'NotPossible',
} as const

function refusal<Reason extends keyof typeof codes>(reason: Reason): Problem<(typeof codes)[Reason]> {
  return problem(codes[reason], webhookRefusals[reason])
}

function endpointView({ clock }: Shop, found: Endpoint): z.input<typeof endpoint> {
  const { id: key, owner, url: at, types: told, state, pausedBecause, createdAt, secretShownAt, rotatedAt } = found
  const until = rotatedAt?.add({ hours: secretOverlapHours }) ?? null
  const isOver = until === null || Temporal.Instant.compare(until, clock.now()) <= 0
  return {
    id: key,
    owner: owner.kind,
    url: at,
    types: told,
    isPaused: state === 'paused',
    pausedBecause,
    createdAt: createdAt.toString(),
    isSecretShown: secretShownAt !== null,
    bothSecretsUntil: isOver ? null : until.toString(),
  }
}

function deliveryView(found: Delivery): z.input<typeof delivery> {
  return {
    id: found.id,
    eventId: `evt_${found.publicId}`,
    type: found.type,
    at: found.at.toString(),
    state: found.state,
    attempts: found.attempts,
    status: found.status,
    result: resultWords(found),
    triedAt: found.triedAt?.toString() ?? null,
    nextAt: found.nextAt?.toString() ?? null,
  }
}
