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
