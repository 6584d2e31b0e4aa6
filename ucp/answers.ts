/** Protocol responses. Business errors are a 200 response with messages, not an HTTP error. */
import type { UcpContext } from '#ucp/context.ts'

export type Severity = 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable'
export type Message =
  | { type: 'error'; code: string; content: string; severity: Severity; path?: string }
  | { type: 'warning'; code: string; content: string; path?: string; presentation?: 'notice' | 'disclosure' }
  | { type: 'info'; code?: string; content: string; path?: string }

export type UcpAnswer = { readonly status: 200 | 201; readonly body: Readonly<Record<string, unknown>> }

/** What is wrong with a call itself. */
export type TransportFault = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 424 | 429 | 500 | 503
  readonly code: string
  readonly content: string
  readonly headers?: Readonly<Record<string, string>>
  /** What a person can do about it. */
  readonly severity?: Severity
}

export function fault(
  status: TransportFault['status'],
  code: string,
  content: string,
  headers?: TransportFault['headers'],
): TransportFault {
  return { status, code, content, ...(headers && { headers }) }
}

/** A refusal of a whole operation that is no business of the protocol: bad input. */
export class BadCall extends Error {
  readonly fault: TransportFault
  constructor(reason: TransportFault) {
    super(reason.content)
    this.fault = reason
  }
}

export function error(code: string, content: string, severity: Severity, path?: string): Message {
  return { type: 'error', code, content, severity, ...(path !== undefined && { path }) }
}

/** Returns the response's `ucp` member, with the release and the active capabilities. */
export function envelope({ agent }: UcpContext, extensionVersions: ReadonlyMap<string, string>): object {
  return {
    version: agent.version,
    status: 'success',
    capabilities: Object.fromEntries(
      [...agent.capabilities].map((name) => [name, [{ version: extensionVersions.get(name) ?? agent.version }]]),
    ),
  }
}

/** Returns a failed operation's response, which has no resource. */
export function failed(context: UcpContext, messages: readonly Message[]): UcpAnswer {
  const { origin } = context.app.config.web
  return {
    status: 200,
    body: { ucp: { version: context.agent.version, status: 'error' }, messages, continue_url: `${origin}/` },
  }
}

export const notFound = (context: UcpContext, what: string): UcpAnswer =>
  failed(context, [error('not_found', `Not found: ${what}.`, 'unrecoverable')])
