/** Webhook endpoints and deliveries as the APIs show them, with the event types of their owner. */
import { z } from 'zod'
import { instant } from '#api/schemas.ts'
import { problem, type Problem } from '#api/problem.ts'
import { deliveryStates, resultWords, secretOverlapHours, webhookRefusals } from '#domain/channels/webhooks/webhooks.ts'
import type { Delivery, Endpoint } from '#domain/channels/webhooks/webhooks.server.ts'
import type { Application } from '#application'

export const webhookUrl = z
  .string()
  .min(10)
  .max(500)
  .meta({ description: 'Public, and https', examples: ['https://hooks.example.com/tires'] })

/** One or more of these event types. */
export function typeList<const Names extends readonly [string, ...string[]] | readonly string[]>(names: Names) {
  return z
    .array(z.enum(names as readonly Names[number][]))
    .min(1)
    .max(names.length)
    .meta({ description: 'Event types sent to this endpoint', examples: [['order.placed', 'shipment.delivered']] })
}

/** The fields of an endpoint that can receive these event types. */
export function endpointFields<const Name extends string>(names: readonly Name[]) {
  return {
    url: webhookUrl,
    types: typeList(names),
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
  }
}

/** The fields of a delivery before and after the type of its event. */
export const deliveryKeys = {
  id: z.int(),
  eventId: z.string().meta({ description: 'The header `webhook-id`' }),
}
export const deliveryFields = {
  at: instant.meta({ description: 'When it happened' }),
  state: z.enum(deliveryStates).meta({ description: '`dead`: not tried again, until it is replayed' }),
  attempts: z.int(),
  status: z.int().nullable().meta({ description: 'What the endpoint answered last' }),
  result: z.string(),
  triedAt: instant.nullable(),
  nextAt: instant.nullable(),
}

/** An endpoint without its owner. The database checks that the owner may receive `types`. */
export function endpointView({ clock }: Pick<Application, 'clock'>, found: Endpoint) {
  const { id, url, types, state, pausedBecause, createdAt, secretShownAt, rotatedAt } = found
  const until = rotatedAt?.add({ hours: secretOverlapHours }) ?? null
  const isOver = until === null || Temporal.Instant.compare(until, clock.now()) <= 0
  return {
    id,
    url,
    types,
    isPaused: state === 'paused',
    pausedBecause,
    createdAt: createdAt.toString(),
    isSecretShown: secretShownAt !== null,
    bothSecretsUntil: isOver ? null : until.toString(),
  }
}

/** A delivery with its event. */
export function deliveryView(found: Delivery) {
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

/** Why an operation on a webhook is refused. */
export function webhookRefusal<Reason extends keyof typeof codes>(reason: Reason): Problem<(typeof codes)[Reason]> {
  return problem(codes[reason], webhookRefusals[reason])
}
