import { openFile } from '#app/office/open-file.server.ts'
import { pickListFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/pick-list.ts'

/** Returns the pick list as a PDF for the warehouse with the code `warehouse`, or for all warehouses. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  openFile(context, pickListFile, {
    path: officePaths.officePickList(),
    asked: { warehouse: url.searchParams.get('warehouse')?.slice(0, 10) },
  })
