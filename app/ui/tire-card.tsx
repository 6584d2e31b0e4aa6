import type { CardView, VersionsView } from '#app/ui/listing-data.ts'
import { CompareToggle } from '#app/ui/comparing.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Rating } from '#app/ui/rating.tsx'
import { FitLine, Score } from '#app/ui/tire-facts.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'

type TireCardProps = {
  card: CardView
  /** The one primary button of the page. */
  isFirst: boolean
  /** Above the fold, so its image is not lazy-loaded. */
  isEager: boolean
  store: string
}

/** A tire, a staggered set or a model in a listing, with fitment, final price, and installation time. */
export function TireCard({ card, isFirst, isEager, store }: TireCardProps) {
  const isRefused = card.fit?.tone === 'no'
  // No primary button until the placard is confirmed, because that comes first.
  const isLoud = isFirst && !isRefused && card.fit?.tone !== 'unknown'
  return (
    <article id={`tire-${card.key}`} className={isRefused ? 'panel tire-card is-refused' : 'panel tire-card'}>
      <a className="tire-card-picture" href={card.path} tabIndex={-1} aria-hidden="true">
        <TirePicture picture={card.picture} alt="" size={168} eager={isEager} />
      </a>
      <div className="tire-card-name">
        <h3 className="card-t">
          <small>{card.brand}</small> <a href={card.path}>{card.line}</a>
        </h3>
        {card.sizes.map((size) => (
          <p key={size} className="small muted tabular">
            {size}
          </p>
        ))}
        <ul className="tags" aria-label="Features">
          {card.tags.map(({ tone, text }) => (
            <li key={text} className={tone === '' ? 'tag' : `tag tone-${tone}`}>
              {text}
            </li>
          ))}
        </ul>
      </div>
      <div className="tire-card-facts">
        {card.fit ? <FitLine tone={card.fit.tone}>{card.fit.text}</FitLine> : null}
        <div className="row marks">
          {card.score ? (
            <a className="plain" href={`${card.path}#score-parts`}>
              <Score tenths={card.score.tenths} word={card.score.word} store={store} />
            </a>
          ) : (
            <span className="small muted">Not scored yet</span>
          )}
          {card.rating ? <Rating hundredths={card.rating.hundredths} count={card.rating.count} /> : null}
        </div>
        <CardMoney card={card} />
        <div className="tire-card-actions">
          <a
            className={isLoud ? 'btn primary' : isRefused ? 'btn quiet' : 'btn'}
            href={isRefused ? `${card.path}#fitment-title` : card.path}
          >
            {card.action}
            <span className="visually-hidden">
              {' '}
              {card.brand} {card.line}
            </span>
          </a>
          {card.action === 'See sizes' ? null : (
            <CompareToggle itemKey={card.key} name={`${card.brand} ${card.line}`} />
          )}
        </div>
        {card.versions ? <Versions card={card} versions={card.versions} /> : null}
      </div>
    </article>
  )
}

/**
 * The model's other versions in this size, such as another load index. Each has a separate page, price, and fitment.
 */
function Versions({ card, versions: { summary, list } }: { card: CardView; versions: VersionsView }) {
  return (
    <details className="versions">
      <summary>{summary}</summary>
      <ul>
        {list.map(({ key, path, name, price, fit, stop }) => (
          <li key={key} id={`tire-${key}`}>
            <a className="tabular" href={path}>
              <span className="visually-hidden">
                {card.brand} {card.line}{' '}
              </span>
              {name}
            </a>
            <p className="small tabular">
              <b>{price.now}</b> <span className="muted">{price.unit}</span>
            </p>
            {price.shipping ? <p className="small tabular">{price.shipping}</p> : null}
            {fit ? <FitLine tone={fit.tone}>{fit.text}</FitLine> : null}
            {stop ? <p className="small">{stop}</p> : null}
            <CompareToggle itemKey={key} name={`${card.brand} ${card.line} ${name}`} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The price per tire and in total, and when. */
function CardMoney({ card: { price, total, when } }: { card: CardView }) {
  return (
    <div className="money tabular">
      <p>
        <span className="money-now">{price.now}</span>
        {price.was ? (
          <>
            {' '}
            <s className="small muted">
              <span className="visually-hidden">was </span>
              {price.was}
            </s>
          </>
        ) : null}{' '}
        <span className="small muted">{price.unit}</span>
      </p>
      {price.shipping ? <p className="small">{price.shipping}</p> : null}
      {total ? (
        <p className="small">
          <b>{total.amount}</b> {total.for}
        </p>
      ) : null}
      {when ? (
        <p className="small muted row top">
          <Icon name="calendar" size="s" />
          <span>{when}</span>
        </p>
      ) : null}
    </div>
  )
}
