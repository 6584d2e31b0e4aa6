import { Rating } from '#app/ui/rating.tsx'

export type DirectoryEntry = { name: string; path: string; hundredths: number; detail: string }

/** A grid of brands, types or categories, each with its mean rating and number of reviews. */
export function ReviewDirectory({ entries }: { entries: readonly DirectoryEntry[] }) {
  return (
    <ul className="directory-grid panel tabular">
      {entries.map(({ name, path, hundredths, detail }) => (
        <li key={path}>
          <a href={path}>
            <span className="strong">{name}</span>
            <span className="row small review-directory-facts">
              <Rating hundredths={hundredths} />
              <span className="muted">{detail}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
