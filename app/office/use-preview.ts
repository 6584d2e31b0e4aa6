/** Which row's preview is open. The server sends the first; with script, the next ones are loaded without the page. */
import { useState } from 'react'
import { useFetcher } from 'react-router'
import { withQuery } from '#content/paths.ts'
import type { ListPreview, ListView } from './list.ts'
import type { ListData } from './read-list.server.ts'

export type ShownPreview = {
  preview: ListPreview | null
  /** The row that was chosen; its preview may still be loading. */
  id: string | null
  open(id: string): void
  close(): void
}

/** The address of this page of the list with a row's preview; without one for null. */
export function previewAddress({ path, values }: Pick<ListView, 'path' | 'values'>, id: string | null): string {
  return withQuery(path, { ...values, preview: id ?? undefined })
}

export function usePreview(list: ListView, sent: ListPreview | null): ShownPreview {
  const fetcher = useFetcher<ListData>()
  const [id, setId] = useState(sent?.id ?? null)
  const loaded = fetcher.data?.preview
  const chosen = [loaded, sent].find((one) => one?.id === id)
  return {
    // The previous preview stays visible until the next one loads.
    preview: id === null ? null : (chosen ?? loaded ?? sent),
    id,
    open: (next) => {
      if (next === id) return
      setId(next)
      history.replaceState(history.state, '', previewAddress(list, next))
      void fetcher.load(withQuery(list.path, { preview: next, part: 'preview' }))
    },
    close: () => {
      setId(null)
      history.replaceState(history.state, '', previewAddress(list, null))
    },
  }
}
