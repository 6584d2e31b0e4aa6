import { createContext, use, type ReactNode } from 'react'

/** Parts of a page that a loader drew, by name: see `drawnContext`. Filled on the server; the browser has none. */
export const DrawnParts = createContext<ReadonlyMap<string, ReactNode>>(new Map())

/**
 * Stands where a part that never changes belongs. The browser keeps what it was sent: it gets neither the code that drew the part nor its data.
 * A page that shows something else under the same address gives it another `key`.
 */
export function DrawnOnce({ name }: { name: string }) {
  if (import.meta.env.SSR) return <Drawn name={name} />
  return <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
}

function Drawn({ name }: { name: string }) {
  return <div>{use(DrawnParts).get(name)}</div>
}
