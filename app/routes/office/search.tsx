import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { findHint, findLabel, findLength } from '#app/ui/office/find-words.ts'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { longestSearch, onlyPage, readSearch, searchOffice, type FoundGroup } from '#app/views/office/search.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/search.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Search', officePaths.officeSearch())

/** Lists the results. Opens a single result directly. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { text: q, kind } = readSearch(url.searchParams)
  const { app, session } = await requireStaff(
    context,
    'office.open',
    officePaths.officeSearch({ q: q || undefined, kind: kind ?? undefined }),
  )
  const groups = await searchOffice(app, session.roles, { text: q, kind })
  const only = kind === null ? onlyPage(groups) : null
  if (only !== null) throw seeOther(only)
  return {
    q,
    groups,
    cutAt: (url.searchParams.get('q') ?? '').trim().length > longestSearch ? longestSearch : null,
  }
}

export default function Search({ loaderData: { q, groups, cutAt } }: Route.ComponentProps) {
  return (
    <OfficePage title="Search">
      <form
        className="office-search-form"
        action={officePaths.officeSearch()}
        role="search"
        aria-label="Search results"
      >
        <label className="visually-hidden" htmlFor="office-search">
          {findLabel}
        </label>
        <input
          className="input"
          id="office-search"
          name="q"
          type="search"
          defaultValue={q}
          maxLength={findLength}
          placeholder={findHint}
          autoComplete="off"
        />
        <button className="btn">Search</button>
      </form>
      {cutAt === null ? null : (
        <Notice tone="signal" title={`Only the first ${countOf(cutAt, 'character')} were searched`} />
      )}
      {q === '' ? (
        <Notice tone="signal" title="What are you looking for?">
          <p>
            Search by any part of an order number, name, email, phone, company, SKU, tire model, size or shop, by ZIP or
            license plate, by another number such as M-1001, R-1, Q-2001 or PO-5004, or by the end of a VIN, DOT number
            or tracking number.
          </p>
        </Notice>
      ) : null}
      {q !== '' && groups.length === 0 ? (
        <Notice tone="signal" title="No matches">
          <p>Nothing matches “{q}”. Check the spelling, or search for a part of it.</p>
        </Notice>
      ) : null}
      {groups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
    </OfficePage>
  )
}

function Group({ group: { id, title, lines, isCut, more } }: { group: FoundGroup }) {
  return (
    <Panel id={id} title={title} note={isCut ? `First ${lines.length}` : countOf(lines.length, 'match', 'matches')}>
      <PanelBody>
        <ul className="office-found">
          {lines.map(({ key, title: name, path, notes }) => (
            <li key={key}>
              {path === null ? <b>{name}</b> : <a href={path}>{name}</a>}
              <span className="muted">{notes.join(' · ')}</span>
            </li>
          ))}
        </ul>
        {more ? <a href={more.path}>{more.title}</a> : null}
        {isCut && !more ? <p className="muted">There are more. Add a word to narrow them down.</p> : null}
      </PanelBody>
    </Panel>
  )
}
