/** The list of programs that read the back office through the API. */
import { allRows, defineList, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listApiClients } from '#domain/kernel/staff/staff.server.ts'

export const apiClients = defineList({
  name: 'api-clients',
  title: 'API clients',
  path: officePaths.officeApiClients(),
  permission: 'staff.manage',
  caption: 'API clients, newest first',
  nouns: ['API client', 'API clients'],
  columns: [
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'clientId', label: 'Client ID' },
    { key: 'role', label: 'Role' },
    { key: 'state', label: 'State' },
    { key: 'used', label: 'Last used', kind: 'time' },
    { key: 'added', label: 'Added', kind: 'time' },
    { key: 'addedBy', label: 'Added by' },
  ],
  links: [{ label: 'Add an API client', path: officePaths.officeApiClient('new'), isPrimary: true }],
  news: { revoked: 'Revoked. Its tokens no longer work.' },
  rowAt: () => ({ after: null }),
  read: ({ app }) =>
    allRows(listApiClients(app), (client) => ({
      id: client.id,
      label: client.name,
      path: officePaths.officeApiClient(client.id),
      cells: {
        name: client.name,
        clientId: client.clientId,
        role: client.roleName,
        state: client.revokedAt ? 'Revoked' : 'Active',
        used: time(client.lastUsedAt),
        added: time(client.addedAt),
        addedBy: client.addedBy,
      },
    })),
})
