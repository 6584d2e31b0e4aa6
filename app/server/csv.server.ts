/** Lists as CSV files, for spreadsheet programs. */
import { csvText } from '#platform/csv-text.ts'

/**
 * Answers with a file of `batches`, sent as they are read. A cell that a spreadsheet would take for a formula is
 * written as text.
 */
export function csvResponse(
  name: string,
  header: readonly string[],
  batches: AsyncIterator<readonly (readonly (string | number | null)[])[]>,
): Response {
  return csvFile(name, textOf(header, batches))
}

async function* textOf(
  header: readonly string[],
  batches: AsyncIterator<readonly (readonly (string | number | null)[])[]>,
): AsyncGenerator<string> {
  yield csvText([header])
  try {
    for (let step = await batches.next(); !step.done; step = await batches.next()) yield csvText(step.value)
  } finally {
    await batches.return?.()
  }
}

/**
 * Answers with a file of `pieces` of CSV text, sent as they are read. UTF-8 with a byte order mark, without which Excel
 * reads it as another encoding.
 */
export function csvFile(name: string, pieces: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder()
  let mark = '\uFEFF'
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = await pieces.next()
      if (step.done) controller.close()
      else controller.enqueue(encoder.encode(mark + step.value))
      mark = ''
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  })
}

/** The rows of a list, page by page, as `csvResponse` takes them. */
export async function* csvPages<Item, Place>(
  read: (after: Place | null) => Promise<{ items: readonly Item[]; next: Place | null }>,
  row: (item: Item) => (string | number | null)[],
): AsyncGenerator<(string | number | null)[][]> {
  for (let after: Place | null = null; ;) {
    const { items, next }: { items: readonly Item[]; next: Place | null } = await read(after)
    yield items.map(row)
    if (next === null) return
    after = next
  }
}

/** A short list as the one batch that `csvResponse` takes. */
export async function* inOneBatch<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  await Promise.resolve()
  yield rows
}
