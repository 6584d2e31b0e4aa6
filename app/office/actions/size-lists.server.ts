import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { listSizeLists, removeSizeList } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { sizeListRemovalForm } from '#domain/catalog/catalog-import/catalog-import.ts'
import { editRefusals, showEdit } from './catalog-edits.server.ts'

export const sizeListActions = defineActions({
  resource: 'size-lists',
  noun: 'size list',
  permission: 'catalog.publish',
  readPermission: 'catalog.read',
  actions: {
    remove: formAction(
      {
        summary: 'Remove a size list',
        description:
          'Removes an imported list with its sizes, and vehicles that have no other sizes. `listedOn` is the date that was read. Rollbacks don’t restore them.',
        form: sizeListRemovalForm,
      },
      ({ app, by, id }, { listedOn, reason }) => showEdit(app, removeSizeList(app, by, { slug: id, listedOn, reason })),
    ),
  },
  refusals: {
    ...editRefusals,
    'import-running': 'An import is running. Try again in a minute.',
    'open-list': 'The store’s open list can’t be removed.',
    'changed-meanwhile': 'A newer file replaced this list after you opened it. Reload the page.',
  },
  async read(app, id) {
    const list = (await listSizeLists(app)).find(({ slug }) => slug === id)
    if (!list) return undefined
    const { name, license, listedOn, vehicles, sizes } = list
    return { name, license, listedOn, vehicles, sizes }
  },
  facts: z.object({ name: z.string(), license: z.string(), vehicles: z.int(), sizes: z.int() }),
})
