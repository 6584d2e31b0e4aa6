/** Apps with access to an account, and revoking it. */
import { z } from 'zod'
import { accountOf } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { id, instant } from '#api/schemas.ts'
import { allScopes, type AppScope } from '#domain/customers/accounts/accounts.ts'
import { listApps, setAppAccess } from '#domain/customers/accounts/accounts.server.ts'

const params = z.strictObject({ appId: id })
const unknown = () => problem('NotYours', 'App not found for this account.')

export const appOperations = [
  operation({
    id: 'listApps',
    method: 'get',
    path: '/users/me/apps',
    area: 'Account',
    summary: 'List connected apps',
    audience: 'account',
    isInPerson: true,
    result: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        scopes: z.array(z.enum(Object.keys(allScopes) as AppScope[])),
        firstUsedAt: instant,
        lastUsedAt: instant,
        revokedAt: instant.nullable().meta({ description: 'When its access was revoked' }),
      }),
    ),
    async handle({ app, caller }) {
      const apps = await listApps(app, await accountOf(caller))
      return answer(
        apps.map(({ firstUsedAt, lastUsedAt, revokedAt, ...app }) => ({
          ...app,
          firstUsedAt: firstUsedAt.toString(),
          lastUsedAt: lastUsedAt.toString(),
          revokedAt: revokedAt?.toString() ?? null,
        })),
      )
    },
  }),
  operation({
    id: 'revokeApp',
    method: 'delete',
    path: '/users/me/apps/{appId}/access',
    area: 'Account',
    summary: 'Revoke an app’s access',
    description: 'Takes effect immediately. Until access is restored, we reject all of the app’s tokens.',
    audience: 'account',
    isInPerson: true,
    status: 204,
    params,
    refuses: ['NotYours'],
    async handle({ app, caller, params: { appId } }) {
      return (await setAppAccess(app, await accountOf(caller), appId, { isAllowed: false })) ? answer(null) : unknown()
    },
  }),
  operation({
    id: 'allowApp',
    method: 'put',
    path: '/users/me/apps/{appId}/access',
    area: 'Account',
    summary: 'Restore an app’s access',
    audience: 'account',
    isInPerson: true,
    status: 204,
    params,
    refuses: ['NotYours'],
    async handle({ app, caller, params: { appId } }) {
      return (await setAppAccess(app, await accountOf(caller), appId, { isAllowed: true })) ? answer(null) : unknown()
    },
  }),
]
