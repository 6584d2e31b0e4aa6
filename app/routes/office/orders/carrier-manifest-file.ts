import { openFile } from '#app/office/open-file.server.ts'
import { manifestFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/carrier-manifest-file.ts'

/** Returns a created manifest as the carrier's PDF. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, manifestFile, { path: officePaths.officeManifests(), asked: params })
