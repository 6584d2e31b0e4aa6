/** Builds a call's request (specification, section 7), with the URL, the shared context, and the body. */

/** Sent with each call. Omitted values are not sent. */
export type CallContext = {
  /** The entire header, as in "Bearer …". */
  authorization?: string | undefined
  /** The same for a server behind the first one. */
  xAuthorization?: string | undefined
  userSessionId?: string | undefined
  /** The visitor's local time, as in "2026-11-20T09:30:00-06:00". */
  userTime?: string | undefined
  /** The visitor's variant in an experiment, sent as a header and a query parameter. */
  vwoUser?: string | undefined
  militaryExchangeCustomerId?: string | undefined
  /** The signed-in account, sent as a query parameter and in JSON bodies. */
  ssoUid?: string | undefined
  userRegion?: string | undefined
  userZip?: string | undefined
  accountTypeCompany?: string | undefined
  /** The call comes from the military exchange or a widget. */
  channel?: string | undefined
  widgetId?: string | undefined
}

export type QueryValue = string | number | boolean | null | undefined

export type CallInput = {
  params?: Record<string, string | number>
  query?: Record<string, QueryValue | readonly QueryValue[]>
  /** Sent as JSON. */
  body?: unknown
  /** Sent as a form, instead of `body`. */
  form?: Record<string, QueryValue>
  headers?: Record<string, string>
}

/** The headers of a call's context, which the server allows from pages of other sites. */
export const headerNames = {
  authorization: 'authorization',
  xAuthorization: 'x-authorization',
  userSessionId: 'x-user-session-id',
  userTime: 'x-user-time',
  vwoUser: 'x-vwo-user',
  militaryExchangeCustomerId: 'x-military-exchange-customer-id',
} as const satisfies Partial<Record<keyof CallContext, string>>

const queryNames = {
  ssoUid: 'ssoUid',
  userRegion: 'userRegion',
  userZip: 'userZip',
  accountTypeCompany: 'accountTypeCompany',
  vwoUser: 'vwo_user',
  channel: 'channel',
  widgetId: 'widgetId',
} as const satisfies Partial<Record<keyof CallContext, string>>

/** Throws if a path parameter is missing, which is a programming error. */
export function addressOf(baseUrl: string, path: string, input: CallInput, context: CallContext): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name]
    if (value === undefined || value === '') throw new RangeError(`The path ${path} needs ${name}.`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of namedOf(queryNames, context)) query.set(name, value)
  for (const [name, values] of Object.entries(input.query ?? {})) {
    query.delete(name)
    for (const value of Array.isArray(values) ? values : [values])
      if (value !== undefined && value !== null) query.append(name, String(value))
  }
  return `${baseUrl.replace(/\/$/, '')}${filled}${query.size > 0 ? `?${query.toString()}` : ''}`
}

export function headersOf(input: CallInput, context: CallContext): Headers {
  const headers = new Headers({ accept: 'application/json, application/problem+json' })
  for (const [name, value] of namedOf(headerNames, context)) headers.set(name, value)
  if (input.form) headers.set('content-type', 'application/x-www-form-urlencoded')
  else if (input.body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(input.headers ?? {})) headers.set(name, value)
  return headers
}

/** Returns text, so that it can be sent again after a refusal. */
export function bodyOf({ body, form }: CallInput, { ssoUid }: CallContext): string | null {
  if (form)
    return new URLSearchParams(
      Object.entries(form).flatMap(([name, value]) =>
        value === undefined || value === null ? [] : [[name, String(value)]],
      ),
    ).toString()
  if (body === undefined) return null
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return JSON.stringify(ssoUid !== undefined && isObject ? { ssoUid, ...body } : body)
}

function namedOf(names: Partial<Record<keyof CallContext, string>>, context: CallContext): [string, string][] {
  return Object.entries(names).flatMap(([key, name]) => {
    const value = context[key as keyof CallContext]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
}
