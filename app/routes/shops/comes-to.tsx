import { paths } from '#content/paths.ts'
import type { VanArea } from '#app/routes/shops/van-area.server.ts'
import { ZipForm } from '#app/routes/shops/zip-form.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** Renders a check of whether a mobile installer serves the shopper's ZIP code, and its towns. `path` is its page. */
export function ComesTo({ path, area: { answer, reply, comesTo } }: { path: string; area: VanArea }) {
  return (
    <section className="panel padded" aria-labelledby="comes">
      <h2 id="comes">Does it come to your ZIP?</h2>
      {answer ? (
        <p className={answer.comes ? 'comes-answer is-yes' : 'comes-answer'}>
          <Icon name={answer.comes ? 'check-circle' : 'cross-circle'} />
          <span>{answer.text}</span>
        </p>
      ) : null}
      {answer && !answer.comes ? (
        <p>
          <a href={paths.tireShops(answer.zip)}>Shops and mobile installers for {answer.zip}</a>
        </p>
      ) : null}
      <ZipForm action={path} button="Check" label={answer ? 'Another ZIP' : 'ZIP code'} reply={reply} />
      <p className="small muted comes-towns">{comesTo}</p>
    </section>
  )
}
