import { Fragment } from 'react'
import { paths } from '#content/paths.ts'
import { Icon, type IconName } from '#app/ui/icon.tsx'
import { FitLine } from '#app/ui/tire-facts.tsx'
import type { AxleCellView, Fields, FitmentView } from './product-view.ts'

/** Whether the set fits the shopper's vehicle, axle by axle, and the one step that confirms a listed size. */
export function ProductFitment({ fitment }: { fitment: FitmentView | null }) {
  if (!fitment) return <AskVehicle />
  const { tone, headline, lines, axles, source, action, label, choices, links } = fitment
  return (
    <section className={`panel product-fitment ${tone}`} aria-labelledby="fitment-title">
      <h2 id="fitment-title">
        <FitLine tone={tone}>{headline}</FitLine>
      </h2>
      {lines.length > 0 ? (
        <ul className="small">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : null}
      {axles.length > 0 ? <AxleTable axles={axles} /> : null}
      {label ? (
        <div className="label-check">
          <p className="small">{label.question}</p>
          <div className="row">
            <ConfirmButton action={action} fields={label.confirm.fields}>
              {label.confirm.label}
            </ConfirmButton>
            <a className="small" href={label.differs}>
              My label shows a different size
            </a>
          </div>
        </div>
      ) : null}
      {choices.length > 0 ? (
        <ul className="label-says">
          {choices.map(({ label: words, detail, fields }) => (
            <li key={words}>
              <ConfirmButton action={action} fields={fields}>
                My label shows {words}
              </ConfirmButton>
              {detail ? <p className="tiny muted">{detail}</p> : null}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="tiny muted">
        {source}
        {links.map(({ label: words, path }, index) => (
          <span key={path}>
            {index === 0 ? ' ' : ' · '}
            <a href={path}>{words}</a>
          </span>
        ))}
      </p>
    </section>
  )
}

function AskVehicle() {
  return (
    <section className="panel product-fitment plain" aria-labelledby="fitment-title">
      <h2 id="fitment-title" className="row">
        <Icon name="car" /> Does it fit your car?
      </h2>
      <p className="small muted">Tell us what you drive, and we’ll check size, load, and speed for each axle.</p>
      <a className="btn quiet small" href={paths.find()}>
        Check my vehicle
      </a>
    </section>
  )
}

function AxleTable({ axles }: { axles: FitmentView['axles'] }) {
  return (
    <table className="axles tabular">
      <caption className="visually-hidden">What each axle needs and gets</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Measure</span>
          </th>
          <th scope="col">Car needs</th>
          <th scope="col">Front</th>
          <th scope="col">Rear</th>
        </tr>
      </thead>
      <tbody>
        {axles.map(({ label, requirements, front, rear }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>
              <Sizes text={requirements} />
            </td>
            <AxleCell cell={front} />
            <AxleCell cell={rear} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const signs: Record<'ok' | 'check' | 'no', { icon: IconName; words: string }> = {
  ok: { icon: 'check', words: '' },
  check: { icon: 'question', words: ', check' },
  no: { icon: 'cross', words: ', does not fit' },
}

function AxleCell({ cell }: { cell: AxleCellView }) {
  if (!cell) return <td className="muted">–</td>
  const { icon, words } = signs[cell.state]
  return (
    <td className={`axle-${cell.state}`}>
      <span className="row top">
        <Icon name={icon} size="s" />
        <span>
          <Sizes text={cell.text} />
          {words ? <span className="visually-hidden">{words}</span> : null}
        </span>
      </span>
    </td>
  )
}

/** Text that may break after the slash of a size, so that four columns fit a phone. */
function Sizes({ text }: { text: string }) {
  const [first, ...rest] = text.split('/')
  return (
    <>
      {first}
      {rest.map((part, index) => (
        // The parts of one text never change order.
        <Fragment key={index}>
          /<wbr />
          {part}
        </Fragment>
      ))}
    </>
  )
}

function ConfirmButton({ action, fields, children }: { action: string; fields: Fields; children: React.ReactNode }) {
  return (
    <form method="post" action={action}>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button className="btn small" type="submit">
        {children}
      </button>
    </form>
  )
}
