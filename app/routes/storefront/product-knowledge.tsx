import { Icon } from '#app/ui/icon.tsx'
import type { KnowledgeView } from './product-knowledge.server.ts'

/** Common questions, each with its answer collapsed. */
export function ProductQuestions({ questions }: Pick<KnowledgeView, 'questions'>) {
  return (
    <section className="product-section product-questions questions" id="questions" aria-labelledby="questions-title">
      <h2 id="questions-title">Common questions</h2>
      <div className="panel">
        {questions.map(({ question, answer, link }) => (
          <details key={question}>
            <summary>
              <h3>{question}</h3>
              <Icon name="down" />
            </summary>
            <p className="answer">
              {answer} {link ? <a href={link.path}>{link.label}</a> : null}
            </p>
          </details>
        ))}
      </div>
    </section>
  )
}

/** The fitment details for the shopper's vehicle, beyond the verdict. */
export function ProductOnVehicle({ fewer, checked }: Pick<KnowledgeView, 'fewer' | 'checked'>) {
  if (!fewer && !checked) return null
  return (
    <div className="product-on-vehicle">
      {fewer ? <FewerTires fewer={fewer} /> : null}
      {checked ? <Checked checked={checked} /> : null}
    </div>
  )
}

function FewerTires({ fewer: { title, rows, drive } }: { fewer: NonNullable<KnowledgeView['fewer']> }) {
  return (
    <section className="product-section" id="fewer" aria-labelledby="fewer-title">
      <h2 id="fewer-title">{title}</h2>
      <dl className="fewer-tires">
        {rows.map(({ count, texts }) => (
          <div key={count}>
            <dt>{count}</dt>
            {texts.map((text) => (
              <dd key={text}>{text}</dd>
            ))}
          </div>
        ))}
      </dl>
      {drive ? (
        <form method="post" action={drive.action} className="drive-question">
          <p id="drive-question">{drive.question}</p>
          <div className="row">
            <button
              className="btn small"
              type="submit"
              name="answer"
              value="all-wheel"
              aria-describedby="drive-question"
            >
              Yes, all-wheel drive
            </button>
            <button
              className="btn small"
              type="submit"
              name="answer"
              value="two-wheel"
              aria-describedby="drive-question"
            >
              No, two wheels
            </button>
          </div>
        </form>
      ) : null}
    </section>
  )
}

/** Failed rules are visible right away. */
function Checked({
  checked: { title, sum, isOpen, rows, source },
}: {
  checked: NonNullable<KnowledgeView['checked']>
}) {
  return (
    <section className="product-section" id="checked" aria-labelledby="checked-title">
      <h2 id="checked-title">{title}</h2>
      <details className="checked" open={isOpen}>
        <summary>{sum}</summary>
        <table className="checked-rules">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Where</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, checked, where, result, tone, text }) => (
              <tr key={key}>
                <th scope="row">
                  {checked}
                  {text ? <small>{text}</small> : null}
                </th>
                <td>{where}</td>
                <td className={`result-${tone}`}>{result}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <p className="small muted">{source}</p>
    </section>
  )
}

/** Sizes of about the same height, each linked to its listing. */
export function OtherSizes({ others: { size, whose, asks, rows } }: Pick<KnowledgeView, 'others'>) {
  if (rows.length === 0) return null
  return (
    <section className="product-section" id="other-sizes" aria-labelledby="other-sizes-title">
      <h2 id="other-sizes-title">Sizes near {size} in height</h2>
      <p className="muted other-sizes-words">
        Within 3 % of the height of {whose}, the most a tire may differ. Another wheel size needs other wheels, and a
        shop checks that they clear the car. “Rated as high” means that it carries as much and goes as fast as {asks}.
      </p>
      {/* Scrolls separately if a phone is too narrow for five columns. */}
      <div className="table-scroll" role="region" aria-label={`Table of sizes near ${size}`} tabIndex={0}>
        <table className="other-sizes tabular">
          <thead>
            <tr>
              <th scope="col">Size</th>
              <th scope="col">Wheels</th>
              <th scope="col">Height</th>
              <th scope="col">At 60 on the speedometer</th>
              <th scope="col">Load and speed</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.path}>
                <th scope="row">
                  <a href={row.path}>{row.size}</a>
                  {row.note ? <small>{row.note}</small> : null}
                </th>
                <td>{row.wheels}</td>
                <td>{row.height}</td>
                <td>{row.speedometer}</td>
                <td>{row.ratings}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
