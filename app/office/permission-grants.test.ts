import { expect, test } from 'vitest'
import { permissions, type Permission } from '#domain/kernel/staff/staff.ts'
import { recordActions } from './actions.server.ts'
import { officeListDefinitions } from './lists.server.ts'
import { officeActions, officeGroups } from './navigation.ts'
import { readPermissionGrants } from './permission-grants.server.ts'

const grants = readPermissionGrants()

test('every declared page, list, and action is listed under its permission', () => {
  const missing: string[] = []
  const expectIn = (permission: Permission, labels: readonly string[], label: string) => {
    if (!labels.includes(label)) missing.push(`${permission}: ${label}`)
  }
  for (const { pages } of officeGroups)
    for (const { permission, label } of pages) expectIn(permission, grants[permission].pages, label)
  const inSidebar = new Map(
    officeGroups.flatMap(({ pages }) => pages.map((page) => [`${page.path} ${page.permission}`, page.label] as const)),
  )
  for (const { permission, path, title, columns, bulk } of officeListDefinitions) {
    expectIn(permission, grants[permission].pages, inSidebar.get(`${path} ${permission}`) ?? title)
    for (const act of Object.values(bulk?.acts ?? {}))
      expectIn(act.permission, grants[act.permission].actions, `${title}: ${act.label}`)
    for (const { label, revealedBy } of columns)
      if (revealedBy) expectIn(revealedBy, grants[revealedBy].fields, `${title}: ${label}`)
  }
  for (const { permission: ofRecord, actions } of recordActions)
    for (const { permission = ofRecord, summary } of Object.values(actions))
      expectIn(permission, grants[permission].actions, summary)
  for (const { permission, label } of officeActions) expectIn(permission, grants[permission].actions, label)
  expect(missing).toEqual([])
})

test('a permission reveals the fields that lists and records declare', () => {
  expect(grants['customers.read'].fields).toEqual(
    expect.arrayContaining(['Orders: Phone', 'Orders: Notes', 'Messages: From', 'Coverage claims: Email']),
  )
  expect(grants['pay.read'].fields).toEqual(['All shops: Pay due'])
})

test('every permission opens a page, an action, or a field', () => {
  const names = Object.keys(permissions) as Permission[]
  expect(names.filter((name) => Object.values(grants[name]).every((labels) => labels.length === 0))).toEqual([])
})
