import { data } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { CompareToggle, comparingBar } from '#app/ui/comparing.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { ListingPanel } from '#app/ui/listing-panel.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Share } from '#app/ui/share.tsx'
import { Rating } from '#app/ui/rating.tsx'
import { FitLine, Score } from '#app/ui/tire-facts.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { TOP_PICKS } from '#platform/business-constants.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'
import { readRecommendations } from './recommendations.server.ts'
import type { QuestionView, RecommendationsView } from './recommendations-view.ts'
import type { Route } from './+types/recommendations.ts'

export const handle = { bar: comparingBar }

export const meta: Route.MetaFunction = ({ matches, loaderData, location }) =>
  pageHead(matches, {
    title: loaderData?.result ? loaderData.heading : 'Help me decide on tires',
    description: `Answer four questions about how you drive and get ${countOf(TOP_PICKS, 'tire')} that fit, each with the reasons: what owners rate, the warranty, the price.`,
    path: paths.recommendations(),
    isIndexed: location.search === '',
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/**
 * The answers are in the address, so that a result can be shared. A missing answer or size is reported next to its
 * field, with status 422.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const view = await readRecommendations(context.get(applicationContext), context.get(visitorContext), url)
  const hasProblem = view.size.problem !== null || view.questions.some(({ problem }) => problem !== null)
  return data(view, hasProblem ? 422 : 200)
}

export default function Recommendations({ loaderData: view }: Route.ComponentProps) {
  const { heading, result, panel, path } = view
  return (
    <div className="wrap recommend-page">
      <div className="row between compare-head">
        <div>
          <h1>{heading}</h1>
          <p className="muted">
            {result
              ? 'The best for your answers first. Every reason is a number you can check on the tire’s page.'
              : `Answer four questions to get ${countOf(TOP_PICKS, 'tire')} with reasons. We don’t store your answers.`}
          </p>
        </div>
        {result ? <Share path={path} title="Tires that suit how I drive" /> : null}
      </div>
      {panel ? <ListingPanel panel={panel} /> : null}
      {result ? <Result result={result} store={view.store} /> : null}
      {result ? (
        <details className="panel recommend-again">
          <summary>Change my answers</summary>
          <QuestionForm view={view} />
        </details>
      ) : (
        <QuestionForm view={view} />
      )}
      <HowWeRank />
    </div>
  )
}

function QuestionForm({ view: { subject, size, questions } }: { view: RecommendationsView }) {
  const problems = questions.filter(({ problem }) => problem !== null)
  return (
    <form className="recommend-form" action={paths.recommendations()}>
      {problems.length > 0 ? (
        <div className="error-summary" role="alert">
          <p className="strong">
            {pluralForm(problems.length, 'One answer is missing:', `${problems.length} answers are missing:`)}
          </p>
          <ul>
            {problems.map(({ name, text, answers }) => (
              <li key={name}>
                <a href={`#${name}-${answers[0]?.value}`}>{text}</a>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {subject ? (
        <p className="recommend-for">
          {subject.fields.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          For <b className="tabular">{subject.label}</b>
          <a className="small" href={paths.find()}>
            Another vehicle or size
          </a>
        </p>
      ) : (
        <SizeQuestion size={size} />
      )}
      {questions.map((question) => (
        <Question key={question.name} question={question} />
      ))}
      <button className="btn primary large" type="submit">
        Show my {countOf(TOP_PICKS, 'tire')}
      </button>
    </form>
  )
}

function SizeQuestion({ size: { typed, problem } }: Pick<RecommendationsView, 'size'>) {
  return (
    <div className="panel recommend-size">
      <div className="field-row">
        <label className="field" htmlFor="recommend-size">
          Your tire size
        </label>
        <input
          className="input tabular"
          id="recommend-size"
          name="size"
          defaultValue={typed}
          placeholder="225/65R17"
          autoComplete="off"
          maxLength={40}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'recommend-size-error' : 'recommend-size-hint'}
        />
        {problem ? (
          <p className="field-error" id="recommend-size-error">
            {problem}
          </p>
        ) : null}
        <p className="field-hint" id="recommend-size-hint">
          It is on the side of your tires and on the label at the driver’s door.
        </p>
      </div>
      <p>
        Or <a href={paths.find()}>choose your vehicle</a> first, and come back from its list.
      </p>
    </div>
  )
}

function Question({ question: { name, text, answers, problem } }: { question: QuestionView }) {
  return (
    <fieldset className="recommend-question" aria-describedby={problem ? `${name}-error` : undefined}>
      <legend>{text}</legend>
      {problem ? (
        <p className="field-error" id={`${name}-error`}>
          {problem}
        </p>
      ) : null}
      <div>
        {answers.map(({ value, label, isChosen }) => (
          <label key={value} className="panel check">
            <input type="radio" id={`${name}-${value}`} name={name} value={value} defaultChecked={isChosen} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Result({
  result: { picks, all, compare },
  store,
}: {
  result: NonNullable<RecommendationsView['result']>
  store: string
}) {
  if (picks.length === 0)
    return (
      <div className="panel nothing">
        <h2>No tire here answers all four</h2>
        <p className="muted">
          No matching tires in stock suit your weather. Change that answer, or look at everything there is.
        </p>
        <a className="btn" href={all.path}>
          {all.label}
        </a>
      </div>
    )
  return (
    <>
      <ol className="recommend-picks">
        {picks.map(({ card, reasons }, index) => (
          <li key={card.key} className="panel" id={`tire-${card.key}`}>
            <TirePicture picture={card.picture} alt="" size={112} eager={index < 3} />
            <div className="recommend-words">
              <h2 className="card-t">
                <small>{card.brand}</small> <a href={card.path}>{card.line}</a>
              </h2>
              <p className="small muted tabular">{card.sizes.join(', ')}</p>
              <ul className="recommend-reasons tabular">
                {reasons.map((reason) => (
                  <li key={reason}>
                    <Icon name="check" size="s" /> {reason}
                  </li>
                ))}
              </ul>
              <div className="row marks">
                {card.fit ? <FitLine tone={card.fit.tone}>{card.fit.text}</FitLine> : null}
                {card.score ? <Score tenths={card.score.tenths} word={card.score.word} store={store} /> : null}
                {card.rating ? <Rating hundredths={card.rating.hundredths} count={card.rating.count} /> : null}
              </div>
            </div>
            <div className="recommend-buy tabular">
              <p>
                <span className="money-now">{card.price.now}</span>{' '}
                <span className="small muted">{card.price.unit}</span>
              </p>
              {card.total ? (
                <p className="small">
                  <b>{card.total.amount}</b> {card.total.for}
                </p>
              ) : null}
              {card.when ? <p className="small muted">{card.when}</p> : null}
              <div className="row">
                <a className={index === 0 ? 'btn primary' : 'btn'} href={card.path}>
                  Choose<span className="visually-hidden"> {card.line}</span>
                </a>
                <CompareToggle itemKey={card.key} name={`${card.brand} ${card.line}`} />
              </div>
            </div>
          </li>
        ))}
      </ol>
      <p className="row recommend-more">
        {picks.length > 1 ? (
          <a className="btn" href={compare}>
            Compare these {picks.length}
          </a>
        ) : null}
        <a href={all.path}>Why not others? {all.label}, in the order of what matters most to you</a>
      </p>
    </>
  )
}

function HowWeRank() {
  return (
    <details className="recommend-how">
      <summary>How we rank</summary>
      <p className="small muted">
        Each answer gives weight to what owners rate (dry and wet grip, snow, comfort, quiet, wear), to the mileage
        warranty or to the price. The sum decides. A tire that does not fit, is rated below what your vehicle needs, has
        too few reviews, or cannot be delivered as a set is left out, and each line appears here once. What we earn on a
        tire plays no part, and placement isn’t for sale.
      </p>
    </details>
  )
}
