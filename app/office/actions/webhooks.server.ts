import { z } from 'zod'
import { deliveryFields, deliveryKeys, deliveryView, endpointFields, endpointView } from '#api/webhook-views.ts'
import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import {
  addStoreWebhook,
  changeStoreWebhook,
  findStoreWebhook,
  listStoreDeliveries,
  removeStoreWebhook,
  replayAsStaff,
  replayStoreWebhooks,
  rotateStoreSecret,
  showStoreSecret,
  testStoreWebhook,
} from '#domain/channels/webhooks/webhooks.server.ts'
import {
  deliveryForm,
  mostAttempts,
  mostStoreEndpoints,
  secretOverlapHours,
  storeEndpointForm,
  storeTypeNames,
  testType,
  webhookRefusals,
} from '#domain/channels/webhooks/webhooks.ts'
import { countOf } from '#platform/count-text.ts'

const { isPaused, pausedBecause, createdAt, isSecretShown, bothSecretsUntil } = endpointFields(storeTypeNames)
const replayed = z.object({ count: z.int().meta({ description: 'How many are sent again' }) })

/** Webhooks of the store. Staff sign in again for URLs, event types, and secrets, as the use cases check. */
export const webhookActions = defineActions({
  resource: 'webhooks',
  noun: 'webhook',
  permission: 'webhooks.manage',
  actions: {
    add: formAction(
      {
        summary: 'Add a webhook',
        description: `Up to ${countOf(mostStoreEndpoints, 'webhook')}. Get its secret once with \`/show\`.`,
        form: storeEndpointForm,
      },
      ({ shop, by }, draft) => addStoreWebhook(shop, by, draft),
      ({ id }) => id,
    ),
    change: formAction({ summary: 'Change a webhook', form: storeEndpointForm }, ({ shop, by, id }, draft) =>
      changeStoreWebhook(shop, by, id, draft),
    ),
    remove: plainAction(
      { summary: 'Remove a webhook', description: 'Pending events aren’t sent.' },
      ({ shop, by, id }) => removeStoreWebhook(shop, by, id),
    ),
    show: plainAction(
      {
        summary: 'Get the secret, once',
        result: z.object({ secret: z.string().meta({ description: 'Begins with `whsec_`' }) }),
      },
      ({ shop, by, id }) => showStoreSecret(shop, by, id),
    ),
    rotate: plainAction(
      {
        summary: 'Rotate the secret',
        description: `Messages carry two signatures for ${countOf(secretOverlapHours, 'hour')}. A new secret that hasn’t been read yet isn’t replaced.`,
      },
      ({ shop, by, id }) => rotateStoreSecret(shop, by, id),
    ),
    pause: plainAction(
      { summary: 'Pause a webhook', description: 'Pending and new events become dead letters.' },
      ({ shop, by, id }) => changeStoreWebhook(shop, by, id, { isPaused: true }),
    ),
    resume: plainAction({ summary: 'Resume a webhook' }, ({ shop, by, id }) =>
      changeStoreWebhook(shop, by, id, { isPaused: false }),
    ),
    test: plainAction(
      {
        summary: 'Send a test event',
        description: `Of the type \`${testType}\`, with empty data. At most 30 an hour.`,
      },
      ({ shop, by, id }) => testStoreWebhook(shop, by, id),
    ),
    replay: formAction(
      { summary: 'Send a dead letter again', form: deliveryForm, result: replayed },
      ({ shop, by, id }, { delivery }) => replayStoreWebhooks(shop, by, { endpointId: id, deliveryId: delivery }),
    ),
    'replay-all': plainAction({ summary: 'Send all dead letters again', result: replayed }, ({ shop, by, id }) =>
      replayStoreWebhooks(shop, by, { endpointId: id, deliveryId: null }),
    ),
  },
  refusals: {
    'not-known': null,
    'bad-address': { field: 'url', text: webhookRefusals['bad-address'] },
    'not-https': { field: 'url', text: webhookRefusals['not-https'] },
    'private-address': { field: 'url', text: webhookRefusals['private-address'] },
    known: { field: 'url', text: 'Another webhook has this URL.', status: 409 },
    'too-many': `The store has ${countOf(mostStoreEndpoints, 'webhook')}, the maximum. Remove one first.`,
    'too-many-tests': { text: webhookRefusals['too-many-tests'], status: 429 },
    paused: webhookRefusals.paused,
    'shown-already': webhookRefusals['shown-already'],
    'not-dead': webhookRefusals['not-dead'],
  },
  read: async (shop, address) => {
    const found = await findStoreWebhook(shop, address)
    if (!found) return undefined
    const { id: _, ...webhook } = endpointView(shop, found)
    return webhook
  },
  facts: z.object({ isPaused, pausedBecause, createdAt, isSecretShown, bothSecretsUntil }),
  parts: {
    deliveries: {
      summary: 'List deliveries of a webhook',
      description: `Newest first. Each event is tried up to ${countOf(mostAttempts, 'time')} in a little over four hours.`,
      row: z
        .strictObject({ ...deliveryKeys, type: z.enum([...storeTypeNames, testType]), ...deliveryFields })
        .meta({ id: 'StoreWebhookDelivery' }),
      async read(shop, id, before) {
        const page = await listStoreDeliveries(shop, id, before)
        return page && { rows: page.deliveries.map(deliveryView), next: page.next }
      },
    },
  },
})

/** Dead letters of all webhooks, which support staff may send again. */
export const failedWebhookActions = defineActions({
  resource: 'failed-webhooks',
  noun: 'failed delivery',
  permission: 'webhooks.replay',
  actions: {
    replay: plainAction({ summary: 'Send a failed delivery again' }, ({ shop, by, id }) =>
      replayAsStaff(shop, { deliveryId: numberedId(id, Number.MAX_SAFE_INTEGER), by }),
    ),
  },
  refusals: {
    'not-known': { text: 'Webhook not found.', status: 404 },
    'not-dead': 'This webhook was already sent again.',
    paused: 'This webhook is paused. Its owner can resume it.',
  },
})
