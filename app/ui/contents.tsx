import { Icon } from '#app/ui/icon.tsx'

/** An article's headings as a list of links, open next to the text if there is room, otherwise collapsed above it. */
export function Contents({ headings }: { headings: readonly { id: string; text: string; level: 2 | 3 }[] }) {
  const links = headings.filter(({ level }) => level === 2)
  if (links.length < 2) return null
  const list = (
    <ol>
      {links.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ol>
  )
  return (
    <>
      <details className="contents contents-folded panel">
        <summary>
          On this page <Icon name="down" size="s" />
        </summary>
        {list}
      </details>
      <nav className="contents contents-beside" aria-label="On this page">
        <p className="small strong">On this page</p>
        {list}
      </nav>
    </>
  )
}
