import { ConsentWords } from '#app/ui/consent-words.tsx'
import type { TextsView } from '#app/views/order-texts.server.ts'

/** The offer of text messages about an order, with the consent text next to the button. */
export function TextsPanel({
  texts: { phone, words, state },
  problem,
}: {
  texts: TextsView
  problem: string | undefined
}) {
  return (
    <section className="panel padded stack" aria-labelledby="texts">
      <h2 id="texts">Text me about this order</h2>
      {problem ? (
        <p className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
      {state === 'asked' ? <p role="status">{`We texted ${phone}. Reply YES to confirm.`}</p> : null}
      {state === 'confirmed' ? <p role="status">{`Texts go to ${phone}. Reply STOP to stop them.`}</p> : null}
      {state === 'stopped' ? <p>{`Texts to ${phone} were stopped from the phone.`}</p> : null}
      {state === 'off' ? (
        <form method="post" className="stack">
          <p>
            <ConsentWords words={words} />
          </p>
          <p>
            <button className="btn" name="intent" value="texts">
              {`Text ${phone}`}
            </button>
          </p>
        </form>
      ) : null}
    </section>
  )
}
