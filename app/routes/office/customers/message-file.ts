import { openFile } from '#app/office/open-file.server.ts'
import { messageFile } from '#app/office/record-files.server.ts'
import { readRequestId } from '#app/views/office/message.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/message-file.ts'

/** Downloads a message's attachment. Images were re-encoded on receipt; PDFs are the sender's original files. */
export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  openFile(context, messageFile, {
    path: officePaths.officeMessage(readRequestId(params.id)),
    asked: {
      id: params.id,
      reply: url.searchParams.get('reply') ?? undefined,
      place: url.searchParams.get('place') ?? undefined,
    },
  })
