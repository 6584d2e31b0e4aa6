import { Panel, PanelBody } from './office-parts.tsx'

/** A photo with its URL, description (`alt`), and source (`note`). */
export type OfficePhoto = { path: string; alt: string; note: string }

/** Renders photos. Each opens at full size. */
export function PhotosPanel({ photos }: { photos: readonly OfficePhoto[] }) {
  if (photos.length === 0) return null
  return (
    <Panel id="photos" title="Photos" note={String(photos.length)}>
      <PanelBody>
        <ul className="office-photos">
          {photos.map(({ path, alt, note }) => (
            <li key={path}>
              <a href={path}>
                <img src={path} alt={alt} loading="lazy" width={160} height={120} />
              </a>
              <p className="small">{note}</p>
            </li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}
