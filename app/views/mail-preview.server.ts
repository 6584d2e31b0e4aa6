/** Emails with sample values, from templates that are part of the bundle. */
import { findItems } from '#domain/catalog/catalog.server.ts'
import { previewMessage } from '#domain/messages/messages.server.ts'
import { messageKinds, stoppableKinds, stopKindOf, type MessageKind } from '#domain/messages/messages.ts'
import type { Config } from '#platform/config.ts'
import { normalizeText } from '#platform/text-file.ts'
import type { Shop } from '#shop'

const templates = import.meta.glob<string>('/content/mail/*.md', { query: '?raw', import: 'default', eager: true })

type Previewing = Pick<Shop, 'db'> & { config: Pick<Config, 'web' | 'store'> }

/** Renders an email of this kind with sample values, and the image of a catalog item. */
export async function previewOf(shop: Previewing, kind: MessageKind): ReturnType<typeof previewMessage> {
  return preview(shop, kind, await findPicturedItem(shop))
}

/** Every kind of email the store sends, with its subject, and what its recipient stops to get no more of it. */
export async function listPreviews(
  shop: Previewing,
): Promise<{ kind: MessageKind; subject: string; stops: string | null }[]> {
  return Promise.all(
    messageKinds.map(async (kind) => {
      const { subject } = await preview(shop, kind, null)
      const stops = stopKindOf(kind)
      return { kind, subject, stops: stops && stoppableKinds[stops] }
    }),
  )
}

function preview(
  { config }: Previewing,
  kind: MessageKind,
  picturedItem: number | null,
): ReturnType<typeof previewMessage> {
  const readTemplate = async () => normalizeText(templates[`/content/mail/${kind}.md`] ?? '')
  return previewMessage(config, kind, { picturedItem, readTemplate })
}

/** Any item: the sample names a tire that the catalog may not have. */
async function findPicturedItem(shop: Previewing): Promise<number | null> {
  const [item] = await findItems(shop, '', 1)
  return item?.id ?? null
}
