import { openFile } from '#app/office/open-file.server.ts'
import { parcelSlipsFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/parcel-slips.ts'

/** Returns the packing slips of several parcels as one PDF. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  openFile(context, parcelSlipsFile, {
    path: officePaths.officeParcels(),
    asked: { parcels: url.searchParams.get('parcels') ?? '' },
  })
