import { createContext, use, type ReactNode } from 'react'

/**
 * Parts of a page that a loader drew, by name: see `serverRenderedContext`. Filled on the server; the browser has none.
 */
export const ServerRenderedParts = createContext<Readonly<Record<string, ReactNode>>>({})

/**
 * Stands where a part belongs that only the server draws; for the style sheet it is not there. The browser keeps what
 * it was sent: it gets neither the code that drew the part nor its data, and React leaves what it finds in place.
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
