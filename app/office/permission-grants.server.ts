/**
 * What each permission opens, from the declarations of pages, lists, task lists, actions, and files. The table of
 * permissions and the role form show it.
 */
import type { z } from 'zod'
import { officeQueues } from '#app/views/office/queues.server.ts'
import { permissions, type Permission } from '#domain/kernel/staff/staff.ts'
import { staffOrderActs } from '#domain/ordering/orders/orders.ts'
import { orderActForms } from './actions/orders.server.ts'
import { recordActions } from './actions.server.ts'
import type { ListDefinition } from './define-list.server.ts'
import { customerData } from './define-record.server.ts'
import { officeListDefinitions } from './lists.server.ts'
import { officeActions, officeGroups } from './navigation.ts'
import { pageParts } from './page-parts.ts'
import type { PermissionGrants } from './permission-grants.ts'
import { officeFiles } from './record-files.server.ts'
import { tableFiles } from './table-files.server.ts'

const permissionKey = 'x-permission'

type Kind = keyof PermissionGrants
type Grant = readonly [permission: Permission, kind: Kind, label: string]

/** Returns what each permission opens, without repetition, with pages in the order of the sidebar. */
export function readPermissionGrants(): Readonly<Record<Permission, PermissionGrants>> {
  const all = [...pageGrants(), ...actionGrants(), ...officeListDefinitions.flatMap(listGrants), ...partGrants()]
  const labels = (permission: Permission, kind: Kind) => [
    ...new Set(all.flatMap(([of, its, label]) => (of === permission && its === kind ? [label] : []))),
  ]
  const names = Object.keys(permissions) as Permission[]
  return Object.fromEntries(
    names.map((name): [Permission, PermissionGrants] => [
      name,
      { pages: labels(name, 'pages'), actions: labels(name, 'actions'), fields: labels(name, 'fields') },
    ]),
  ) as Record<Permission, PermissionGrants>
}

function pageGrants(): Grant[] {
  return [
    ...officeGroups.flatMap(({ pages }) => pages.map(({ permission, label }): Grant => [permission, 'pages', label])),
    ...officeQueues.map(({ permission, title }): Grant => [permission, 'pages', `Tasks: ${title}`]),
  ]
}

function actionGrants(): Grant[] {
  const onlyOnPages = Object.entries(staffOrderActs).filter(([key]) => !Object.hasOwn(orderActForms, key))
  return [
    ...recordActions.flatMap(({ permission: ofRecord, actions }) =>
      Object.values(actions).map(({ permission = ofRecord, summary }): Grant => [permission, 'actions', summary]),
    ),
    ...onlyOnPages.map(([, { permission, name }]): Grant => [permission, 'actions', name]),
    ...[...officeFiles, ...tableFiles].map(({ permission, summary }): Grant => [permission, 'actions', summary]),
    ...officeActions.map(({ permission, label }): Grant => [permission, 'actions', label]),
  ]
}

function partGrants(): Grant[] {
  return Object.values(pageParts).map(({ permission, kind, label }): Grant => [permission, kind, label])
}

/** A list’s page, unless the sidebar has it, its actions, and the fields that not all of its readers see. */
function listGrants(list: ListDefinition): Grant[] {
  const { title, path, permission, exportPermission, columns, bulk } = list
  const isInSidebar = officeGroups.some(({ pages }) =>
    pages.some((page) => page.path === path && page.permission === permission),
  )
  return [
    ...(isInSidebar ? [] : [[permission, 'pages', title] as const]),
    ...(exportPermission ? [[exportPermission, 'actions', `Export ${title.toLowerCase()}`] as const] : []),
    ...Object.values(bulk?.acts ?? {}).map((act): Grant => [act.permission, 'actions', `${title}: ${act.label}`]),
    ...columns.flatMap(({ label, permission: own, revealedBy, isPageOnly }): Grant[] => [
      // A column that is only on the page has buttons.
      ...(own ? [[own, isPageOnly ? 'actions' : 'fields', `${title}: ${label}`] as const] : []),
      ...(revealedBy ? [[revealedBy, 'fields', `${title}: ${label}`] as const] : []),
    ]),
    ...customerFieldsOf(list).map((label): Grant => [customerData[permissionKey], 'fields', `${title}: ${label}`]),
  ]
}

/** Returns the fields in a list’s record that are null without customer data. */
function customerFieldsOf({ record, columns }: ListDefinition): string[] {
  if (!record) return []
  return Object.entries(record.schema.shape)
    .filter(([, field]) => (field as z.ZodType).meta()?.[permissionKey] === customerData[permissionKey])
    .map(([key]) => key.charAt(0).toUpperCase() + key.slice(1))
    .filter((label) => columns.every((column) => !column.revealedBy || column.label !== label))
}
