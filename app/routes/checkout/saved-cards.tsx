import type { SavedCardShown } from '#app/routes/checkout/saved-cards.server.ts'

/** The shopper's saved cards to choose from, with or without script; the first that is not expired is chosen. */
export function SavedCards({ cards, total }: { cards: SavedCardShown[]; total: string }) {
  const first = cards.find(({ isExpired }) => !isExpired)
  return (
    // A plain form, because bank authentication is on another origin.
    <form method="post" className="panel padded stack saved-cards">
      <input type="hidden" name="intent" value="saved" />
      <fieldset>
        <legend>
          <h2>Your saved cards</h2>
        </legend>
        {cards.map((card) => (
          <label key={card.id} className="check">
            <input
              type="radio"
              name="card"
              value={card.id}
              defaultChecked={card.id === first?.id}
              disabled={card.isExpired}
              required
            />
            <span>
              {card.name}{' '}
              <span className={card.isExpired ? 'field-error' : 'muted'}>
                {card.isExpired ? 'expired' : 'expires'} {card.expiry}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {first ? <button className="btn primary large wide">Use the chosen card for {total}</button> : null}
    </form>
  )
}
