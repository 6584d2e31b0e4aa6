import { requireStaff } from '#app/server/office.server.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { officePaths } from '#content/office-paths.ts'
import { findAttachment, findReplyFile } from '#domain/messaging/support/support.server.ts'
import { readRequestId, readWhole } from '#app/views/office-message.server.ts'
import type { Route } from './+types/message-file.ts'

/** Downloads a message's attachment. Images were re-encoded on receipt; PDFs are the sender's original files. */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const requestId = readRequestId(params.id)
  const { app } = await requireStaff(context, 'requests.read', officePaths.officeMessage(requestId))
  const replyId = readWhole(url.searchParams.get('reply'))
  const place = readWhole(url.searchParams.get('place'))
  const file =
    replyId === undefined
      ? await findAttachment(app, requestId)
      : await findReplyFile(app, { requestId, replyId, place: place ?? 1 })
  return storedFile(app, file)
}
