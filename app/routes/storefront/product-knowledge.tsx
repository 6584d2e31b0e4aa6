import type { KnowledgeView } from './product-knowledge.server.ts'

/** Drawn by the loader alone: nothing here is sent to the browser as script. */
export function ProductKnowledge({ knowledge: { fewer, checked, others, questions } }: { knowledge: KnowledgeView }) {
  return (
    <>
      {checked ? <Checked checked={checked} /> : null}
      {fewer ? <FewerTires fewer={fewer} /> : null}
      {others.rows.length > 0 ? <OtherSizes others={others} /> : null}
      <section className="product-section tire-questions" id="questions" aria-labelledby="questions-title">
        <h2 id="questions-title">What shoppers ask</h2>
        {questions.map(({ question, answer, link }) => (
          <details key={question} className="panel">
            <summary>
              <h3>{question}</h3>
            </summary>
            <p>
              {answer} {link ? <a href={link.path}>{link.label}</a> : null}
            </p>
          </details>
        ))}
      </section>
    </>
  )
}

function Checked({ checked: { title, rows, source } }: { checked: NonNullable<KnowledgeView['checked']> }) {
  return (
    <section className="product-section" id="checked" aria-labelledby="checked-title">
      <h2 id="checked-title">{title}</h2>
      <table className="checked-rules">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Where</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, checked, where, result, text }) => (
            <tr key={key}>
              <th scope="row">{checked}</th>
              <td>{where}</td>
              <td>
                <b>{result}</b> {text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted">{source}</p>
    </section>
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
        <form method="post" action={drive.action} className="row drive-question">
          <span id="drive-question">{drive.question}</span>
          <button className="btn small" type="submit" name="answer" value="all-wheel" aria-describedby="drive-question">
            Yes, all-wheel drive
          </button>
          <button className="btn small" type="submit" name="answer" value="two-wheel" aria-describedby="drive-question">
            No, two wheels
          </button>
        </form>
      ) : null}
    </section>
  )
}

function OtherSizes({ others: { size, rows } }: { others: KnowledgeView['others'] }) {
  return (
    <section className="product-section" id="other-sizes" aria-labelledby="other-sizes-title">
      <h2 id="other-sizes-title">Sizes near {size} in height</h2>
      <p className="muted">
        Within 3 % of its height, the most a tire may differ. Another wheel size needs other wheels, and a shop checks that they clear the car. Rated as high
        means: carries as much and goes as fast as this tire.
      </p>
      {/* Scrolls by itself where a phone is too narrow for five columns. */}
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
