import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'

/** The contents of a Stripe-shaped error: `{ "error": … }`. https://docs.stripe.com/api/errors */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: unknown
}

/** A request that the payment API refuses with an error, without any effect. */
export class PaymentApiRefusal extends Error {
  readonly status: ContentfulStatusCode
  readonly body: ErrorBody
  constructor(status: ContentfulStatusCode, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export function refusedParameter(param: string, code: string, message: string): PaymentApiRefusal {
  return new PaymentApiRefusal(400, { type: 'invalid_request_error', code, param, message })
}

export function notFound(kind: string, id: string): PaymentApiRefusal {
  return new PaymentApiRefusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: 'id',
    message: `There is no ${kind} '${id}' here.`,
  })
}

/** The object exists but its current state does not allow the request. */
export function wrongState(message: string, code = 'payment_intent_unexpected_state'): PaymentApiRefusal {
  return new PaymentApiRefusal(400, { type: 'invalid_request_error', code, message })
}

/** The first error in the parameters, with the parameter named as in the form: `line_items[0][quantity]`. */
export function refusedParameters(error: z.ZodError, given: unknown): PaymentApiRefusal {
  const issue = error.issues[0]
  if (!issue) return refusedParameter('', 'parameter_unknown', 'The parameters could not be read.')
  if (issue.code === 'unrecognized_keys') {
    const param = formKey([...issue.path, issue.keys[0] ?? ''])
    return refusedParameter(param, 'parameter_unknown', `The sandbox does not know the parameter '${param}'.`)
  }
  const param = formKey(issue.path)
  return valueAt(given, issue.path) === undefined
    ? refusedParameter(param, 'parameter_missing', `The parameter '${param}' is missing.`)
    : refusedParameter(param, 'parameter_invalid', `The parameter '${param}' does not fit: ${issue.message}.`)
}

function formKey(path: PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('')
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  )
}
