import { decide, doneNews, found, fresh, press, step } from '#app/office/decision.server.ts'
import { FactsPanel, FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import {
  addApiClient,
  changeApiClient,
  findApiClient,
  listRoleNames,
  revokeApiClient,
} from '#domain/kernel/staff/staff.server.ts'
import { apiClientChangeForm, apiClientForm } from '#domain/kernel/staff/staff.ts'
import { isId } from '#platform/ids.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Route } from './+types/api-client.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.client?.name ?? 'New API client', officePaths.officeApiClients())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'staff.manage', officePaths.officeApiClient(id))
  const { app } = staff
  const client = id === 'new' ? null : found(isId(id) ? await findApiClient(app, id) : undefined)
  const roles = await listRoleNames(app)
  return {
    isFresh: isFresh(staff),
    news: doneNews(url, {
      add: 'Added. The program can request tokens now.',
      change: 'Saved. The change applies from the next call on.',
    }),
    roles: roles.map(({ slug, name }): [string, string] => [slug, name]),
    resource: `${app.config.web.origin}/api/admin`,
    issuer: app.identity?.issuer ?? null,
    client: client && {
      name: client.name,
      clientId: client.clientId,
      role: client.role,
      version: client.version,
      isRevoked: client.revokedAt !== null,
      added: `${storeDateText(client.addedAt)} by ${client.addedBy}`,
      used: client.lastUsedAt ? storeDateText(client.lastUsedAt) : 'Never',
    },
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decide(
    args,
    {
      noun: 'API client',
      permission: 'staff.manage',
      path: (done) => officePaths.officeApiClient(id, done),
      signsInAgain: true,
    },
    ({ app, by }) => ({
      add: fresh(
        step(
          apiClientForm,
          (draft) => addApiClient(app, by, draft),
          (added) => officePaths.officeApiClient(added.id, 'add'),
        ),
      ),
      change: fresh(step(apiClientChangeForm, (change) => changeApiClient(app, by, id, change))),
      revoke: fresh(press(() => revokeApiClient(app, by, id), officePaths.officeApiClients('revoked'))),
    }),
    {
      gone: null,
      'no-role': { field: 'role', text: 'This role was retired. Choose another role.' },
      'no-provider': 'This store has no sign-in provider, which issues the tokens of API clients.',
      'client-taken': { field: 'clientId', text: 'An API client with this ID is in the list. Change its role there.' },
    },
  )
}

export default function ApiClientPage({ loaderData, actionData: reply, params: { id } }: Route.ComponentProps) {
  const { client, roles, isFresh: mayNow, news, resource, issuer } = loaderData
  return (
    <OfficePage
      title={client?.name ?? 'New API client'}
      crumbs={[{ label: 'API clients', path: officePaths.officeApiClients() }]}
      news={news}
      reply={reply}
    >
      {mayNow && !client?.isRevoked ? (
        <FormPanel
          id="api-client"
          title="What the program may do"
          reply={reply}
          hidden={client ? { version: client.version } : {}}
          fields={{
            name: {
              label: 'Name',
              value: client?.name,
              max: 60,
              hint: 'What the program is, such as Warehouse system.',
            },
            clientId: client
              ? null
              : {
                  label: 'Client ID',
                  max: 200,
                  hint: 'Register the program with your sign-in provider for the client credentials grant first.',
                },
            role: {
              label: 'Role',
              kind: 'choice',
              options: roles,
              value: client?.role,
              hint: 'The scopes of its tokens are names of permissions, and restrict the role further.',
            },
          }}
          buttons={[
            client ? button('change', 'Save', 'primary') : button('add', 'Add the API client', 'primary'),
            ...(client ? [button('revoke', 'Revoke', 'stop')] : []),
          ]}
        />
      ) : null}
      <FreshSignInNotice
        isFresh={mayNow}
        title="Changing API clients requires a recent sign-in"
        back={officePaths.officeApiClient(id)}
      />
      <FactsPanel
        id="connection"
        title="Connection"
        rows={[
          ...(client
            ? [
                ['Client ID', client.clientId] as const,
                ['State', client.isRevoked ? 'Revoked' : 'Active'] as const,
                ['Added', client.added] as const,
                ['Last used', client.used] as const,
              ]
            : []),
          ['Token issuer', issuer ?? 'None'],
          ['Resource', resource],
          ['Description', `${resource}/openapi.json`],
        ]}
      />
    </OfficePage>
  )
}
