import { paths } from '#content/paths.ts'
import type { ReadSize } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { pluralForm } from '#platform/count-text.ts'
import { sureWords } from './camera-messages.ts'

/**
 * Renders one resulting size, or up to three to choose from. The page's field contains the first size, and the shopper
 * can correct it there.
 */
export function SizesRead({ sizes }: { sizes: readonly ReadSize[] }) {
  const sold = sizes.filter(({ isKnown }) => isKnown).slice(0, 3)
  const [only] = sizes
  if (sold.length === 0)
    return only ? (
      <p className="field-error">
        We read {only.designation}, a size we do not sell. Compare each digit with your tire and correct it in the
        field, or <a href={paths.search(only.designation)}>see what is near it</a>.
      </p>
    ) : null
  return (
    <>
      <p>
        {pluralForm(
          sold.length,
          'This is what we read. Is it what you see?',
          'There may be more than one size. Which do you see on your tire?',
        )}
      </p>
      <ul className="camera-sizes">
        {sold.map(({ designation, slug, confidence }, index) => (
          <li key={slug}>
            <a className={index === 0 ? 'btn primary large' : 'btn'} href={paths.size(slug)}>
              Show tires in <span className="tabular">{designation}</span>
            </a>
            <span className="small muted">{sureWords(confidence)}</span>
          </li>
        ))}
      </ul>
      <p className="small muted">If a digit is different on your tire, correct it in the field.</p>
    </>
  )
}
