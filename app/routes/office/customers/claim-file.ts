import { openFile } from '#app/office/open-file.server.ts'
import { claimFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/claim-file.ts'

/** Sends the picture or receipt that came with a coverage claim. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, claimFile, { path: officePaths.officeClaim(params.number), asked: { id: params.number } })
