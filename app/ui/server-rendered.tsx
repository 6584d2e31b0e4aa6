import { createContext, use, type ReactNode } from 'react'

/**
 * Parts of a page rendered by a loader, by name: see `serverRenderedContext`. Filled on the server; empty in the
 * browser.
 */
export const ServerRenderedParts = createContext<Readonly<Record<string, ReactNode>>>({})

/**
 * Inserts a server-only part, without an extra layout box. The browser retains the received HTML. It gets neither the
 * part's code nor its data, and React leaves the existing elements in place.
 */
export function ServerRendered({ name }: { name: string }) {
  if (import.meta.env.SSR) return <Drawn name={name} />
  return <div className="server-rendered" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
}

function Drawn({ name }: { name: string }) {
  const part = use(ServerRenderedParts)[name]
  if (part === undefined) throw new Error(`No loader drew "${name}".`)
  return <div className="server-rendered">{part}</div>
}
