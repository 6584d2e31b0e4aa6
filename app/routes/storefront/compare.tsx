import { applicationContext, visitorContext } from '#app/server/context.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import { ListingPanel } from '#app/ui/listing-panel.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Share } from '#app/ui/share.tsx'
import { Rating } from '#app/ui/rating.tsx'
import { FitLine, Score } from '#app/ui/tire-facts.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { parseTireKeys } from '#domain/catalog/catalog/catalog.ts'
import { COMPARED_TIRES } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { readCompareView } from './compare.server.ts'
import type { CompareCell, CompareColumn, CompareGroup, CompareView } from './compare-view.ts'
import type { Route } from './+types/compare.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const names = loaderData?.columns.map(({ name }) => `${name.brand} ${name.line}`) ?? []
  return pageHead(matches, {
    title: names.length > 1 ? `Compare ${names.join(', ')}` : 'Compare tires',
    description: `${COMPARED_TIRES.min} to ${countOf(COMPARED_TIRES.max, 'tire')} side by side, with out-the-door price, fit, score, and specs explained.`,
    path: loaderData?.path ?? paths.compare(),
    isIndexed: false,
  })
}

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/**
 * `?items=` lists the tires, so that the page can be shared; without it the visitor's own selection is shown at its
 * address.
 */
export async function loader({ url, context }: Route.LoaderArgs): Promise<CompareView> {
  const visitor = context.get(visitorContext)
  const items = url.searchParams.get('items')
  const own = parseTireKeys(visitor.compared ?? '').keys
  if (items === null && own.length > 0) throw seeOther(paths.compare(own))
  return readCompareView(context.get(applicationContext), visitor, items ?? '')
}

export default function ComparePage({ loaderData: view }: Route.ComponentProps) {
  const { columns, notes, panel, zip, path, more } = view
  return (
    <div className="wrap compare-page">
      <div className="row between compare-head">
        <h1>{columns.length > 1 ? `${countOf(columns.length, 'tire')} side by side` : 'Compare tires'}</h1>
        {columns.length > 1 ? <Share path={path} title="Tires to compare" /> : null}
      </div>
      {notes.length > 0 ? (
        <div className="notice">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      ) : null}
      {columns.length < 2 ? <TooFew view={view} /> : null}
      {columns.length > 1 && zip === null ? (
        <p className="listing-note small">
          <Icon name="pin" size="s" />
          <span>
            <a href={paths.zip(path)}>Set your ZIP</a> to compare prices out the door and the earliest times near you.
          </span>
        </p>
      ) : null}
      {panel ? <ListingPanel panel={panel} /> : null}
      {columns.length > 0 ? <Comparison view={view} /> : null}
      {columns.length > 1 ? (
        <p className="row compare-foot">
          <a className="btn quiet" href={more.path}>
            {more.label}
          </a>
          <a className="small" href={paths.tireScore()}>
            How the score is made
          </a>
        </p>
      ) : null}
    </div>
  )
}

/** Renders help for adding tires if there are fewer than two. */
function TooFew({ view: { columns, more } }: { view: CompareView }) {
  return (
    <div className="panel nothing">
      <h2>{columns.length === 0 ? 'No tires to compare yet' : 'One tire cannot be compared'}</h2>
      <p className="muted">
        Click “Compare” on {COMPARED_TIRES.min} to {countOf(COMPARED_TIRES.max, 'tire')} in any list or on their pages.
        Then come back here to see them side by side with differences highlighted.
      </p>
      <a className="btn primary" href={more.path}>
        {more.label}
      </a>
    </div>
  )
}

/** The form hides rows with CSS only and works without JavaScript. */
function Comparison({ view: { columns, groups, store } }: { view: CompareView }) {
  return (
    <>
      {columns.length > 1 ? (
        <label className="check compare-switch">
          <input type="checkbox" id="differences-only" />
          <span>Show only what differs</span>
        </label>
      ) : null}
      <div className="panel compare-scroll" role="region" aria-label="Comparison, scrolls sideways" tabIndex={0}>
        <table className="compare-table tabular">
          <caption className="visually-hidden">Tires side by side</caption>
          <thead>
            <tr>
              <td>
                <span className="visually-hidden">Compared specs</span>
              </td>
              {columns.map((column) => (
                <ColumnHead key={column.key} column={column} />
              ))}
            </tr>
          </thead>
          {groups.map((group) => (
            <Group key={group.title} group={group} columns={columns} store={store} />
          ))}
        </table>
      </div>
    </>
  )
}

function ColumnHead({ column: { name, tire, path, picture, key, buy, instead, without } }: { column: CompareColumn }) {
  const words = `${name.brand} ${name.line}`
  return (
    <th scope="col">
      <TirePicture picture={picture} alt="" size={112} eager />
      <a href={path}>
        <small>{name.brand}</small> {name.line}
      </a>
      {tire.map((text) => (
        <small key={text}>{text}</small>
      ))}
      {buy ? (
        <form method="post" action={paths.cart()}>
          {buy.fields.map(([field, value]) => (
            <input key={field} type="hidden" name={field} value={value} />
          ))}
          <button className="btn small" type="submit">
            {buy.label}
            <span className="visually-hidden">: {words}</span>
          </button>
        </form>
      ) : (
        <a className="btn small quiet" href={path}>
          {instead}
          <span className="visually-hidden">: {words}</span>
        </a>
      )}
      <form method="post" action={paths.compareChoice()}>
        <input type="hidden" name="back" value={without} />
        <button className="link small" type="submit" name="remove" value={key}>
          Remove<span className="visually-hidden"> {words}</span>
        </button>
      </form>
    </th>
  )
}

function Group({
  group: { title, rows },
  columns,
  store,
}: {
  group: CompareGroup
  columns: CompareColumn[]
  store: string
}) {
  const isOneTire = columns.length === 1
  return (
    <tbody className={rows.every(({ isSame }) => isSame) && !isOneTire ? 'is-same' : undefined}>
      <tr className="compare-group">
        <th scope="rowgroup" colSpan={columns.length + 1}>
          <span>{title}</span>
        </th>
      </tr>
      {rows.map(({ name, cells, isSame }) => (
        <tr key={name} className={isOneTire ? undefined : isSame ? 'is-same' : 'differs'}>
          <th scope="row">
            {name}
            {isSame || isOneTire ? null : <span className="visually-hidden"> (differs)</span>}
          </th>
          {cells.map((cell, index) => (
            <td key={columns[index]?.key}>
              <Cell cell={cell} store={store} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

function Cell({ cell: { text, note, fit, score, rating, best }, store }: { cell: CompareCell; store: string }) {
  return (
    <>
      {fit ? (
        <FitLine tone={fit}>{text}</FitLine>
      ) : score ? (
        <Score tenths={score.tenths} word={score.word} store={store} />
      ) : rating ? (
        <Rating hundredths={rating.hundredths} count={rating.count} />
      ) : (
        text
      )}
      {best ? <span className="tag tone-go">{best}</span> : null}
      {note ? <small>{note}</small> : null}
    </>
  )
}
