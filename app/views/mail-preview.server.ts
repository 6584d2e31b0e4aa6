/** Emails with sample values, from templates that are part of the bundle. */
import { previewMessage } from '#domain/messages/messages.server.ts'
import { messageKinds, stoppableKinds, stopKindOf, type MessageKind } from '#domain/messages/messages.ts'
import type { Config } from '#platform/config.ts'
import { normalizeText } from '#platform/text-file.ts'

const templates = import.meta.glob<string>('/content/mail/*.md', { query: '?raw', import: 'default', eager: true })

/** Renders an email of this kind with sample values. */
export function previewOf(config: Pick<Config, 'web' | 'store'>, kind: MessageKind): ReturnType<typeof previewMessage> {
  return previewMessage(config, kind, async () => normalizeText(templates[`/content/mail/${kind}.md`] ?? ''))
}

/** Every kind of email the store sends, with its subject, and what its recipient stops to get no more of it. */
export function listPreviews(
  config: Pick<Config, 'web' | 'store'>,
): Promise<{ kind: MessageKind; subject: string; stops: string | null }[]> {
  return Promise.all(
    messageKinds.map(async (kind) => {
      const { subject } = await previewOf(config, kind)
      const stops = stopKindOf(kind)
      return { kind, subject, stops: stops && stoppableKinds[stops] }
    }),
  )
}
