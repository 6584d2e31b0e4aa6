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
      ({ app, by }, draft) => addStoreWebhook(app, by, draft),
      ({ id }) => id,
    ),
    change: formAction({ summary: 'Change a webhook', form: storeEndpointForm }, ({ app, by, id }, draft) =>
      changeStoreWebhook(app, by, id, draft),
    ),
    remove: plainAction(
      { summary: 'Remove a webhook', description: 'Pending events aren’t sent.' },
      ({ app, by, id }) => removeStoreWebhook(app, by, id),
    ),
    show: plainAction(
      {
        summary: 'Get the secret, once',
        result: z.object({ secret: z.string().meta({ description: 'Begins with `whsec_`' }) }),
      },
      ({ app, by, id }) => showStoreSecret(app, by, id),
    ),
    rotate: plainAction(
      {
        summary: 'Rotate the secret',
        description: `Messages carry two signatures for ${countOf(secretOverlapHours, 'hour')}. A new secret that hasn’t been read yet isn’t replaced.`,
      },
      ({ app, by, id }) => rotateStoreSecret(app, by, id),
    ),
    pause: plainAction(
      { summary: 'Pause a webhook', description: 'Pending and new events become dead letters.' },
      ({ app, by, id }) => changeStoreWebhook(app, by, id, { isPaused: true }),
    ),
    resume: plainAction({ summary: 'Resume a webhook' }, ({ app, by, id }) =>
      changeStoreWebhook(app, by, id, { isPaused: false }),
    ),
    test: plainAction(
      {
        summary: 'Send a test event',
        description: `Of the type \`${testType}\`, with empty data. At most 30 an hour.`,
      },
      ({ app, by, id }) => testStoreWebhook(app, by, id),
    ),
    replay: formAction(
      { summary: 'Send a dead letter again', form: deliveryForm, result: replayed },
      ({ app, by, id }, { delivery }) => replayStoreWebhooks(app, by, { endpointId: id, deliveryId: delivery }),
    ),
    'replay-all': plainAction({ summary: 'Send all dead letters again', result: replayed }, ({ app, by, id }) =>
      replayStoreWebhooks(app, by, { endpointId: id, deliveryId: null }),
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
  read: async (app, address) => {
    const found = await findStoreWebhook(app, address)
    if (!found) return undefined
    const { id: _, ...webhook } = endpointView(app, found)
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
      async read(app, id, before) {
        const page = await listStoreDeliveries(app, id, before)
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
    replay: plainAction({ summary: 'Send a failed delivery again' }, ({ app, by, id }) =>
      replayAsStaff(app, { deliveryId: numberedId(id, Number.MAX_SAFE_INTEGER), by }),
    ),
  },
  refusals: {
    'not-known': { text: 'Webhook not found.', status: 404 },
    'not-dead': 'This webhook was already sent again.',
    paused: 'This webhook is paused. Its owner can resume it.',
  },
})
