/** A program that calls the admin API, as an owner adds it in the back office. */
import * as oidc from 'openid-client'
import { expect } from 'vitest'
import { demoProgram } from '#sandbox/identity/provider.ts'
import type { RunningStore } from './store.ts'
import type { Visitor } from './visitor.ts'

/** Adds the demo program with a role in the back office, and returns the address of its page. */
export async function addAdminClient(store: RunningStore, owner: Visitor, role: string): Promise<string> {
  const added = await owner.ask(`${store.origin}/office/api-clients/new`, {
    form: { intent: 'add', name: 'Warehouse system', clientId: demoProgram.clientId, role },
  })
  expect(added.status).toBe(303)
  return added.headers.get('location')?.split('?')[0] ?? ''
}

/** Requests a token with these permissions as any program would, with the library of OpenID. */
export async function requestAdminToken(
  store: RunningStore,
  scope: string,
  resource = `${store.origin}/api/admin`,
): Promise<string> {
  const provider = await oidc.discovery(
    new URL(`${store.sandboxOrigin}/identity`),
    demoProgram.clientId,
    demoProgram.secret,
    undefined,
    { execute: [oidc.allowInsecureRequests] },
  )
  return (await oidc.clientCredentialsGrant(provider, { scope, resource })).access_token
}

/** Calls the admin API. The body of an answer without one is null. */
export async function callAdminApi(
  store: RunningStore,
  token: string | null,
  [method, path]: [method: string, path: string],
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> & { detail?: string; data?: Record<string, string> } }> {
  const answer = await fetch(`${store.origin}/api/admin${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
}
