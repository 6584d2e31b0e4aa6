import { found } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { pdfAnswer } from '#app/server/pdf-answer.ts'
import { officePaths } from '#content/office-paths.ts'
import { manifestNumber } from '#domain/ordering/parcels/parcels.ts'
import { readManifestFile } from '#domain/ordering/parcels/parcels.server.ts'
import type { Route } from './+types/carrier-manifest-file.ts'

/** Returns a created manifest as the carrier's PDF. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const id = Number(found(/^[1-9]\d{0,14}$/.exec(params.id)?.[0]))
  const { app } = await requireStaff(context, 'parcels.ship', officePaths.officeManifest(id))
  return pdfAnswer(found(await readManifestFile(app, id)), `Manifest_${manifestNumber(id)}`)
}
