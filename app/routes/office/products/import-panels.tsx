import { DataTable } from '#app/ui/office/data-table.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { differenceWords } from '#app/views/office/import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import type { DifferenceCount, DifferenceKind, DifferenceRow } from '#domain/catalog/catalog-import/catalog-import.ts'
import { countOf } from '#platform/count-text.ts'

/** Kinds with values before and after. */
const withValues: readonly DifferenceKind[] = ['price-up', 'price-down', 'stock-up', 'stock-down']

/** Renders what a publish changes, with row counts by kind and the largest rows. */
export function DifferencePanel({
  id,
  counts,
  rows,
}: {
  id: number
  counts: readonly DifferenceCount[]
  rows: readonly DifferenceRow[]
}) {
  if (counts.length === 0)
    return (
      <Panel id="difference" title="Difference">
        <PanelBody>
          <p>The file matches the catalog. Publishing it has no effect.</p>
        </PanelBody>
      </Panel>
    )
  return (
    <>
      <Panel
        id="difference"
        title="Difference"
        end={<a href={officePaths.officeImportFile(id, 'changes')}>Export as CSV</a>}
      >
        <DataTable
          caption="Rows by kind of change"
          columns={[
            { key: 'kind', label: 'Change', isRowHeader: true },
            { key: 'count', label: 'Rows', isAmount: true },
          ]}
          rows={counts.map(({ kind, count }) => ({
            id: kind,
            cells: { kind: <a href={`#${kind}`}>{differenceWords[kind]}</a>, count: count.toLocaleString('en-US') },
          }))}
        />
      </Panel>
      {counts.map(({ kind, count }) => (
        <KindPanel key={kind} kind={kind} count={count} rows={rows.filter((row) => row.kind === kind)} />
      ))}
    </>
  )
}

function KindPanel({ kind, count, rows }: { kind: DifferenceKind; count: number; rows: readonly DifferenceRow[] }) {
  const isMoved = withValues.includes(kind)
  const hasText = rows.some(({ was, becomes }) => was !== '' || becomes !== '')
  const note =
    rows.length < count
      ? `${isMoved ? 'The largest' : 'The first'} ${rows.length} of ${count.toLocaleString('en-US')}`
      : ''
  return (
    <Panel id={kind} title={differenceWords[kind]} note={note}>
      <DataTable
        caption={differenceWords[kind]}
        columns={[
          { key: 'what', label: 'What', isRowHeader: true },
          ...(isMoved ? [{ key: 'was', label: 'Before', isAmount: true }] : []),
          ...(hasText ? [{ key: 'becomes', label: isMoved ? 'After' : 'Details', isAmount: isMoved }] : []),
        ]}
        rows={rows.map(({ place, what, was, becomes }) => ({
          id: String(place),
          cells: { what, was: money(kind, was), becomes: isMoved ? money(kind, becomes) : becomes || was },
        }))}
      />
    </Panel>
  )
}

/** Prices are stored in dollars, counts as they are. */
function money(kind: DifferenceKind, value: string): string {
  return kind === 'price-up' || kind === 'price-down' ? `$${value}` : value
}

/** Categories of the file that the store does not have, to add them. */
export function UnknownCategoriesPanel({
  id,
  words,
  mayAdd,
}: {
  id: number
  words: readonly { word: string; rows: number }[]
  mayAdd: boolean
}) {
  return (
    <Panel id="unknown-categories" title="Unknown categories" note="Add them, then check the file again">
      <DataTable
        caption="Unknown categories"
        columns={[
          { key: 'word', label: 'Category in the file', isRowHeader: true },
          { key: 'rows', label: 'Rows', isAmount: true },
          ...(mayAdd ? [{ key: 'add', label: 'Action' }] : []),
        ]}
        rows={words.map(({ word, rows }) => ({
          id: word,
          cells: {
            word,
            rows: rows.toLocaleString('en-US'),
            add: (
              <a
                className="btn"
                href={officePaths.officeTireType('categories', 'new', { name: word, from: id })}
                aria-label={`Add category ${word}`}
              >
                Add category
              </a>
            ),
          },
        }))}
      />
    </Panel>
  )
}

/** Pictures that the file names by address, and those that could not be loaded. */
export function PicturesPanel({ waiting, added, failed, failures }: PicturesView) {
  const counts = [
    `${countOf(added, 'picture')} added.`,
    waiting > 0 ? `${countOf(waiting, 'picture')} being loaded. Reload the page.` : '',
    failed > 0 ? `${countOf(failed, 'picture')} could not be loaded.` : '',
  ]
  return (
    <Panel
      id="pictures"
      title="Pictures"
      note={
        failures.length < failed ? `The first ${failures.length} of ${failed.toLocaleString('en-US')} not loaded` : ''
      }
    >
      <PanelBody>
        <p>{counts.filter(Boolean).join(' ')}</p>
        {failed > 0 ? <p>To try again, import the file again, or add photos to the model or tire.</p> : null}
      </PanelBody>
      {failed > 0 ? (
        <DataTable
          caption="Pictures that could not be loaded"
          columns={[
            { key: 'url', label: 'Address', isRowHeader: true },
            { key: 'problem', label: 'Problem' },
          ]}
          rows={failures.map(({ url, text }, index) => ({ id: String(index), cells: { url, problem: text } }))}
        />
      ) : null}
    </Panel>
  )
}

export type PicturesView = {
  waiting: number
  added: number
  failed: number
  failures: readonly { url: string; text: string }[]
}

/** Rows of the file that are not published, and why. */
export function RefusedPanel({
  id,
  rows,
  count,
}: {
  id: number
  rows: readonly { rowNo: number; column: string; value: string; problem: string; expected: string }[]
  count: number
}) {
  return (
    <Panel
      id="refused"
      title="Refused rows"
      note={countOf(count, 'row')}
      end={<a href={officePaths.officeImportFile(id, 'refused')}>Export as CSV</a>}
    >
      <DataTable
        caption="Refused rows"
        columns={[
          { key: 'row', label: 'Row', isRowHeader: true },
          { key: 'column', label: 'Column' },
          { key: 'value', label: 'Value' },
          { key: 'problem', label: 'Errors' },
          { key: 'expected', label: 'Expected' },
        ]}
        rows={rows.map(({ rowNo, ...cells }, index) => ({
          id: String(index),
          cells: { ...cells, row: String(rowNo) },
        }))}
      />
    </Panel>
  )
}
