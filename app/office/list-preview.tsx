/** The panel next to a list, with a row's details, without leaving the list. Read-only. */
import { Icon } from '#app/ui/icon.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import type { ListPreview, ListView, PreviewSection } from './list.ts'
import { previewAddress, type ShownPreview } from './use-preview.ts'

export function ListPreviewPanel({
  list,
  shown,
  preview,
}: {
  list: ListView
  shown: ShownPreview
  preview: ListPreview
}) {
  const { title, note, path, open, clock, picture, sections } = preview
  const place = list.rows.findIndex(({ id }) => id === shown.id)
  const [before, after] = [list.rows[place - 1], place < 0 ? undefined : list.rows[place + 1]]
  return (
    <aside className="list-preview" id="preview" aria-label={`Preview of ${title}`} aria-busy={shown.id !== preview.id}>
      <header>
        <h2>{title}</h2>
        {before ? (
          <StepLink list={list} shown={shown} id={before.id} label={`Previous, ${before.label}`} icon="up" />
        ) : null}
        {after ? <StepLink list={list} shown={shown} id={after.id} label={`Next, ${after.label}`} icon="down" /> : null}
        <a
          className="list-icon"
          href={previewAddress(list, null)}
          aria-label="Close preview"
          onClick={(event) => {
            event.preventDefault()
            shown.close()
          }}
        >
          <Icon name="cross" />
        </a>
        <p>{note}</p>
        {clock ? (
          <div className={`list-clock tone-${clock.tone}`}>
            <Icon name="clock" />
            <div>
              <p className="strong">{clock.title}</p>
              <progress max={100} value={clock.share} aria-hidden="true" />
            </div>
          </div>
        ) : null}
        {clock ? <p>{clock.note}</p> : null}
      </header>
      {sections.map((section, index) => (
        <Section key={section.title} section={section} picture={index === 0 ? picture : null} />
      ))}
      <footer>
        <a className="btn quiet wide" href={path}>
          {open}
        </a>
      </footer>
    </aside>
  )
}

function StepLink({
  list,
  shown,
  id,
  label,
  icon,
}: {
  list: ListView
  shown: ShownPreview
  id: string
  label: string
  icon: 'up' | 'down'
}) {
  return (
    <a
      className="list-icon"
      href={previewAddress(list, id)}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault()
        shown.open(id)
      }}
    >
      <Icon name={icon} />
    </a>
  )
}

function Section({ section, picture }: { section: PreviewSection; picture: ListPreview['picture'] }) {
  const { title, lines = [], isLead = false, good, facts = [], sums = [] } = section
  return (
    <section>
      <h3>{title}</h3>
      <div className={picture ? 'list-pictured' : undefined}>
        {picture ? <TirePicture picture={picture} alt="" size={64} eager /> : null}
        <div>
          {lines.map((line) => (
            <p key={line} className={isLead ? 'strong' : undefined}>
              {line}
            </p>
          ))}
          {good ? <p className="list-good">{good}</p> : null}
        </div>
      </div>
      {facts.length > 0 ? (
        <dl className="office-values">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {sums.length > 0 ? (
        <table className="list-sums">
          <tbody>
            {sums.map(({ label, note, amount, kind }) => (
              <tr key={label} className={kind}>
                <th scope="row">
                  {label}
                  {note ? <small>{note}</small> : null}
                </th>
                <td>{amount}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  )
}
