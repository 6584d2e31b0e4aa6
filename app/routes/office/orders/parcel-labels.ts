import { openFile } from '#app/office/open-file.server.ts'
import { parcelLabelsFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/parcel-labels.ts'

/** Returns the labels of several parcels as one file for a label printer. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  openFile(context, parcelLabelsFile, {
    path: officePaths.officeParcels(),
    asked: { parcels: url.searchParams.get('parcels') ?? '' },
  })
