import { requireStaff } from '#app/server/office.server.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { officePaths } from '#content/office-paths.ts'
import { parseClaimNumber } from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { findClaimFile } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import type { Route } from './+types/claim-file.ts'

/** Sends the picture or receipt that came with a coverage claim. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'claims.read', officePaths.officeClaim(params.number))
  const id = parseClaimNumber(params.number)
  return storedFile(app, id === undefined ? undefined : await findClaimFile(app, id))
}
