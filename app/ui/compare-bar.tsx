import { paths } from '#content/paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import { TirePicture, type PictureRef } from '#app/ui/tire-picture.tsx'
import { mostCompared } from '#domain/catalog/catalog/catalog.ts'
import { countOf } from '#platform/count-text.ts'

export type ComparedTire = { key: string; name: string; tire: string; picture: PictureRef }

/** Why "Compare" had no effect. Without script, the page is reloaded with one of these as the URL fragment. */
export const compareNotes = {
  'compare-duplicate': 'This tire is already in your comparison.',
  'compare-maximum': `${countOf(mostCompared, 'tire')} is the comparison limit. Remove one to add another.`,
  'compare-gone': 'This tire is no longer sold. Pick another one.',
} as const
export type CompareNote = keyof typeof compareNotes

/**
 * The tires being compared, above the bottom of the page and always visible. Its buttons belong to the form of
 * `Comparing`.
 */
export function CompareBar({ tires, note }: { tires: readonly ComparedTire[]; note?: CompareNote | undefined }) {
  const left = mostCompared - tires.length
  return (
    <section className="compare-panel" aria-label="Compare tires">
      {Object.entries(compareNotes).map(([id, text]) => (
        <p key={id} id={id} className={id === note ? 'compare-note is-said' : 'compare-note'}>
          {text}
        </p>
      ))}
      <div className="wrap">
        <ul>
          {tires.map(({ key, name, tire, picture }) => (
            <li key={key}>
              <TirePicture picture={picture} alt="" size={64} />
              <span className="compare-name">
                {name}
                <small className="tabular">{tire}</small>
              </span>
              <button
                className="compare-out"
                type="submit"
                form="compare"
                name="remove"
                value={key}
                aria-label={`Remove ${name} ${tire}`}
              >
                <Icon name="cross" size="s" />
              </button>
            </li>
          ))}
          {left > 0 ? <li className="compare-more">Add up to {left} more</li> : null}
        </ul>
        <span className="compare-count tabular">
          {tires.length} of {mostCompared}
        </span>
        <button className="compare-clear" type="submit" form="compare" name="clear" value="1">
          Clear
        </button>
        {tires.length > 1 ? (
          <a className="btn primary" href={paths.compare(tires.map(({ key }) => key))}>
            Compare {tires.length}
          </a>
        ) : null}
      </div>
    </section>
  )
}
