import type { ReactNode } from 'react'

/** A directory entry, with its name and a note. */
export type DirectoryPlace = { path: string; name: string; note: ReactNode }

export function DirectoryGrid({ places }: { places: readonly DirectoryPlace[] }) {
  return (
    <ul className="directory-grid panel">
      {places.map(({ path, name, note }) => (
        <li key={path}>
          <a href={path}>
            <span className="strong">{name}</span>
            <span className="small muted tabular">{note}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
