import { TirePicture, type PictureRef } from '#app/ui/tire-picture.tsx'

export type KindView = {
  slug: string
  name: string
  path: string
  definition: string | null
  /** "62 lines from $72" */
  detail: string
  drawn: { picture: PictureRef; size: string; width: number; drop: number } | null
}

/**
 * Types or categories, each with one of its tires, all at one scale on one baseline: `width` is the picture's share of
 * the widest one and `drop` the empty space below the tire, both in percent.
 */
export function KindGrid({ kinds, heading: Heading = 'h3' }: { kinds: KindView[]; heading?: 'h2' | 'h3' }) {
  return (
    <ul className="kind-grid">
      {kinds.map(({ slug, name, path, definition, detail, drawn }) => (
        <li key={slug}>
          <a href={path}>
            <span className="kind-ground">
              {drawn ? (
                <span className="kind-tire" style={{ width: `${drawn.width}%`, marginBottom: `-${drawn.drop}%` }}>
                  <TirePicture picture={drawn.picture} alt="" size={168} />
                </span>
              ) : null}
            </span>
            <Heading>{name}</Heading>
            {drawn ? <span className="small muted tabular kind-size">{drawn.size}</span> : null}
            <span className="small tabular">{detail}</span>
            {definition ? <span className="small muted kind-definition">{definition}</span> : null}
          </a>
        </li>
      ))}
    </ul>
  )
}
