/** Lists of original sizes, as staff see and remove them. Files add and replace them. */
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { done, editByHand, type Deps, type EditRefusal } from './edit-by-hand.server.ts'
import { deleteSizeList, selectSizeLists, takeImportLock, type SizeList } from './size-lists.sql.server.ts'

/** Returns all lists with their vehicles and sizes, by precedence. */
export async function listSizeLists({ db }: Pick<Deps, 'db'>): Promise<SizeList[]> {
  return selectSizeLists(db)
}

/**
 * Removes a licensed list with its sizes, and vehicles without other sizes. Rollbacks don't restore them.
 * Refuses `import-running`, `open-list`, and `changed-meanwhile` if its date is no longer `listedOn`.
 */
export function removeSizeList(
  deps: Deps,
  by: Actor,
  { slug, listedOn, reason }: { slug: string; listedOn: string; reason: string },
): Promise<Outcome<null, EditRefusal | Refused<'open-list'> | Refused<'changed-meanwhile'>>> {
  return editByHand<null, EditRefusal | Refused<'open-list'> | Refused<'changed-meanwhile'>>(
    deps,
    by,
    async (tx) => {
      if (!(await takeImportLock(tx))) return refused('import-running')
      const list = (await selectSizeLists(tx)).find((each) => each.slug === slug)
      if (!list) return refused('not-found')
      const { id, name, license, vehicles, sizes } = list
      if (list.listedOn === null) return refused('open-list')
      if (list.listedOn !== listedOn) return refused('changed-meanwhile')
      await deleteSizeList(tx, id)
      const before = { license, listedOn, vehicles, sizes }
      return done(null, { act: 'size-list.removed', subject: name, before, reason })
    },
    'catalog.publish',
  )
}
