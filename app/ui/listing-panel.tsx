import { Icon, type IconName } from '#app/ui/icon.tsx'
import type { PanelView } from '#app/ui/listing-data.ts'

const icons: Record<PanelView['tone'], IconName> = {
  yes: 'check-circle',
  listed: 'car',
  conditions: 'warning',
  no: 'cross-circle',
  unknown: 'question',
  plain: 'car',
}

/** The known vehicle and size, with the step that confirms them. Plain forms that work without script. */
export function ListingPanel({ panel }: { panel: PanelView }) {
  return (
    <section className={`panel verdict ${panel.tone}`} aria-label="Vehicle and size">
      <div className="verdict-words">
        <p className={panel.tone === 'plain' ? 'strong row top' : `fit ${panel.tone}`}>
          <Icon name={icons[panel.tone]} size="s" />
          <span>{panel.headline}</span>
        </p>
        {panel.text ? <p className="small muted tabular">{panel.text}</p> : null}
        {panel.facts.length > 0 ? (
          <dl className="measures tabular">
            {panel.facts.map(({ term, value }) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        ) : null}
      </div>
      <div className="verdict-actions">
        {panel.confirm ? (
          <PostButton action={panel.action} fields={panel.confirm.fields} className="btn small">
            {panel.confirm.label}
          </PostButton>
        ) : null}
        {panel.links.map(({ label, path }) => (
          <a key={label} className="btn small quiet" href={path}>
            {label}
          </a>
        ))}
        {panel.canForget ? (
          <PostButton action={panel.action} fields={[['answer', 'forget']]} className="link small">
            Forget this vehicle
          </PostButton>
        ) : null}
      </div>
      {panel.labels.length > 0 ? (
        <ul className="label-choices">
          {panel.labels.map(({ label, detail, fields }) => (
            <li key={label}>
              <PostButton action={panel.action} fields={fields} className="btn small">
                <span className="tabular">My label shows {label}</span>
              </PostButton>
              {detail ? <span className="small muted">{detail}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
      {panel.trims.length > 0 ? (
        <details className="verdict-more">
          <summary>Pick my trim instead</summary>
          <ul className="trim-choices">
            {panel.trims.map(({ label, detail, path }) => (
              <li key={label}>
                <a href={path}>{label}</a> <span className="small muted tabular">{detail}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {panel.typed ? (
        <details className="verdict-more" open={panel.typed.isOpen}>
          <summary>{panel.typed.isOpen ? 'Enter the size on my label' : 'My label shows something else'}</summary>
          <LabelForm action={panel.action} isFirstStep={panel.typed.isOpen} />
        </details>
      ) : null}
    </section>
  )
}

/** Two fields for the placard's values. The next page reports invalid values. */
function LabelForm({ action, isFirstStep }: { action: string; isFirstStep: boolean }) {
  return (
    <form className="label-form" method="post" action={action}>
      <input type="hidden" name="answer" value="label" />
      <label className="field" htmlFor="label-front">
        Front, as on the label
        <input
          className="input tabular"
          id="label-front"
          name="front"
          placeholder="235/60R18 103H"
          autoComplete="off"
          maxLength={40}
          aria-required="true"
        />
      </label>
      <label className="field" htmlFor="label-rear">
        Rear, if it differs
        <input className="input tabular" id="label-rear" name="rear" autoComplete="off" maxLength={40} />
      </label>
      <button className={isFirstStep ? 'btn primary' : 'btn'} type="submit">
        Use this size
      </button>
    </form>
  )
}

type PostButtonProps = {
  action: string
  fields: [name: string, value: string][]
  className: string
  children: React.ReactNode
}

function PostButton({ action, fields, className, children }: PostButtonProps) {
  return (
    <form method="post" action={action}>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button className={className} type="submit">
        {children}
      </button>
    </form>
  )
}
