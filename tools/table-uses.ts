/**
 * Finds which files read and write which tables by plain text search: Kysely calls, literal SQL, and names inserted
 * into SQL (`sql.table`). Tests and comments do not count.
 */
export type TableUse = { file: string; folder: string; table: string; kind: 'reads' | 'writes' }

/** Every use of `tables` in `files`, once per file, ordered by file and table. */
export function findTableUses(files: readonly { path: string; text: string }[], tables: readonly string[]): TableUse[] {
  const patterns = patternsFor(tables)
  return files.flatMap(({ path, text }) => {
    if (!speaksToDatabase(text)) return []
    const { read, written } = findNames(withoutComments(text), patterns)
    const use = (kind: TableUse['kind']) => (table: string) => ({ file: path, folder: folderOf(path), table, kind })
    return [...[...written].sort().map(use('writes')), ...[...read].sort().map(use('reads'))]
  })
}

/** Each capability or adapter counts as a folder; platform, api and app count as one each. */
export function folderOf(path: string): string {
  const [root = '', part = '', folder = ''] = path.split('/')
  if (root === 'domain') return `${root}/${part}/${folder}`
  return root === 'adapters' ? `${root}/${part}` : root
}

type Patterns = { writes: RegExp[]; reads: RegExp[]; quoted: RegExp }

function patternsFor(tables: readonly string[]): Patterns {
  const table = `(?<table>${tables.join('|')})\\b`
  return {
    writes: [
      new RegExp(`\\b(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*'${table}`, 'g'),
      new RegExp(
        `\\b(?:insert into|(?<!\\bfor |\\bkey )update|delete from|merge into|truncate|copy)\\s+${table}`,
        'gi',
      ),
    ],
    reads: [
      new RegExp(`\\b(?:selectFrom|from|using|\\w+Join)\\(\\s*\\[?\\s*'${table}`, 'g'),
      // "distinct from" is a comparison, and `from x.y` extracts from a column.
      new RegExp(`(?<!\\b(?:distinct|delete) )\\b(?:from|join|using)\\s+${table}(?!\\.)`, 'gi'),
    ],
    quoted: new RegExp(`'${table}'`, 'g'),
  }
}

function findNames(text: string, { writes, reads, quoted }: Patterns): { read: Set<string>; written: Set<string> } {
  const namesBy = (patterns: readonly RegExp[], where: string) =>
    patterns.flatMap((pattern) => [...where.matchAll(pattern)].map(({ groups }) => groups?.['table'] ?? ''))
  const written = new Set(namesBy(writes, text))
  const read = new Set(namesBy(reads, text))
  if (text.includes('sql.table(')) {
    // Names that the file might insert. They are quoted outside of calls and SQL.
    const rest = [...writes, ...reads].reduce((left, pattern) => left.replaceAll(pattern, ' '), withoutTemplates(text))
    const into = /\b(?:insert into|update|delete from)\s+\$\{/i.test(text) ? written : read
    for (const name of namesBy([quoted], rest)) into.add(name)
  }
  return { read, written }
}

function speaksToDatabase(text: string): boolean {
  return /from '(?:kysely|pg|#platform\/db\.ts|\.\/db\.ts)'/.test(text)
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/^\s*(?:\/\/|--).*$/gm, ' ')
}

/** The text without template literals; code inside a template is kept, templates inside that code are not. */
function withoutTemplates(text: string): string {
  const nesting: ('template' | 'code')[] = []
  let rest = ''
  for (const [token] of text.matchAll(/\\.|\$\{|[`{}]|[^\\$`{}]+|\$/gs)) {
    const isText = nesting.at(-1) === 'template'
    if (token === '`' && isText) nesting.pop()
    else if (token === '`') nesting.push('template')
    else if (isText && token === '${') nesting.push('code')
    else if (!isText && token === '{') nesting.push('code')
    else if (!isText && token === '}') nesting.pop()
    else if (!isText) rest += token
  }
  return rest
}
