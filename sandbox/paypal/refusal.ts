import { randomBytes } from 'node:crypto'

/** An error as PayPal answers it. */
export class PayPalRefusal extends Error {
  readonly status: 400 | 401 | 404 | 409 | 422
  readonly body: object

  constructor(status: 400 | 401 | 404 | 409 | 422, issue: string, description: string, field?: string) {
    super(description)
    this.status = status
    this.body = {
      ...names[status],
      debug_id: randomBytes(7).toString('hex').slice(0, 13),
      details: [
        {
          ...(field !== undefined && { field, location: 'body' }),
          issue,
          description,
        },
      ],
      links: [
        {
          href: `https://developer.paypal.com/api/rest/reference/orders/v2/errors/#${issue}`,
          rel: 'information_link',
          method: 'GET',
        },
      ],
    }
  }
}

const names = {
  400: {
    name: 'INVALID_REQUEST',
    message: 'Request is not well-formed, syntactically incorrect, or violates schema.',
  },
  401: {
    name: 'AUTHENTICATION_FAILURE',
    message: 'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  },
  404: { name: 'RESOURCE_NOT_FOUND', message: 'The specified resource does not exist.' },
  409: {
    name: 'RESOURCE_CONFLICT',
    message: 'The server has detected a conflict while processing this request.',
  },
  422: {
    name: 'UNPROCESSABLE_ENTITY',
    message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
  },
} as const

/** Refuses with 422 and the issue. */
export function unprocessable(issue: string, description: string, field?: string): PayPalRefusal {
  return new PayPalRefusal(422, issue, description, field)
}

export function notFound(): PayPalRefusal {
  return new PayPalRefusal(
    404,
    'INVALID_RESOURCE_ID',
    'Specified resource ID does not exist. Please check the resource ID and try again.',
  )
}
