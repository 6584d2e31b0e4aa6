import type { CardView } from '#app/ui/listing-data.ts'
import { TirePicture } from '#app/ui/tire-picture.tsx'

/** `path` is the deal's page; `ends` is its expiration. */
export type DealView = { card: CardView; headline: string; path: string; ends: string }

/** A tire on sale, with the discount first. */
export function DealCard({ deal: { card, headline, path, ends } }: { deal: DealView }) {
  return (
    <article className="panel deal-card">
      <TirePicture picture={card.picture} alt="" size={168} />
      <div>
        <p className="tag tone-deal">{headline}</p>
        <h3 className="card-t">
          <a href={card.path}>
            {card.brand} {card.line}
          </a>
        </h3>
        <p className="small muted tabular">
          {card.sizes[0]}
          <br />
          {card.tags[0]?.text}
        </p>
        <p className="tabular deal-price">
          <b className="money-now">{card.price.now}</b>{' '}
          {card.price.was ? (
            <s className="small muted">
              <span className="visually-hidden">was </span>
              {card.price.was}
            </s>
          ) : null}{' '}
          <span className="small muted">{card.price.unit === 'per tire' ? 'each' : card.price.unit}</span>
        </p>
        {card.price.shipping ? <p className="small tabular">{card.price.shipping}</p> : null}
        {card.total ? (
          <p className="small tabular">
            <b>{card.total.amount}</b> <span className="muted">{card.total.for}</span>
          </p>
        ) : null}
        <p className="small muted tabular deal-ends">
          {ends}.{' '}
          <a href={path}>
            Terms<span className="visually-hidden"> of {headline}</span>
          </a>
        </p>
      </div>
    </article>
  )
}
