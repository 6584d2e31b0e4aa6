import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Score } from '#app/ui/tire-facts.tsx'
import type { Route } from './+types/tire-score.ts'
import { readScorePage } from './tire-score.server.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'How the tire score is made',
    description:
      'Good from 7, Great from 8, Excellent from 9. See how the tire score is calculated, with a worked example.',
    path: paths.tireScore(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export function loader({ context }: Route.LoaderArgs) {
  return readScorePage(context.get(applicationContext).config.store.name)
}

export default function TireScore({
  loaderData: { store, bands, parts, imagined, withoutWarranty, grades, kinds, attributes, example },
}: Route.ComponentProps) {
  return (
    <article className="wrap score-page">
      <Crumbs crumbs={[{ label: 'Types', path: paths.types() }]} here="Tire score" />
      <h1>How the {store} score is made</h1>
      <p className="score-lead">
        A number from 0 to 10 for every tire with three reviews or more. Most of it is what owners say, the rest is what
        the manufacturer’s warranty and legally required measurements. It can’t be bought, and every part of it is on
        the tire’s own page.
      </p>
      <ul className="score-bands">
        {bands.map(({ word, from, to, tenths }) => (
          <li key={word} className="panel">
            <Score tenths={tenths} word={word} store={store} />
            <p className="small muted tabular">
              {word}: {from} to {to}
            </p>
          </li>
        ))}
      </ul>

      <h2>Three parts</h2>
      <dl className="score-shares tabular">
        {parts.map(({ name, weight, text }) => (
          <div key={name}>
            <dt>
              <b>{weight}%</b>
              {name}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p>
        A part that a kind of tire cannot have is left out, and its weight goes to the others. Winter tires carry no
        treadwear grade by law, so they don’t lose points for it. {imagined} A tire without a mileage warranty, where
        its kind usually has one, gets {withoutWarranty} of 10 for that part. The grades count {grades}.
      </p>

      <h2>What counts how much, by kind of tire</h2>
      <p className="muted">The same snow rating matters for a winter tire but not for a summer tire.</p>
      <KindWeights attributes={attributes} kinds={kinds} />

      <h2>A worked example</h2>
      <p>{example.tire}</p>
      <ol className="score-steps tabular">
        {example.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="score-result">
        <Score tenths={example.tenths} word={example.word} store={store} />
      </p>
    </article>
  )
}

/** The weight of each rating for each kind of tire, and what earns full points for the rest. */
function KindWeights({ attributes, kinds }: Pick<Route.ComponentProps['loaderData'], 'attributes' | 'kinds'>) {
  return (
    <div className="panel score-kinds" role="region" aria-labelledby="kinds-caption" tabIndex={0}>
      <table className="tabular">
        <caption id="kinds-caption" className="visually-hidden">
          Weight of each rating by kind of tire, with the warranty and the treadwear grade that earn full points
        </caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {attributes.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">Full warranty</th>
            <th scope="col">Full treadwear</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ name, weights, warranty, treadwear }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {weights.map((weight, index) => (
                <td key={attributes[index]}>{weight}</td>
              ))}
              <td>{warranty}</td>
              <td>{treadwear}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
